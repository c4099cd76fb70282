#include "cli/commands/bits_agreement.h"

#include <algorithm>

#include "gpu_diff/report.h"
#include "interpreter/launch/launch.h"
#include "support/json.h"

namespace lockstep::cli {

namespace {

constexpr int kMeasured = 90;  // the compute capability whose bits are known

bool prepare_again(driver::PreparedLaunch& session) {
  return session.read_target() && session.read_arguments() && session.read_kernel() && session.make_tensors() &&
         session.bind() && session.evaluate_grid() && session.compile();
}

}  // namespace

std::optional<BitsAgreement> agreement_with_bits(const driver::LaunchSpec& spec, const gpu_diff::Judgement& judged,
                                                 const std::vector<std::optional<std::string>>& actual,
                                                 const std::atomic<bool>* stop) {
  if (judged.enclosure.report.outcome != interpreter::Outcome::completed) return std::nullopt;
  driver::LaunchSpec with_bits = spec;
  with_bits.bits = true;
  DiagnosticSink sink;  // what it says was said of the launch itself
  driver::PreparedLaunch session(with_bits, sink);
  driver::BitsWarnings::keep(session);
  if (!prepare_again(session) || session.profile().capability() != kMeasured) return std::nullopt;
  interpreter::LaunchRequest request = session.request();
  request.stop = stop;
  request.limits.timeout_seconds = spec.timeout_seconds;
  request.print = [](const std::string&) {};  // the launch itself printed it
  const auto ran = interpreter::launch(request, sink);
  if (!ran || ran->outcome != interpreter::Outcome::completed) return std::nullopt;
  const std::vector<std::string> expected = gpu_diff::tensor_bytes(request);
  BitsAgreement made;
  made.arch = "sm_" + std::to_string(kMeasured);
  for (std::size_t i = 0; i < judged.tensors.size(); ++i) {
    const gpu_diff::TensorJudgement& one = judged.tensors[i];
    if (!one.is_written || one.addresses != 0 || one.place >= actual.size() || !actual[one.place]) continue;
    const std::string& theirs = *actual[one.place];
    if (theirs.size() != expected[one.place].size()) return std::nullopt;
    const auto distances =
        gpu_diff::ulp_statistics(judged.enclosure.tensors[one.place].kind, theirs, expected[one.place]);
    made.elements += distances.elements;
    made.differ += distances.elements - distances.equal_bits;
  }
  for (const std::string& op : driver::BitsWarnings::of(session)) {
    if (std::find(made.without_model.begin(), made.without_model.end(), op) == made.without_model.end())
      made.without_model.push_back(op);
  }
  return made;
}

std::string bits_text(const std::optional<BitsAgreement>& agreement) {
  if (!agreement || agreement->elements == 0) return "";
  const std::string count = std::to_string(agreement->elements);
  if (agreement->is_equal())
    return "bits: all " + count + " elements agree with the bits of " + agreement->arch +
           " (--bits), which is more than legal\n";
  std::string why;
  for (const std::string& op : agreement->without_model) why += (why.empty() ? "; no model of " : ", ") + op;
  return "bits: " + std::to_string(agreement->differ) + " of " + count + " elements differ from the bits of " +
         agreement->arch + " (--bits)" + why + "\n";
}

std::string bits_json(const std::optional<BitsAgreement>& agreement) {
  if (!agreement) return "null";
  return "{\"arch\": " + json_quoted(agreement->arch) + ", \"elements\": " + std::to_string(agreement->elements) +
         ", \"differ\": " + std::to_string(agreement->differ) +
         ", \"equal\": " + (agreement->is_equal() ? "true" : "false") + ", \"without_model\": " +
         gpu_diff::json_list(agreement->without_model, [](const std::string& op) { return json_quoted(op); }) + "}";
}

}  // namespace lockstep::cli
