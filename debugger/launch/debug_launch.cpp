#include "debugger/launch/debug_launch.h"

#include <fmt/format.h>

#include "debugger/launch/mismatch.h"
#include "driver/files/save.h"
#include "driver/launch/outputs.h"
#include "driver/words/quantities.h"
#include "interpreter/batching/effects.h"
#include "sanitizer/core/checked_kernel.h"
#include "sanitizer/race/exploration.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::debugger {
namespace {


/// A tuple in Python's notation; the language of conditions has none.
std::string text_of(const ConstantValue& constant) {
  using Kind = ConstantValue::Kind;
  switch (constant.kind) {
    case Kind::none: return "None";
    case Kind::boolean: return constant.integer != 0 ? "True" : "False";
    case Kind::integer: return std::to_string(constant.integer);
    case Kind::floating: return fmt::format("{}", constant.floating);
    case Kind::string: return "'" + constant.text + "'";
    case Kind::dtype: return constant.text;
    case Kind::tuple: break;
  }
  std::string text;
  for (const ConstantValue& element : constant.elements) text += (text.empty() ? "" : ", ") + text_of(element);
  return "(" + text + (constant.elements.size() == 1 ? ",)" : ")");
}

Value value_of(const ConstantValue& constant) {
  using Kind = ConstantValue::Kind;
  switch (constant.kind) {
    case Kind::none: return Nothing{};
    case Kind::boolean: return Tensor::of(constant.integer != 0);
    case Kind::integer: return Tensor::of(constant.integer);
    case Kind::floating: return Tensor::of(constant.floating);
    case Kind::string:
    case Kind::dtype: return constant.text;
    case Kind::tuple: return text_of(constant);
  }
  return Nothing{};
}

/// The debugged launch shows its own outcome: checkers look at no other.
driver::LaunchSpec own_outcome(driver::LaunchSpec spec) {
  spec.checks = sanitizer::with_own_outcome(spec.checks);
  return spec;
}

Value value_of(const driver::Array& array) {
  return decode_tensor(array.element, array.shape,
                                 {reinterpret_cast<const char*>(array.data.data()), array.data.size()});
}

}  // namespace

bool DebugLaunch::prepare(const std::string& history) {
  if (!history.empty()) {
    const auto bytes = driver::parse_bytes(history);
    if (!bytes) {
      report_status(sink_, {"LS2209", "--history " + history + " is not a size", "for example 512MiB or 4GiB"});
      return false;
    }
    engine_.history_bytes = *bytes;
  }
  if (!driver::prepare(session_)) return false;
  const auto checks = this->checks(session_.options().check, sink_);
  if (checks) follow_schedule(*checks);
  return checks.has_value();
}

std::optional<sanitizer::CheckOptions> DebugLaunch::checks(const std::string& checkers, DiagnosticSink& sink) const {
  auto check = driver::checks_of(own_outcome(session_.options()), checkers, sink);
  if (check) check->schedules = 1;
  return check;
}

/// As `lockstep run` does with the same options.
void DebugLaunch::follow_schedule(const sanitizer::CheckOptions& checks) {
  const interpreter::LaunchRequest request = session_.request();
  const auto effects = interpreter::effects_of(*request.module, *request.function);
  session_.follow(
      sanitizer::chosen_schedule({*request.module, *request.function, request, request.profile, checks, effects}));
}

Session::Setup DebugLaunch::setup() {
  const interpreter::LaunchRequest request = session_.request();
  Session::Setup setup;
  setup.module = request.module;
  setup.function = request.function;
  setup.profile = request.profile;
  setup.request = request;
  setup.engine = engine_;
  setup.kernel_name = session_.kernel_name();
  for (const driver::BoundParameter& bound : session_.bound()) {
    if (bound.constant) setup.constants.emplace_back(bound.name, value_of(*bound.constant));
  }
  if (const driver::Capsule* capsule = session_.capsule()) {
    for (const auto& [name, constant] : capsule->manifest().constants)
      setup.constants.emplace_back(name, value_of(constant));
  }
  setup.reference = [this](std::string_view name) { return reference(name); };
  setup.checked_run = [this](const std::atomic<bool>& stop) { return checked_run(stop); };
  questions_ = std::make_unique<MadeAgain>(session_);
  setup.whole = questions_.get();
  return setup;
}

/// --expect's first, then the capsule's recording.
Scope::Found DebugLaunch::reference(std::string_view name) const {
  for (const driver::Expectation& expectation : session_.expectations()) {
    if (expectation.request.name == name) return value_of(expectation.reference);
  }
  const driver::Capsule* capsule = session_.capsule();
  if (capsule == nullptr || !capsule->manifest().has_outputs)
    return Unexpected{"there is no reference for '" + std::string(name) +
                      "': debug a capsule with outputs, or give --expect " + std::string(name) + "=@FILE"};
  const auto outputs = driver::recorded_outputs(*capsule, session_.tensors(), session_.memory());
  if (!outputs) return Unexpected{outputs.error().message};
  for (std::size_t i = 0; i < session_.tensors().size(); ++i) {
    const driver::Tensor& tensor = session_.tensors()[i];
    if (tensor.name != name) continue;
    const memory_model::View& view = session_.memory().view(tensor.view);
    return Value(decode_tensor(view.element, view.shape, (*outputs)[i]));
  }
  return Unexpected{"nothing was recorded of '" + std::string(name) + "'"};
}

std::optional<Report> DebugLaunch::checked_run(const std::atomic<bool>& stop) {
  checked_sink_ = std::make_unique<DiagnosticSink>();
  driver::LaunchSpec options = session_.options();
  options.save.clear();
  questions_->set_compared_outputs({});
  checked_ = std::make_unique<driver::PreparedLaunch>(options, *checked_sink_);
  if (!driver::prepare(*checked_) || stop) return std::nullopt;
  auto check = checks(options.check, *checked_sink_);
  if (!check) return std::nullopt;
  check->when_cheap = 0;  // who asks for this run asks for all of it
  check->schedules = options.checks.schedules;
  interpreter::LaunchRequest request = checked_->request();
  request.print = [](const std::string&) {};
  request.stop = &stop;
  MismatchSearch mismatch(checked_->options(), *check, *checked_);
  auto report = sanitizer::launch_checked(request, *check, *checked_sink_);
  if (!report || stop) return std::nullopt;
  if (report->outcome == interpreter::Outcome::completed) questions_->set_compared_outputs(compare_outputs());
  mismatch.locate(*report, stop);
  if (stop) return std::nullopt;
  return report->findings;
}

/// Compares the outputs of the launch under checkers with --expect.
std::vector<ComparedOutput> DebugLaunch::compare_outputs() const {
  std::vector<ComparedOutput> compared;
  for (const auto& [request, reference] : checked_->expectations()) {
    const driver::Tensor& tensor = *checked_->find_tensor(request.name);
    const auto output = driver::gather(checked_->memory().view(tensor.view), tensor.is_unsigned, 0);
    if (!output) continue;  // there is no room for a copy
    const auto tolerance = driver::tolerance_of(checked_->options(), output->element);
    const driver::ExpectResult result = driver::check_expectation(request, *output, reference, tolerance);
    compared.push_back({request.name, result.is_equal, result.text});
  }
  return compared;
}

}  // namespace lockstep::debugger
