#include <algorithm>
#include <cmath>
#include <cstring>
#include <sstream>

#include "backend_cuda/driver.h"
#include "backend_cuda/probes.h"
#include "checkers/mismatch.h"
#include "cli/interrupt.h"
#include "cli/launch_questions.h"
#include "cli/mismatch.h"
#include "debugger/expression/value.h"
#include "differential/bisect.h"
#include "differential/report.h"
#include "host/save.h"
#include "ir/walk.h"

namespace lockstep::cli {

using debugger::BisectRequest;
using debugger::Culprit;
using debugger::Problem;

/// An element that is looked into.
struct LaunchQuestions::Suspect {
  std::size_t tensor = 0;
  std::int64_t element = 0;  // C order
  const Reference* reference = nullptr;
};

namespace {

std::string number_text(double value) { return std::isnan(value) ? "nan" : differential::number_text(value); }

double number_at(ScalarKind kind, const char* bytes, std::int64_t element) {
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes + static_cast<std::size_t>(element) * size, size);
  const compare::Interval value = compare::read_element(kind, bits);
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

std::string element_name(const memory_model::View& view, std::int64_t element) {
  return view.shape.empty() ? view.name : view.name + debugger::index_text(debugger::index_of(element, view.shape));
}

/// Row-major number of the element that lies `offset` bytes behind the first one.
std::optional<std::int64_t> element_at(const memory_model::View& view, std::int64_t offset) {
  const std::int64_t size = size_bytes(view.element);
  if (size == 0 || offset % size != 0) return std::nullopt;
  const auto index = memory_model::find_index(view.shape, view.strides, offset / size);
  if (!index) return std::nullopt;
  std::int64_t element = 0;
  for (std::size_t d = 0; d < index->size(); ++d) element = element * view.shape[d] + (*index)[d];
  return element;
}

/// The element of the largest distance; nullopt: none differs.
std::optional<std::int64_t> farthest_element(const memory_model::View& view, const std::string& reference) {
  const auto now = host::gather(view, false, 0);
  if (!now) return std::nullopt;
  const auto count = static_cast<std::uint64_t>(view.element_count());
  compare::Tolerance exact;
  exact.ulp = 0;
  const auto compared = compare::compare(view.element, now->data.data(), reference.data(), count, exact);
  if (!compared.worst) return std::nullopt;
  return compared.worst->element;
}

/// The op of the module that a finding is at; null: none.
const ir::Op* op_of(const ir::Module& module, const Finding& finding) {
  const ir::Op* found = nullptr;
  ir::walk(module.op(), [&](const ir::Op& op) {
    const bool is_it = op.spelling() == finding.op && op.location().file_text() == finding.location.file_text();
    if (found == nullptr && is_it) found = &op;
  });
  return found;
}

void stand_at(Culprit& culprit, const checkers::OpExecution& at, const Finding& finding) {
  culprit.op = at.op;
  culprit.program = at.program;
  culprit.execution = at.number;
  culprit.lane = finding.lane;
}

void tell_birth(const checkers::Origin& origin, Culprit& culprit) {
  const std::string what = origin.cancelled_bits > 0 ? std::to_string(origin.cancelled_bits) + " bits cancel in "
                                                     : std::string("digits are lost in ");
  culprit.lines.push_back(what + origin.birth->message);
  if (origin.share) {
    culprit.lines.push_back("rounding of this op alone makes " + std::to_string(std::lround(100 * *origin.share)) +
                            " % of the distance to f64");
  }
  stand_at(culprit, origin.birth_at, *origin.birth);
}

}  // namespace

// ---- which element ----

Expected<LaunchQuestions::Suspect, Problem> LaunchQuestions::suspect_of(const BisectRequest& request,
                                                                        const References& references,
                                                                        const memory_model::AddressSpace& memory) {
  const auto& tensors = session_.tensors();
  Suspect suspect;
  const auto refer = [&] {
    for (const Reference& one : references.tensors) {
      if (one.tensor == suspect.tensor) suspect.reference = &one;
    }
  };
  if (request.view) {
    const auto named = std::find_if(tensors.begin(), tensors.end(),
                                    [&](const host::Tensor& one) { return one.view.index == *request.view; });
    if (named == tensors.end()) return Unexpected{Problem{"this memory is no tensor argument's", "bisect out[17,3]"}};
    suspect.tensor = static_cast<std::size_t>(named - tensors.begin());
    refer();
  }
  if (request.offset) {
    const auto element = element_at(view_of(suspect.tensor), *request.offset);
    if (!element) return Unexpected{Problem{"this is no element of '" + tensors[suspect.tensor].name + "'", ""}};
    suspect.element = *element;
    return suspect;
  }
  if (references.tensors.empty() || (request.view && suspect.reference == nullptr))
    return Unexpected{Problem{"there is no reference to choose an element by", "name one: bisect out[17,3]"}};
  std::optional<Suspect> differing;  // of the first tensor; one that no legal execution leaves comes before it
  std::string compared;
  for (const Reference& one : references.tensors) {
    if (request.view && one.tensor != suspect.tensor) continue;
    compared += (compared.empty() ? "" : ", ") + tensors[one.tensor].name;
    const auto wrong = worst_outside(one);
    if (!wrong) return Unexpected{wrong.error()};
    if (*wrong) return Suspect{one.tensor, **wrong, &one};
    const auto element = farthest_element(memory.view(tensors[one.tensor].view), one.bytes);
    if (element && !differing) differing = Suspect{one.tensor, *element, &one};
  }
  if (differing) return *differing;
  return Unexpected{
      Problem{"every element is as the reference has it: " + compared, "bisect out[17,3] looks at one anyway"}};
}

/// The recorded element that lies farthest outside of what is legal.
Expected<std::optional<std::int64_t>, Problem> LaunchQuestions::worst_outside(const Reference& reference) {
  std::optional<std::int64_t> element;
  if (!reference.is_recorded) return element;
  const auto judgement = judged();
  if (!judgement) return Unexpected{judgement.error()};
  for (const differential::TensorJudgement& one : (*judgement)->tensors) {
    if (one.place == reference.tensor && one.verdict.worst) element = one.verdict.worst->element;
  }
  return element;
}

// ---- what became of it ----

/// What is legal for the element; nullopt: nothing was recorded of it.
std::optional<compare::TensorEnclosure> LaunchQuestions::legal(const Suspect& suspect) const {
  if (!judgement_ || suspect.reference == nullptr || !suspect.reference->is_recorded) return std::nullopt;
  const compare::TensorEnclosure& tensor = judgement_->enclosure.tensors[suspect.tensor];
  compare::TensorEnclosure alone;
  alone.kind = tensor.kind;
  alone.elements = {tensor.elements[static_cast<std::size_t>(suspect.element)]};
  return alone;
}

const char* LaunchQuestions::recorded_bytes(const Suspect& suspect) const {
  const auto size = static_cast<std::size_t>(size_bytes(view_of(suspect.tensor).element));
  return suspect.reference->bytes.data() + static_cast<std::size_t>(suspect.element) * size;
}

/// What was recorded is no legal result.
bool LaunchQuestions::is_proven_wrong(const Suspect& suspect) const {
  const auto bounds = legal(suspect);
  return bounds && !compare::check(*bounds, recorded_bytes(suspect)).is_inside();
}

/// "out[3] is 2049, in f64 2049.2; what a GPU left is 2050, legal is 2048.9 to 2049.4".
std::string LaunchQuestions::values_text(const Suspect& suspect, double got, const checkers::Origin& origin) const {
  const memory_model::View& view = view_of(suspect.tensor);
  std::string text = element_name(view, suspect.element) + " is " + number_text(got);
  if (origin.exact) text += ", in f64 " + number_text(*origin.exact) + (origin.is_partial ? " (in part)" : "");
  if (suspect.reference == nullptr) return text;
  text += "; " + suspect.reference->title + " is " + number_text(number_at(view.element, recorded_bytes(suspect), 0));
  const auto known = legal(suspect);
  if (!known) return text;
  const compare::Interval& bounds = known->elements.front();
  if (bounds.is_unbounded()) return text + ", anything is legal";
  if (bounds.is_nan()) return text + ", only NaN is legal";
  return text + ", legal is " + number_text(bounds.low) + " to " + number_text(bounds.high) +
         (is_proven_wrong(suspect) ? ": outside" : "");
}

std::optional<LaunchQuestions::Probes> LaunchQuestions::probes() const {
  if (probes_) return probes_;
  const auto driver = backend_cuda::open_driver();
  if (!driver || (*driver)->facts.devices.empty()) return std::nullopt;
  const RunOptions& options = session_.options();
  differential::GpuOptions gpu;
  gpu.target = {0, options.num_warps, options.num_stages, options.fp_fusion == "on"};
  return Probes{differential::probe_on_gpu(gpu), (*driver)->facts.devices.front().name};
}

/// Lockstep's own code for GPUs, run with probes. False: there is no GPU.
Expected<bool, Problem> LaunchQuestions::ask_gpu(const Suspect& suspect, const interpreter::LaunchRequest& launch,
                                                 Culprit& culprit) const {
  const auto known = probes();
  if (!known) return false;
  const differential::WrongElement wrong{suspect.tensor, suspect.element, legal(suspect)->elements.front()};
  DiagnosticSink sink;
  const auto found = differential::bisect(launch, wrong, known->run, {}, sink);
  if (!found) return Unexpected{problem_of(sink)};
  culprit.lines.push_back("by probes in Lockstep's own code for GPUs, run on " + known->device);
  std::istringstream text(differential::bisect_text(*found));
  for (std::string line; std::getline(text, line);) culprit.lines.push_back(line);
  const differential::BisectProgram* blamed = found->blamed();
  if (blamed == nullptr || !blamed->deviation) return true;
  const std::vector<const ir::Op*> ops = backend_cuda::ops_in_order(*kernel_.function);
  const bool has_calls =
      std::any_of(ops.begin(), ops.end(), [](const ir::Op* op) { return op->spelling() == "tt.call"; });
  if (has_calls || blamed->deviation->op >= ops.size()) return true;
  culprit.op = ops[blamed->deviation->op];
  culprit.program = blamed->number;
  culprit.execution = blamed->deviation->execution + 1;
  if (!blamed->deviation->shape.empty())
    culprit.lane = debugger::index_of(blamed->deviation->element, blamed->deviation->shape);
  return true;
}

/// The launch once more with --expect, and which single change of the kernel leads there.
Expected<bool, Problem> LaunchQuestions::find_repair(const Suspect& suspect, const checkers::Origin& origin,
                                                     Culprit& culprit) const {
  auto made = copy(true);
  if (!made) return Unexpected{made.error()};
  RunSession& session = (*made)->session;
  checkers::CheckOptions checks;
  checks.checkers = checkers::parse_checkers(checkers::kExpectationChecker, (*made)->sink).value_or(0);
  MismatchSearch mismatch(session.options(), checks, session);
  auto report = interpreter::launch((*made)->request(), (*made)->sink);
  if (!report) return Unexpected{problem_of((*made)->sink)};
  mismatch.locate(*report);
  const std::string& name = session_.tensors()[suspect.tensor].name;
  for (const Finding& finding : report->findings.findings()) {
    if (finding.argument != name || (finding.code != "LS608" && finding.code != "LS802")) continue;
    const std::size_t end = finding.message.find("; ");
    culprit.lines.push_back(end == std::string::npos ? finding.message : finding.message.substr(end + 2));
    for (const FindingNote& note : finding.notes) {
      if (note.message.starts_with("or ")) culprit.lines.push_back(note.message);
    }
    const ir::Op* op = finding.hint.empty() ? nullptr : op_of(*kernel_.module, finding);
    if (op == nullptr) return false;
    stand_at(culprit, {op, origin.store_at.program, 1}, {});
    return true;
  }
  return false;
}

Expected<Culprit, Problem> LaunchQuestions::bisect(const BisectRequest& request) {
  const auto references = own_references();
  if (!references) return Unexpected{references.error()};
  auto made = copy();
  if (!made) return Unexpected{made.error()};
  interpreter::LaunchRequest launch = (*made)->request();
  const checkers::CheckOptions options;
  const checkers::LaunchContext context = (*made)->context(launch, options);
  const auto before = checkers::keep_for_mismatch(context);
  if (before == nullptr) return Unexpected{Problem{"the kernel writes no argument, or more than can be kept", ""}};
  const auto report = [&] {
    const InterruptGuard interrupt;
    launch.stop = interrupt.flag();
    return interpreter::launch(launch, (*made)->sink);
  }();
  if (!report) return Unexpected{problem_of((*made)->sink)};
  if (report->outcome != interpreter::Outcome::completed)
    return Unexpected{Problem{"the launch does not come to its end", "`continue` shows where it stays"}};
  const memory_model::AddressSpace& memory = (*made)->session.memory();
  const auto suspect = suspect_of(request, *references, memory);
  if (!suspect) return Unexpected{suspect.error()};
  if (suspect->reference != nullptr && suspect->reference->is_recorded) {
    if (const auto known = judged(); !known) return Unexpected{known.error()};
  }
  const memory_model::View& view = memory.view(session_.tensors()[suspect->tensor].view);
  const std::uint64_t address = address_of(view, suspect->element);
  const double got = number_at(view.element, reinterpret_cast<const char*>(address), 0);  // NOLINT
  const auto origin = [&] {
    const InterruptGuard interrupt;
    return checkers::ErrorOrigin(context, *before, address).trace(got);
  }();
  if (!origin) return Unexpected{Problem{"the f64 shadow of the launch does not come to its end", ""}};
  Culprit culprit;
  culprit.lines.push_back(values_text(*suspect, got, *origin));
  if (is_proven_wrong(*suspect)) {
    before->put_back();
    const auto asked = ask_gpu(*suspect, launch, culprit);
    if (!asked) return Unexpected{asked.error()};
    if (*asked) return culprit;
  }
  if (const auto done = blame(*suspect, got, *origin, culprit); !done) return Unexpected{done.error()};
  return culprit;
}

Expected<std::monostate, Problem> LaunchQuestions::blame(const Suspect& suspect, double got,
                                                         const checkers::Origin& origin, Culprit& culprit) const {
  const bool is_recorded = suspect.reference != nullptr && suspect.reference->is_recorded;
  const bool is_wrong = is_proven_wrong(suspect);
  culprit.lines.emplace_back(!is_recorded ? "by the f64 shadow of this launch"
                             : is_wrong   ? "by the f64 shadow of this launch (probes need a GPU)"
                                          : "by the f64 shadow of this launch (what was recorded is legal)");
  const std::string name = element_name(view_of(suspect.tensor), suspect.element);
  if (!origin.store) {
    culprit.lines.push_back("no program stores " + name);
    return std::monostate{};
  }
  if (suspect.reference != nullptr && suspect.reference->expectation != nullptr) {
    const double expected = number_at(view_of(suspect.tensor).element, recorded_bytes(suspect), 0);
    const bool is_met = got == expected || (std::isnan(got) && std::isnan(expected));
    if (!is_met && !(origin.exact && checkers::explains(*origin.exact, got, expected))) {
      culprit.lines.emplace_back("its rounding does not explain the distance: changes of the kernel were tried");
      const auto repaired = find_repair(suspect, origin, culprit);
      if (!repaired) return Unexpected{repaired.error()};
      if (!*repaired) stand_at(culprit, origin.store_at, *origin.store);
      return std::monostate{};
    }
  }
  if (origin.birth && !is_wrong) {
    tell_birth(origin, culprit);
    return std::monostate{};
  }
  if (!origin.exact) {
    culprit.lines.emplace_back("what is stored has no shadow: integers, or a sum of more than 64 programs");
  } else if (!origin.birth) {
    culprit.lines.push_back(std::isfinite(got) ? "no op loses digits of it"
                                               : "no number: `born " + name + "` follows where it comes from");
  }
  if (is_wrong)
    culprit.lines.emplace_back(
        "no rounding explains what was recorded; which op of a GPU's code made it is seen there");
  stand_at(culprit, origin.store_at, *origin.store);
  return std::monostate{};
}

}  // namespace lockstep::cli
