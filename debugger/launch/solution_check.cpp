#include "debugger/launch/solution_check.h"

#include <algorithm>

#include "driver/files/save.h"
#include "enclosure/tolerance.h"
#include "support/source_file.h"

namespace lockstep::debugger {

namespace {

using dap::Launched;
using Compared = Launched::Compared;

constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;  // of a tensor; broadcast views can be any size

/// A text that replaces its file.
class Overlay {
 public:
  explicit Overlay(SourceFilePtr file) : file_(std::move(file)) {}
  ~Overlay() { lift_off_source(file_); }
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

 private:
  SourceFilePtr file_;
};

enclosure::Tolerance output_tolerance(const Launched::Output* output, ScalarKind kind) {
  if (output == nullptr || !output->tolerance) return enclosure::Tolerance::default_for(kind);
  enclosure::Tolerance tolerance;
  if (*output->tolerance == 0) {
    tolerance.ulp = 0;
  } else {
    tolerance.rtol = tolerance.atol = *output->tolerance;
  }
  return tolerance;
}

Expected<Compared, Status> compare_one(const driver::Tensor& tensor, const Launched::Output* output,
                                       const memory_model::View& mine, const memory_model::View& theirs) {
  const auto actual = driver::gather(mine, tensor.is_unsigned, kMostBytes),
             expected = driver::gather(theirs, tensor.is_unsigned, kMostBytes);
  if (!actual) return Unexpected{actual.error()};
  if (!expected) return Unexpected{expected.error()};
  const auto tolerance = output_tolerance(output, mine.element);
  const std::uint64_t count = actual->data.size() / static_cast<std::size_t>(size_bytes(mine.element));
  const auto result =
      enclosure::compare(mine.element, actual->data.data(), expected->data.data(), count, tolerance, tensor.is_unsigned);
  return Compared{tensor.name, result.is_equal,
                  enclosure::report_text(tensor.name, result, mine.element, tensor.is_unsigned, mine.shape, tolerance)};
}

}  // namespace

Expected<std::vector<Compared>, std::string> compare_with_solution(
    const driver::PreparedLaunch& session, const dap::LaunchWish::SourceText& solution,
    const std::vector<Launched::Output>& outputs) {
  const auto file = lay_over_source(solution.path, 1, solution.text);
  if (!file) return Unexpected{file.error().message};
  const Overlay overlay(*file);
  driver::LaunchSpec options = session.options();
  options.target = solution.path + "::" + session.kernel_name();
  options.save.clear();
  options.expect.clear();
  DiagnosticSink sink;
  driver::PreparedLaunch other(options, sink);
  if (!prepare(other)) return Unexpected{"the solution: " + render_text(sink)};
  interpreter::LaunchRequest request = other.request();
  request.print = [](const std::string&) {};
  const auto report = interpreter::launch(request, sink);
  if (!report || report->outcome != interpreter::Outcome::completed)
    return Unexpected{"the solution does not run to its end: " + render_text(sink)};
  std::vector<Compared> compared;
  for (const driver::Tensor& tensor : session.tensors()) {
    const auto output = std::find_if(outputs.begin(), outputs.end(),
                                     [&](const Launched::Output& one) { return one.name == tensor.name; });
    const driver::Tensor* reference = other.find_tensor(tensor.name);
    if ((!outputs.empty() && output == outputs.end()) || reference == nullptr) continue;
    auto one = compare_one(tensor, output == outputs.end() ? nullptr : &*output, session.memory().view(tensor.view),
                           other.memory().view(reference->view));
    if (!one) return Unexpected{one.error().message};
    compared.push_back(std::move(*one));
  }
  return compared;
}

}  // namespace lockstep::debugger
