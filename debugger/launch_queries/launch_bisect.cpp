// Which op made an element wrong: found by running the launch again with its f64 shadow, by changes of the kernel, and
// by a GPU's own values if there is one.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "debugger/expression/value.h"
#include "debugger/launch_queries/expected_tensor.h"
#include "debugger/launch_queries/remade_launch.h"
#include "driver/files/save.h"
#include "interpreter/launch/recording.h"
#include "ir/walk.h"
#include "sanitizer/triage/mismatch.h"

namespace lockstep::debugger {

/// The element under examination.
struct RemadeLaunch::Suspect {
  std::size_t tensor = 0;
  std::int64_t element = 0;  // C order
  const Reference* reference = nullptr;
};

namespace {

std::string rounded_text(double value) {
  if (std::isnan(value)) return "nan";
  char text[48];
  std::snprintf(text, sizeof text, "%.9g", value);
  return text;
}

double number_at(ScalarKind kind, const char* bytes, std::int64_t element) {
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + static_cast<std::size_t>(element) * size, size);
  const enclosure::Interval value = enclosure::read_element(kind, bits);
  return value.is_nan() ? std::nan("") : value.low;
}

/// Of a row-major element number.
std::uint64_t address_of(const memory_model::View& view, std::int64_t element) {
  std::int64_t offset = 0;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    offset += element % view.shape[d] * view.strides[d];
    element /= view.shape[d];
  }
  return view.base + static_cast<std::uint64_t>(offset * size_bytes(view.element));
}

std::string element_place(const memory_model::View& view, std::int64_t element) {
  return view.shape.empty() ? view.name : view.name + index_text(index_of(element, view.shape));
}

/// Row-major number of the element `offset` bytes after the first one.
std::optional<std::int64_t> element_at(const memory_model::View& view, std::int64_t offset) {
  const std::int64_t size = size_bytes(view.element);
  if (size == 0 || offset % size != 0) return std::nullopt;
  const auto index = memory_model::find_index(view.shape, view.strides, offset / size);
  if (!index) return std::nullopt;
  std::int64_t element = 0;
  for (std::size_t d = 0; d < index->size(); ++d) element = element * view.shape[d] + (*index)[d];
  return element;
}

/// The element with the largest distance; nullopt: none differs.
std::optional<std::int64_t> farthest_element(const memory_model::View& view, const std::string& reference) {
  const auto now = driver::gather(view, false, 0);
  if (!now) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(view.element_count());
  enclosure::Tolerance exact;
  exact.ulp = 0;
  const auto compared = enclosure::compare(view.element, now->data.data(), reference.data(), count, exact);
  if (!compared.worst) return std::nullopt;
  return compared.worst->element;
}

/// The op of the module at which a finding is; null: none.
const ir::Op* op_of(const ir::Module& module, const Finding& finding) {
  const ir::Op* found = nullptr;
  ir::walk(module.op(), [&](const ir::Op& op) {
    const bool is_it = op.spelling() == finding.op && op.location().file_text() == finding.location.file_text();
    if (found == nullptr && is_it) found = &op;
  });
  return found;
}

void stand_at(Culprit& culprit, const sanitizer::OpExecution& at, const Finding& finding) {
  culprit.op = at.op;
  culprit.program = at.program;
  culprit.execution = at.number;
  culprit.lane = finding.lane;
}

void tell_birth(const sanitizer::Origin& origin, Culprit& culprit) {
  const std::string what = origin.cancelled_bits > 0 ? std::to_string(origin.cancelled_bits) + " bits cancel in "
                                                     : std::string("digits are lost in ");
  culprit.lines.push_back(what + origin.birth->message);
  if (origin.share) {
    culprit.lines.push_back("the rounding of this op alone makes " + std::to_string(std::lround(100 * *origin.share)) +
                            " % of the distance to f64");
  }
  stand_at(culprit, origin.birth_at, *origin.birth);
}

}  // namespace

/// One search: its knowledge grows during the launch.
class RemadeLaunch::Search {
 public:
  Search(RemadeLaunch& questions, const BisectRequest& request, const References& references,
         const interpreter::LaunchRequest& launch, Culprit& culprit)
      : questions_(questions),
        request_(request),
        references_(references),
        launch_(launch),
        context_(questions.context_of(launch, options_)),
        culprit_(culprit) {}
  Done run();

 private:
  Done choose();
  Done choose_by_reference();
  Done judge();
  std::optional<enclosure::TensorEnclosure> legal() const;
  const char* recorded_bytes() const;
  bool is_proven_wrong() const;
  std::string values_text(double got, const sanitizer::Origin& origin) const;
  Done blame(double got, const sanitizer::Origin& origin);
  Expected<bool, Problem> find_repair(const sanitizer::Origin& origin);
  const std::vector<driver::Tensor>& tensors() const { return questions_.launch().tensors; }
  const memory_model::View& view() const { return questions_.view_of(suspect_.tensor); }

  RemadeLaunch& questions_;
  const BisectRequest& request_;
  const References& references_;
  const interpreter::LaunchRequest& launch_;
  const sanitizer::CheckOptions options_;
  const sanitizer::LaunchContext context_;
  Culprit& culprit_;
  std::unique_ptr<sanitizer::StorageBytes> before_;
  std::shared_ptr<const Verdicts> verdicts_;
  Suspect suspect_;
};

// ---- which element ----

RemadeLaunch::Done RemadeLaunch::Search::choose() {
  if (request_.view) {
    const auto named = std::find_if(tensors().begin(), tensors().end(),
                                    [&](const driver::Tensor& one) { return one.view.index == *request_.view; });
    if (named == tensors().end()) return Unexpected{Problem{"this memory belongs to no tensor argument", "bisect out[17,3]"}};
    suspect_.tensor = static_cast<std::size_t>(named - tensors().begin());
    for (const Reference& one : references_.tensors) {
      if (one.tensor == suspect_.tensor) suspect_.reference = &one;
    }
  }
  if (!request_.offset) return choose_by_reference();
  const auto element = element_at(view(), *request_.offset);
  if (!element) return Unexpected{Problem{"this is not an element of '" + tensors()[suspect_.tensor].name + "'", ""}};
  suspect_.element = *element;
  return {};
}

/// Chooses an element that no legal execution gives; else the farthest one of the first tensor that differs.
RemadeLaunch::Done RemadeLaunch::Search::choose_by_reference() {
  if (references_.tensors.empty() || (request_.view && suspect_.reference == nullptr))
    return Unexpected{Problem{"without a reference, bisect cannot choose an element", "name one: bisect out[17,3]"}};
  std::optional<Suspect> differing;
  std::string compared;
  bool is_within = false;  // the tolerance, and not the same
  for (const Reference& one : references_.tensors) {
    if (request_.view && one.tensor != suspect_.tensor) continue;
    compared += (compared.empty() ? "" : ", ") + tensors()[one.tensor].name;
    suspect_ = {one.tensor, 0, &one};
    if (const Done done = judge(); !done) return done;
    const auto wrong = verdicts_ != nullptr ? verdicts_->worst_outside(one.tensor) : std::nullopt;
    if (wrong) {
      suspect_.element = *wrong;
      return {};
    }
    const memory_model::View& made = launch_.memory->view(tensors()[one.tensor].view);
    const auto element = farthest_element(made, one.bytes);
    const bool is_met =
        one.tolerance && outside_of(made, tensors()[one.tensor].is_unsigned, one.bytes.data(), *one.tolerance).elements == 0;
    is_within = is_within || (element && is_met);
    if (element && !is_met && !differing) differing = Suspect{one.tensor, *element, &one};
  }
  if (!differing)
    return Unexpected{
        Problem{(is_within ? "every element is within the tolerance of the reference: " : "every element matches the reference: ") +
                    compared,
                "bisect out[17,3] examines one"}};
  suspect_ = *differing;
  return judge();
}

/// Computes the legal bounds, if the recording of the suspect can be judged.
RemadeLaunch::Done RemadeLaunch::Search::judge() {
  verdicts_ = nullptr;
  if (suspect_.reference == nullptr || !suspect_.reference->is_recorded) return {};
  auto known = questions_.verdicts(references_, true);
  if (!known) return Unexpected{known.error()};
  verdicts_ = std::move(*known);
  return {};
}

// ---- results ----

/// The legal bounds of the element; nullopt: the recording does not have it.
std::optional<enclosure::TensorEnclosure> RemadeLaunch::Search::legal() const {
  if (verdicts_ == nullptr) return std::nullopt;
  const enclosure::TensorEnclosure& tensor = verdicts_->legal(suspect_.tensor);
  enclosure::TensorEnclosure alone;
  alone.kind = tensor.kind;
  alone.elements = {tensor.elements[static_cast<std::size_t>(suspect_.element)]};
  return alone;
}

const char* RemadeLaunch::Search::recorded_bytes() const {
  const auto size = static_cast<std::size_t>(size_bytes(view().element));
  return suspect_.reference->bytes.data() + static_cast<std::size_t>(suspect_.element) * size;
}

/// The recorded value is not a legal result.
bool RemadeLaunch::Search::is_proven_wrong() const {
  const auto bounds = legal();
  return bounds && !enclosure::check(*bounds, recorded_bytes()).is_inside();
}

/// "out[3] is 2049, in f64 2049.2; what a GPU left is 2050, legal is 2048.9 to 2049.4".
std::string RemadeLaunch::Search::values_text(double got, const sanitizer::Origin& origin) const {
  std::string text = element_place(view(), suspect_.element) + " is " + rounded_text(got);
  if (origin.exact) text += ", in f64 " + rounded_text(*origin.exact) + (origin.is_partial ? " (in part)" : "");
  if (suspect_.reference == nullptr) return text;
  text += "; " + suspect_.reference->title + " is " + rounded_text(number_at(view().element, recorded_bytes(), 0));
  const auto known = legal();
  if (!known) return text;
  const enclosure::Interval& bounds = known->elements.front();
  if (bounds.is_unbounded()) return text + ", anything is legal";
  if (bounds.is_nan()) return text + ", only NaN is legal";
  return text + ", legal is " + rounded_text(bounds.low) + " to " + rounded_text(bounds.high) +
         (is_proven_wrong() ? ": outside" : "");
}

/// Runs the launch again, and searches a single change of the kernel that gives the expected result.
Expected<bool, Problem> RemadeLaunch::Search::find_repair(const sanitizer::Origin& origin) {
  // Launches of changed kernels do not count: they are not recorded.
  if (!interpreter::recording_folder().empty()) return false;
  std::vector<sanitizer::Expectation> expectations;
  for (const Reference& one : references_.tensors) {
    if (!one.tolerance) continue;
    const driver::Tensor& tensor = tensors()[one.tensor];
    expectations.push_back({tensor.view, [this, &one, &tensor] {
                              return outside_of(launch_.memory->view(tensor.view), tensor.is_unsigned, one.bytes.data(),
                                                *one.tolerance);
                            }});
  }
  before_->put_back();
  DiagnosticSink sink;
  const auto report = interpreter::launch(launch_, sink);
  if (!report) return Unexpected{problem_of(sink)};
  if (report->outcome != interpreter::Outcome::completed) return Unexpected{unfinished_problem(launch_)};
  const std::string& name = tensors()[suspect_.tensor].name;
  for (const Finding& finding : sanitizer::locate_mismatch(context_, *before_, expectations)) {
    if (finding.argument != name || (finding.code != FindingCode::LS608 && finding.code != FindingCode::LS802)) continue;
    const std::size_t end = finding.message.find("; ");
    culprit_.lines.push_back(end == std::string::npos ? finding.message : finding.message.substr(end + 2));
    for (const FindingNote& note : finding.notes) {
      const bool is_change = note.message.starts_with("or ") || note.message.starts_with("fits these numbers");
      for (std::size_t at = 0; is_change && at < note.message.size();) {
        const std::size_t line_end = std::min(note.message.find('\n', at), note.message.size());
        culprit_.lines.push_back(note.message.substr(at, line_end - at));
        at = line_end + 1;
      }
    }
    const ir::Op* op = finding.hint.empty() ? nullptr : op_of(*launch_.module, finding);
    if (op == nullptr) return false;
    stand_at(culprit_, {op, origin.store_at.program, 1}, {});
    return true;
  }
  return false;
}

RemadeLaunch::Done RemadeLaunch::Search::run() {
  before_ = sanitizer::keep_for_mismatch(context_);
  if (before_ == nullptr) return Unexpected{Problem{"the kernel writes no argument, or more than can be kept", ""}};
  DiagnosticSink sink;
  const auto report = interpreter::launch(launch_, sink);
  if (!report) return Unexpected{problem_of(sink)};
  if (report->outcome != interpreter::Outcome::completed) return Unexpected{unfinished_problem(launch_)};
  if (const Done done = choose(); !done) return done;
  if (const Done done = judge(); !done) return done;
  const memory_model::View& made = launch_.memory->view(tensors()[suspect_.tensor].view);
  const std::uint64_t address = address_of(made, suspect_.element);
  const double got = number_at(made.element, reinterpret_cast<const char*>(address), 0);  // NOLINT
  const auto origin = sanitizer::ErrorOrigin(context_, *before_, address).trace(got);
  if (!origin) return Unexpected{Problem{"the f64 shadow of the launch does not run to its end", ""}};
  culprit_.lines.push_back(values_text(got, *origin));
  if (is_proven_wrong()) {
    before_->put_back();
    const auto asked =
        questions_.ask_gpu(suspect_.tensor, suspect_.element, legal()->elements.front(), launch_, culprit_);
    if (!asked) return Unexpected{asked.error()};
    if (*asked) return {};
  }
  return blame(got, *origin);
}

RemadeLaunch::Done RemadeLaunch::Search::blame(double got, const sanitizer::Origin& origin) {
  const bool is_recorded = suspect_.reference != nullptr && suspect_.reference->is_recorded;
  const bool is_wrong = is_proven_wrong();
  culprit_.lines.emplace_back(!is_recorded ? "by the f64 shadow of this launch"
                              : is_wrong   ? "by the f64 shadow of this launch (probes need a GPU)"
                                           : "by the f64 shadow of this launch (what was recorded is legal)");
  const std::string name = element_place(view(), suspect_.element);
  if (!origin.store) {
    culprit_.lines.push_back("no program stores " + name);
    return {};
  }
  if (suspect_.reference != nullptr && suspect_.reference->tolerance) {
    const double expected = number_at(view().element, recorded_bytes(), 0);
    const bool is_met = got == expected || (std::isnan(got) && std::isnan(expected));
    if (!is_met && !(origin.exact && sanitizer::explains(*origin.exact, got, expected))) {
      culprit_.lines.emplace_back("its rounding does not explain the distance: Lockstep tried changes of the kernel");
      const auto repaired = find_repair(origin);
      if (!repaired) return Unexpected{repaired.error()};
      if (!*repaired) stand_at(culprit_, origin.store_at, *origin.store);
      return {};
    }
  }
  if (origin.birth && !is_wrong) {
    tell_birth(origin, culprit_);
    return {};
  }
  if (!origin.exact) {
    culprit_.lines.emplace_back("the stored value has no shadow: integers, or a sum of more than 64 programs");
  } else if (!origin.birth) {
    culprit_.lines.push_back(std::isfinite(got) ? "no op loses its digits"
                                                : "no number: `origin " + name + "` finds where it comes from");
  }
  if (is_wrong)
    culprit_.lines.emplace_back(
        "no rounding explains the recorded value; bisect the launch on a GPU to find the op");
  stand_at(culprit_, origin.store_at, *origin.store);
  return {};
}

Expected<Culprit, Problem> RemadeLaunch::bisect(const BisectRequest& request) {
  const auto known = references();
  if (!known) return Unexpected{known.error()};
  Culprit culprit;
  const Done done = once_more(
      [&](const interpreter::LaunchRequest& launch) { return Search(*this, request, *known, launch, culprit).run(); });
  if (!done) return Unexpected{done.error()};
  return culprit;
}

}  // namespace lockstep::debugger
