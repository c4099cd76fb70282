#include "support/target_profile.h"

#include <charconv>

#include "support/gpu_model.h"

namespace lockstep {
namespace {

constexpr int kLowest = 50, kHighest = 199;

ProfileFact narrowing_fact(const TargetProfile& profile) {
  switch (profile.float8_narrowing()) {
    case Float8Narrowing::direct:
      return {"float to f8", "rounds once to nearest even and saturates, infinity too", profile.is_measured()};
    case Float8Narrowing::through_f16:
      return {"float to f8", "f32 and bf16 are cut to f16 first, then rounded to nearest even, saturating"};
    case Float8Narrowing::in_software: break;
  }
  return {"float to f8", "f8E5M2 only: ties away from zero, overflow to infinity"};
}

}  // namespace

Expected<TargetProfile, Status> TargetProfile::parse(std::string_view text) {
  if (const GpuModel* model = gpu_model(text)) {
    TargetProfile named;
    named.capability_ = model->capability;
    return named;
  }
  std::string_view digits = text;
  if (digits.starts_with("sm_")) digits.remove_prefix(3);
  int value = 0;
  const std::from_chars_result end = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const std::string_view rest(end.ptr, static_cast<std::size_t>(digits.data() + digits.size() - end.ptr));
  const bool is_number = end.ec == std::errc() && (rest.empty() || rest == "a" || rest == "f");
  if (!is_number || value < kLowest || value > kHighest) {
    return Unexpected{
        Status{"LS2210", "--as: '" + std::string(text) + "' is not a target",
               "targets look like sm_90; sm_80, sm_89, sm_90 and sm_100 have rules of their own; a100, h100 and h200 "
               "are known by name"}};
  }
  TargetProfile profile;
  profile.capability_ = value;
  return profile;
}

Float8Narrowing TargetProfile::float8_narrowing() const {
  if (capability_ >= 90) return Float8Narrowing::direct;
  return capability_ == 89 ? Float8Narrowing::through_f16 : Float8Narrowing::in_software;
}

std::vector<ProfileFact> TargetProfile::facts() const {
  const bool measured = is_measured();
  return {
      {"8-bit floats",
       refuses(ScalarKind::f8E4M3FN) ? "f8E5M2 converts, f8E4M3FN does not" : "f8E5M2 and f8E4M3FN convert", measured},
      narrowing_fact(*this),
      {"f8E5M2 to bf16", "infinity and NaN become the numbers that their bits continue to: 65536 and above", measured},
      {"tf32 dot", "drops the 13 low bits of each operand (no rounding)", measured},
      {"dot", "a tensor core cuts each addend to a common exponent; Lockstep adds in order of k, see S-71", measured},
      {"x * y + z", "two roundings unless --fp-fusion on; a GPU build of Triton contracts by default", measured},
  };
}

}  // namespace lockstep
