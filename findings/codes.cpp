#include "findings/codes.h"

#include <algorithm>
#include <cstddef>

namespace lockstep {

namespace {

constexpr FindingRow kRows[] = {
    {},
#define LOCKSTEP_FINDING(code, tier, family, maker, subject, title)                                   \
  {FindingCode::code, #code, Tier::tier, FindingClass::family, FindingMaker::maker, FindingSubject::subject, title},
#include "findings/codes.def"
#undef LOCKSTEP_FINDING
};

consteval bool is_sorted() {
  for (std::size_t i = 1; i < std::size(kRows); ++i) {
    if (kRows[i - 1].spelling >= kRows[i].spelling) return false;
  }
  return true;
}
static_assert(is_sorted(), "reports are sorted by code");

}  // namespace

const FindingRow& row_of(FindingCode code) { return kRows[static_cast<std::size_t>(code)]; }

std::span<const FindingRow> finding_rows() { return std::span(kRows).subspan(1); }

const FindingRow* find_finding_row(std::string_view spelling) {
  const auto rows = finding_rows();
  const auto found = std::find_if(rows.begin(), rows.end(), [&](const FindingRow& one) { return one.spelling == spelling; });
  return found == rows.end() ? nullptr : &*found;
}

}  // namespace lockstep
