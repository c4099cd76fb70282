// FindingCode: the code of a finding, and the table of all codes (codes.def): tier, class, maker, subject and title of
// each. Code asks the row; nothing reads the text of a code. Not here: diagnostics of bad input
// (support/diagnostics/diagnostic.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

enum class Tier : std::uint8_t { error, warning, info };
std::string_view spelling(Tier tier);

/// `none`: for a finding under construction. In the order of the codes' spellings.
enum class FindingCode : std::uint8_t {
  none,
#define LOCKSTEP_FINDING(code, tier, family, maker, subject, title) code,
#include "findings/codes.def"
#undef LOCKSTEP_FINDING
};

/// The kind of fault: the hundreds of the numbering; `lint` is LSPnn.
enum class FindingClass : std::uint8_t {
  none,
  bounds,
  assertion,
  undefined,
  race,
  lanes,
  integer,
  floating,
  hint,
  outcome,
  progress,
  lint
};
/// `launch`: always found; `checker`: only if its checker is on.
enum class FindingMaker : std::uint8_t { launch, checker };
/// `memory`: bytes of an argument, whose origin may be known.
enum class FindingSubject : std::uint8_t { value, memory };

struct FindingRow {
  FindingCode code = FindingCode::none;
  std::string_view spelling{};  // "LS101"
  Tier tier = Tier::error;
  FindingClass family = FindingClass::none;
  FindingMaker maker = FindingMaker::launch;
  FindingSubject subject = FindingSubject::value;
  std::string_view title{};
};

/// For `none`: a row without spelling and title.
const FindingRow& row_of(FindingCode code);
inline std::string_view spelling(FindingCode code) { return row_of(code).spelling; }
/// Null: no such code.
const FindingRow* find_finding_row(std::string_view spelling);
/// All of them, in the order of their spellings.
std::span<const FindingRow> finding_rows();

}  // namespace lockstep
