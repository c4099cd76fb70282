#include "findings/codes.h"

namespace lockstep {

namespace {

constexpr FindingCode kCodes[] = {
#define LOCKSTEP_FINDING(code, tier, title) {#code, Tier::tier, title},
#include "findings/codes.def"
#undef LOCKSTEP_FINDING
};

}  // namespace

const FindingCode* finding_code(std::string_view code) {
  for (const FindingCode& one : kCodes) {
    if (one.code == code) return &one;
  }
  return nullptr;
}

}  // namespace lockstep
