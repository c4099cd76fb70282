// FurtherInputs: other numbers in a launch's float arguments, drawn anew from those that are there, so that two changes
// of a kernel can be told from each other beyond the numbers that both fit. What is drawn from an argument's own
// elements keeps what the kernel may rely on (sign, range, zeros). Invariant: integers and pointers stay; put_back()
// leaves memory as it was when this was made. Not here: what is right for these inputs; nobody knows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sanitizer/core/checker.h"
#include "sanitizer/core/storage_bytes.h"
#include "sanitizer/triage/expectation.h"

namespace lockstep::sanitizer {

class FurtherInputs {
 public:
  /// `expectations`: their views are the results. Both must outlive this.
  FurtherInputs(const LaunchContext& context, const std::vector<Expectation>& expectations);
  /// There are float arguments, and not too many to be copied.
  bool is_possible() const { return kept_ != nullptr; }

  /// Memory as before the launch but with other inputs; `number` chooses which.
  void set(std::uint64_t number);
  void put_back() const;

  /// Elements of the results' views, one after the other.
  using Results = std::vector<std::vector<double>>;
  Results results() const;
  /// Apart by no more than rounding brings about.
  static bool are_alike(const Results& a, const Results& b);

 private:
  const LaunchContext& context_;
  const std::vector<Expectation>& expectations_;
  std::vector<memory_model::ViewId> inputs_;
  std::unique_ptr<StorageBytes> kept_;
};

}  // namespace lockstep::sanitizer
