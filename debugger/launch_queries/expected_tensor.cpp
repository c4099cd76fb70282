#include "debugger/launch_queries/expected_tensor.h"

#include "driver/files/save.h"

namespace lockstep::debugger {

sanitizer::Outside outside_of(const memory_model::View& view, bool is_unsigned, const void* expected,
                             const enclosure::Tolerance& tolerance) {
  const auto output = driver::gather(view, is_unsigned, 0);
  if (!output) return {};
  const auto count = output->data.size() / static_cast<std::size_t>(size_bytes(output->element));
  const enclosure::Comparison result =
      enclosure::compare(output->element, output->data.data(), expected, count, tolerance, is_unsigned);
  sanitizer::Outside outside{result.outside, result.compared, 0, 0, 0, result.max_absolute};
  if (result.worst) {
    outside.worst = result.worst->element;
    outside.got = result.worst->actual;
    outside.expected = result.worst->expected;
  }
  return outside;
}

}  // namespace lockstep::debugger
