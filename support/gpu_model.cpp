#include "support/gpu_model.h"

#include <algorithm>
#include <cctype>

namespace lockstep {

namespace {

constexpr GpuModel kModels[] = {
    {"a100", 80, 108, 2.039e12, 19.5e12, 156e12, 312e12, 624e12, 163 * 1024},
    {"h100", 90, 132, 3.35e12, 67e12, 494.7e12, 989.4e12, 1978.9e12, 227 * 1024},
    {"h200", 90, 132, 4.8e12, 67e12, 494.7e12, 989.4e12, 1978.9e12, 227 * 1024},
};

bool is_same(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

}  // namespace

const GpuModel* gpu_model(std::string_view name) {
  const auto* found = std::find_if(std::begin(kModels), std::end(kModels),
                                   [&](const GpuModel& one) { return is_same(one.name, name); });
  return found == std::end(kModels) ? nullptr : found;
}

std::uint64_t resident_programs(const GpuModel& model, int num_warps) {
  constexpr int kWarps = 64, kPrograms = 32;  // of a multiprocessor
  const int each = std::clamp(kWarps / std::max(num_warps, 1), 1, kPrograms);
  return static_cast<std::uint64_t>(model.multiprocessors) * static_cast<std::uint64_t>(each);
}

const GpuModel& gpu_model_of(int capability) { return capability >= 90 ? kModels[2] : kModels[0]; }

}  // namespace lockstep
