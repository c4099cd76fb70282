// FurtherInputs: new numbers for a launch's float arguments, drawn from their present elements, so that a search can
// distinguish two changes of a kernel that both fit the present ones. Numbers drawn from an argument's own elements
// keep the properties that the kernel may rely on (sign, range, zeros). Invariant: integers and pointers stay;
// put_back() leaves memory as it was when this was made. Not here: the right results for these inputs, which are
// unknown.
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
  /// There are float arguments, and few enough to copy.
  bool is_possible() const { return kept_ != nullptr; }

  /// Memory as before the launch, with other inputs; `number` selects them.
  void set(std::uint64_t number);
  void put_back() const;

  /// Elements of the results' views, one after the other.
  using Results = std::vector<std::vector<double>>;
  Results results() const;
  /// Differ by no more than rounding.
  static bool are_alike(const Results& a, const Results& b);

 private:
  const LaunchContext& context_;
  const std::vector<Expectation>& expectations_;
  std::vector<memory_model::ViewId> inputs_;
  std::unique_ptr<StorageBytes> kept_;
};

}  // namespace lockstep::sanitizer
