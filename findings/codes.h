// FindingCode: what a finding is of, and the table of all codes (codes.def): tier, class, maker, subject and title of each.
// Code asks the row; nothing reads the text of a code. Not here: diagnostics of bad input (support/diagnostics/diagnostic.h).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep {

enum class Tier : std::uint8_t { error, warning, info };
std::string_view spelling(Tier tier);

/// `none`: of a finding that is not made yet. In the order of the codes' spellings.
enum class FindingCode : std::uint8_t {
  none,
#define LOCKSTEP_FINDING(code, tier, family, maker, subject, title) code,
#include "findings/codes.def"
#undef LOCKSTEP_FINDING
};

/// What goes wrong: the hundreds of the numbering; `lint` is LSPnn.
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
/// `launch`: found whoever asked; `checker`: only where its checker is on.
enum class FindingMaker : std::uint8_t { launch, checker };
/// `memory`: bytes of an argument, whose origin can be told.
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

/// Of `none`: a row without spelling and title.
const FindingRow& row_of(FindingCode code);
inline std::string_view spelling(FindingCode code) { return row_of(code).spelling; }
/// Null: no such code.
const FindingRow* find_finding_row(std::string_view spelling);
/// All of them, in the order of their spellings.
std::span<const FindingRow> finding_rows();

}  // namespace lockstep
