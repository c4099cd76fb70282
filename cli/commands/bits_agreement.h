// Whether a GPU's recorded results have the bits that `--bits` gives (S-79), which says more than an enclosure. Not
// here: results of Lockstep's own CUDA code, which another compiler makes.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/prepared_launch.h"
#include "gpu_diff/judge.h"

namespace lockstep::cli {

struct BitsAgreement {
  std::string arch;                        // "sm_90"
  std::uint64_t elements = 0, differ = 0;  // of the tensors that the kernel writes and that were judged
  std::vector<std::string> without_model;  // ops that add in Lockstep's own order, each once
  bool is_equal() const { return elements != 0 && differ == 0; }
};

/// Runs the launch of `spec` again, with the bits of its GPU. `actual`: by tensor argument, in C order; tensors without
/// results, or of addresses, do not count. `stop`: as the request's. nullopt: no model of that GPU is known, the judged launch
/// was stopped, or this one did not end well.
std::optional<BitsAgreement> agreement_with_bits(const driver::LaunchSpec& spec, const gpu_diff::Judgement& judged,
                                                 const std::vector<std::optional<std::string>>& actual,
                                                 const std::atomic<bool>* stop);

/// A line, or nothing where nothing was compared.
std::string bits_text(const std::optional<BitsAgreement>& agreement);
/// "null", or an object.
std::string bits_json(const std::optional<BitsAgreement>& agreement);

}  // namespace lockstep::cli
