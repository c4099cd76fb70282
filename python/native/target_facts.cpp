// What programs ask of a GPU beyond its numbers: sizes and counts of one card per compute capability. Source: CUDA C++
// Programming Guide, "Compute Capabilities" (shared memory, threads, registers), and the cards' data sheets
// (multiprocessors, memory). Which 8-bit floats there are follows Triton 3.6's CUDA backend.
#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bindings.h"
#include "modules.h"

namespace lockstep::python {
namespace {

namespace py = pybind11;

struct Card {
  int capability;
  const char* name;
  int multiprocessors;
  int shared_optin_kib, shared_per_multiprocessor_kib;
  int threads_per_multiprocessor;
  int memory_gib;
  int l2_mib;
  int clock_mhz, memory_clock_mhz, memory_bus_bits;
};

constexpr std::array<Card, 10> kCards{{
    {70, "Tesla V100-SXM2-32GB", 80, 96, 96, 2048, 32, 6, 1530, 877, 4096},
    {75, "Tesla T4", 40, 64, 64, 1024, 16, 4, 1590, 5001, 256},
    {80, "NVIDIA A100-SXM4-80GB", 108, 163, 164, 2048, 80, 40, 1410, 1593, 5120},
    {86, "NVIDIA GeForce RTX 3090", 82, 99, 100, 1536, 24, 6, 1695, 9751, 384},
    {87, "Orin", 16, 163, 164, 1536, 32, 4, 1300, 1300, 256},
    {89, "NVIDIA L40S", 142, 99, 100, 1536, 48, 96, 2520, 9001, 384},
    {90, "NVIDIA H200", 132, 227, 228, 2048, 141, 50, 1980, 3201, 6144},
    {100, "NVIDIA B200", 148, 227, 228, 2048, 192, 126, 1965, 3996, 8192},
    {103, "NVIDIA B300", 148, 227, 228, 2048, 288, 126, 1965, 3996, 8192},
    {120, "NVIDIA GeForce RTX 5090", 170, 99, 100, 1536, 32, 96, 2407, 14001, 512},
}};

/// The card of the highest capability that is not above.
const Card& card_of(int capability) {
  const Card* best = &kCards.front();
  for (const Card& card : kCards) {
    if (card.capability <= capability) best = &card;
  }
  return *best;
}

std::vector<std::string> float8_types(int capability) {
  std::vector<std::string> types = {"fp8e5"};
  if (capability >= 89) types.insert(types.begin(), "fp8e4nv");
  if (capability >= 80 && capability < 90) types.emplace_back("fp8e4b15");
  return types;
}

py::dict target_facts(const std::string& target) {
  const int capability = profile_of(target).capability();
  const Card& card = card_of(capability);
  constexpr int kKiB = 1024, kMiB = 1024 * 1024;
  py::dict facts;
  facts["name"] = card.name;
  facts["capability"] = py::make_tuple(capability / 10, capability % 10);
  facts["warp_size"] = 32;
  facts["multiprocessors"] = card.multiprocessors;
  facts["max_shared_memory"] = card.shared_optin_kib * kKiB;
  facts["shared_memory_per_block"] = 48 * kKiB;
  facts["shared_memory_per_multiprocessor"] = card.shared_per_multiprocessor_kib * kKiB;
  facts["max_registers"] = 65536;
  facts["max_threads_per_block"] = 1024;
  facts["max_threads_per_multiprocessor"] = card.threads_per_multiprocessor;
  facts["total_memory"] = static_cast<std::int64_t>(card.memory_gib) << 30;
  facts["l2_cache_size"] = card.l2_mib * kMiB;
  facts["clock_rate_khz"] = card.clock_mhz * 1000;
  facts["memory_clock_rate_khz"] = card.memory_clock_mhz * 1000;
  facts["memory_bus_width"] = card.memory_bus_bits;
  facts["fp8_types"] = float8_types(capability);
  return facts;
}

}  // namespace

void add_target_facts(py::module_& module) {
  module.def("supported_targets", [] {
    std::vector<std::string> targets;
    for (const Card& card : kCards) targets.push_back("sm_" + std::to_string(card.capability));
    return targets;
  });
  module.def("target_facts", &target_facts, py::arg("target"));
}

}  // namespace lockstep::python
