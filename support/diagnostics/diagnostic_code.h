// DiagnosticCode: the code of a diagnostic or a status, LS1xxx to LS3xxx. Its constructor takes a literal, which must
// be in the table (diagnostic_codes.def), or it does not compile. Use the class, not the text of a code. Not here:
// codes of findings (findings/codes.h).
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace lockstep {

enum class DiagnosticClass : std::uint8_t { source, request, environment };

struct DiagnosticRow {
  std::string_view spelling{};  // "LS1203"
  DiagnosticClass family = DiagnosticClass::source;
};

/// In the order of their spellings; the first row is not a code.
inline constexpr DiagnosticRow kDiagnosticRows[] = {
    {},
#define LOCKSTEP_DIAGNOSTIC(code, family) {#code, DiagnosticClass::family},
#include "support/diagnostics/diagnostic_codes.def"
#undef LOCKSTEP_DIAGNOSTIC
};

class DiagnosticCode {
 public:
  /// None: the spelling is empty.
  constexpr DiagnosticCode() = default;
  /// Does not compile if the table lacks the code.
  consteval DiagnosticCode(const char* spelling) : row_(row_of(spelling)) {}  // NOLINT(google-explicit-constructor)

  constexpr bool is_none() const { return row_ == 0; }
  constexpr std::string_view spelling() const { return kDiagnosticRows[row_].spelling; }
  constexpr DiagnosticClass family() const { return kDiagnosticRows[row_].family; }
  /// In the order of the spellings.
  friend constexpr auto operator<=>(DiagnosticCode, DiagnosticCode) = default;

 private:
  static consteval std::uint16_t row_of(std::string_view spelling) {
    for (std::size_t i = 1; i < std::size(kDiagnosticRows); ++i) {
      if (kDiagnosticRows[i].spelling == spelling) return static_cast<std::uint16_t>(i);
    }
    throw "support/diagnostics/diagnostic_codes.def lacks this code";  // no constant expression
  }

  std::uint16_t row_ = 0;
};

}  // namespace lockstep
