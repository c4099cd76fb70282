#include "enclosure/enclosure.h"

#include <algorithm>
#include <cstring>

#include "enclosure/shadow/shadow_plan.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/prepared.h"
#include "ir/text/python_name.h"
#include "memory_model/elements.h"
#include "support/check.h"

namespace lockstep::enclosure {

using interpreter::Argument;

std::string op_text(const ir::Op& op) {
  const std::string place = op.location().file_text();
  return ir::python_name(op) + (place.empty() ? "" : " at " + place);
}

std::string UnboundedCause::text() const { return op_text(*op); }

namespace {

std::string misfit_text(const Misfit& one) {
  const std::string place = one.op->location().file_text();
  return std::string(one.op->spelling()) + (place.empty() ? "" : " at " + place) + ", program " +
         std::to_string(one.program) + ", element " + std::to_string(one.element) + ": " + std::to_string(one.value) +
         " is outside [" + std::to_string(one.bounds.low) + ", " + std::to_string(one.bounds.high) + "]";
}

std::vector<const ir::Op*> ops_of(const ShadowRun& run, ModelSet models) {
  constexpr std::size_t kLast = 63;
  std::vector<const ir::Op*> found;
  for (std::size_t i = 0; i < run.models.size(); ++i) {
    if ((models >> std::min(i, kLast) & 1) != 0) found.push_back(run.models[i]);
  }
  return found;
}

TensorEnclosure collect(const memory_model::View& view, ShadowRun& run, bool is_written) {
  TensorEnclosure tensor;
  tensor.view = view.id;
  tensor.name = view.name;
  tensor.kind = view.element;
  tensor.shape = view.shape;
  tensor.is_written = is_written;
  tensor.elements.resize(static_cast<std::size_t>(view.element_count()));
  ModelSet models = is_written ? run.everywhere : 0;
  if (run.is_real) tensor.writers.resize(tensor.elements.size());
  for_each_element(view, [&](std::int64_t i, std::uint64_t address) {
    Interval& element = tensor.elements[static_cast<std::size_t>(i)];
    if (run.is_real) {
      const CauseId writer = run.memory.writer_of(address);
      if (writer != 0) tensor.writers[static_cast<std::size_t>(i)] = run.causes[writer - 1];
    }
    if (run.memory.has_models()) models |= run.memory.models_at(address);
    if (is_written && run.lost != 0) {
      element = unbounded_interval(run.lost);
    } else if (!run.memory.read(address, view.element, element)) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(size_bytes(view.element)));
      element = read_element(view.element, bits);
    }
  });
  tensor.models = ops_of(run, models);
  return tensor;
}

bool may_write(const interpreter::MemoryEffects& effects, std::size_t argument) {
  for (const interpreter::PointerSet* set : {&effects.written, &effects.atomic}) {
    if (set->is_unknown || set->arguments.contains(argument)) return true;
  }
  return false;
}

}  // namespace

std::optional<Enclosure> enclose(const interpreter::LaunchRequest& request, DiagnosticSink& sink,
                                 const EnclosureOptions& options) {
  LOCKSTEP_CHECK(request.module != nullptr && request.function != nullptr, "a launch needs a kernel");
  ShadowRun run(options.real);
  run.checks_itself = options.checks_itself;
  run.spreads_sums = options.spreads_sums;
  run.entry = &request.function->region().front();
  run.observer = options.observer;
  run.may_store_twice = options.real == nullptr && may_store_twice(*request.module);
  ShadowPlan plan(run);
  const auto kernel = interpreter::PreparedKernel::make_instrumented(
      *request.module, *request.function, request.profile, sink,
      [&](interpreter::PlanBuilder& builder) { plan.instrument(builder); }, options.observer == nullptr);
  if (kernel == nullptr) return std::nullopt;
  interpreter::RunRequest launch = request;
  launch.instrumentation_state = &run;
  launch.async_order = interpreter::AsyncOrder::early;  // what an op writes is looked at after it
  launch.threads = 1;
  auto report = kernel->launch(launch, sink);
  if (!report) return std::nullopt;
  Enclosure made;
  made.report = std::move(*report);
  const interpreter::MemoryEffects effects = interpreter::effects_of(*request.module, *request.function);
  for (std::size_t i = 0; i < request.arguments.size(); ++i) {
    if (request.arguments[i].kind == Argument::Kind::scalar) continue;
    made.tensors.push_back(collect(request.memory->view(request.arguments[i].view), run, may_write(effects, i)));
  }
  for (TensorEnclosure& tensor : made.tensors) tensor.has_findings = !made.report.findings.findings().empty();
  for (std::size_t i = 0; i < run.causes.size(); ++i) {
    if (run.times[i] != 0) made.causes.push_back({run.causes[i], run.times[i], run.lost == i + 1});
  }
  made.misfits = run.misfit_count;
  for (const Misfit& one : run.misfits) made.misfit_texts.push_back(misfit_text(one));
  return made;
}

// ---- reading it ----

namespace {

double ulp_between(ScalarKind kind, double a, double b) {
  if (a == b) return 0;
  if (!(a - b - (a - b) == 0)) return kInfinite;
  if (!is_float(kind)) return std::fabs(a - b);
  return std::fabs(a - b) / ulp_at(format_of(kind), std::max(std::fabs(a), std::fabs(b)));
}

bool fits(const Interval& bounds, const Interval& actual) {
  if (bounds.is_unbounded()) return true;
  if (actual.is_nan() || bounds.is_nan()) return actual.is_nan() && bounds.is_nan();
  return bounds.low <= actual.low && actual.high <= bounds.high;
}

Outside describe(ScalarKind kind, std::int64_t element, const Interval& bounds, const Interval& actual) {
  Outside found;
  found.element = element;
  found.actual = actual.is_nan() ? std::numeric_limits<double>::quiet_NaN() : actual.low;
  found.bounds = bounds;
  const bool has_nan = actual.is_nan() || bounds.is_nan();
  found.ulp = has_nan ? kInfinite : ulp_between(kind, actual.low, actual.low < bounds.low ? bounds.low : bounds.high);
  return found;
}

}  // namespace

Verdict check(const TensorEnclosure& enclosure, const void* actual) {
  Verdict verdict;
  verdict.elements = enclosure.elements.size();
  const BoundsRef values = read_elements(enclosure.kind, actual, static_cast<std::int64_t>(enclosure.elements.size()));
  for (std::int64_t i = 0; i < values->count(); ++i) {
    const Interval& bounds = enclosure.elements[static_cast<std::size_t>(i)];
    verdict.unbounded += bounds.is_unbounded() ? 1u : 0u;
    if (fits(bounds, values->at(i))) continue;
    ++verdict.outside;
    const Outside found = describe(enclosure.kind, i, bounds, values->at(i));
    if (!verdict.first) verdict.first = found;
    if (!verdict.worst || found.ulp > verdict.worst->ulp) verdict.worst = found;
  }
  return verdict;
}

double width_in_ulp(ScalarKind kind, const Interval& value) {
  return value.is_nan() ? 0 : ulp_between(kind, value.low, value.high);
}

WidthStatistics widths(const TensorEnclosure& enclosure) {
  WidthStatistics statistics;
  statistics.elements = enclosure.elements.size();
  std::vector<double> all;
  for (const Interval& one : enclosure.elements) {
    if (one.is_unbounded()) {
      ++statistics.unbounded;
      continue;
    }
    all.push_back(width_in_ulp(enclosure.kind, one));
    statistics.points += all.back() == 0 ? 1u : 0u;
  }
  if (all.empty()) return statistics;
  std::sort(all.begin(), all.end());
  statistics.median = all[all.size() / 2];
  statistics.p99 = all[std::min(all.size() - 1, all.size() * 99 / 100)];
  statistics.most = all.back();
  return statistics;
}

}  // namespace lockstep::enclosure
