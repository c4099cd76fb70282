#include "gpu_diff/bisect.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <unordered_map>

#include "backend_cuda/emit/source_lines.h"
#include "backend_cuda/layout/layout_plan.h"
#include "gpu_diff/judge.h"
#include "gpu_diff/op_matching.h"
#include "ir/op_def.h"
#include "ir/text/printer.h"
#include "support/check.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::gpu_diff {
namespace {

using backend_cuda::ProbeRequest;
using backend_cuda::ProbeSlot;
using backend_cuda::ProbeTable;
using enclosure::Interval;
using enclosure::Observation;
using Values = std::unordered_map<const ir::Value*, Observation>;

constexpr std::size_t kMaxWriters = 16;  // programs of one element that are run with probes
constexpr std::size_t kMaxLinks = 8;     // from a wrong load to what wrote there

/// Which programs store to an element.
class WriterWatch : public enclosure::Observer {
 public:
  WriterWatch(std::uint64_t address, int bytes) : begin_(address), end_(address + static_cast<std::uint64_t>(bytes)) {}
  bool has_run(const ir::Op&, std::uint64_t, bool) override { return false; }
  void see(const Observation&) override {}
  bool wants_writes() const override { return true; }
  void writes(std::uint64_t program, std::uint64_t address, int bytes) override {
    const bool may_hit = address == 0 || (address < end_ && begin_ < address + static_cast<std::uint64_t>(bytes));
    if (may_hit && std::find(writers.begin(), writers.end(), program) == writers.end()) writers.push_back(program);
  }
  std::vector<std::uint64_t> writers;

 private:
  std::uint64_t begin_, end_;
};

/// How often each op of a program runs.
class ExecutionCounter : public enclosure::Observer {
 public:
  explicit ExecutionCounter(std::uint64_t program) : program_(program) {}
  bool has_run(const ir::Op& op, std::uint64_t program, bool is_once) override {
    if (is_once) {
      counts[&op] = 1;
    } else if (program == program_) {
      ++counts[&op];
    }
    return false;
  }
  void see(const Observation&) override {}
  std::unordered_map<const ir::Op*, std::uint32_t> counts;

 private:
  std::uint64_t program_;
};

/// The probes' buffer of one program.
class Probed {
 public:
  Probed(const ProbeTable& table, const std::string& bytes, const OpMatching& ops) : bytes_(bytes), ops_(ops) {
    for (const ProbeSlot& slot : table.slots) slots_[{slot.op, slot.result}].push_back(&slot);
  }
  /// The number of executions on the GPU; nullopt: unknown.
  std::optional<std::uint32_t> executions(const ir::Op& op) const {
    const auto number = ops_.changed_number(op);
    if (!number || !has_slot(*number)) return std::nullopt;
    std::uint32_t count = 0;
    std::memcpy(&count, bytes_.data() + sizeof count * *number, sizeof count);
    return count;
  }
  /// The copies of a result, one for each layout.
  std::vector<const ProbeSlot*> slots(const ir::Op& op, std::size_t result) const {
    const auto number = ops_.changed_number(op);
    const auto found = number ? slots_.find({*number, static_cast<std::uint32_t>(result)}) : slots_.end();
    return found == slots_.end() ? std::vector<const ProbeSlot*>{} : found->second;
  }
  /// The op's number in the launch's kernel.
  std::size_t place_of(const ir::Op& op) const {
    const auto& all = ops_.original();
    return static_cast<std::size_t>(std::find(all.begin(), all.end(), &op) - all.begin());
  }
  const char* at(const ProbeSlot& slot, std::uint32_t execution) const {
    return bytes_.data() + slot.offset + execution * slot.stride();
  }

 private:
  bool has_slot(std::uint32_t number) const {
    return std::any_of(slots_.begin(), slots_.end(), [&](const auto& one) { return one.first.first == number; });
  }
  const std::string& bytes_;
  const OpMatching& ops_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<const ProbeSlot*>> slots_;
};

std::vector<std::int64_t> shape_of(const ir::Value& value) {
  return value.type().is_tensor() ? value.type().shape() : std::vector<std::int64_t>{};
}

/// Compares what the GPU wrote with a program of the interpreter's, op by op.
class Comparer : public enclosure::Observer {
 public:
  Comparer(std::uint64_t program, const Probed& probed, const std::unordered_map<const ir::Op*, std::uint32_t>& counts)
      : program_(program), probed_(probed), counts_(counts) {}

  bool has_run(const ir::Op& op, std::uint64_t program, bool is_once) override {
    if (is_over_ || (!is_once && program != program_)) return false;
    execution_ = is_once ? 0 : executions_[&op];
    executions_[&op] = execution_ + 1;
    if (!is_once) look_at_path(op);
    return !is_over_;
  }

  void see(const Observation& seen) override {
    seen_[seen.op->result(seen.result)] = seen;
    for (const ProbeSlot* slot : probed_.slots(*seen.op, seen.result)) {
      if (!is_over_ && is_kept(*slot, *seen.op, execution_)) compare_with(*slot, seen);
    }
  }

  std::optional<Deviation> deviation;
  std::optional<OtherPath> other_path;  // what was seen first; with a deviation behind it, ops that ran more often
  std::uint64_t values = 0;

 private:
  /// An execution that is missing on the GPU is where its path diverged; an additional one shows at the last.
  void look_at_path(const ir::Op& op) {
    const auto gpu = probed_.executions(op);
    const std::uint32_t cpu = counts_.at(&op);
    if (!gpu || *gpu == cpu || other_path) return;
    if (*gpu < cpu ? execution_ != *gpu : execution_ + 1 != cpu) return;
    other_path = OtherPath{ir::print_op(op), backend_cuda::source_line_text(op.location()), *gpu, cpu};
    is_over_ = *gpu < cpu;
  }

  bool is_kept(const ProbeSlot& slot, const ir::Op& op, std::uint32_t execution) const {
    return execution < slot.occurrences && execution < probed_.executions(op).value_or(0);
  }

  void compare_with(const ProbeSlot& slot, const Observation& seen) {
    if (slot.kind != seen.kind || slot.elements != seen.values->count()) return;
    ++values;
    const char* gpu = probed_.at(slot, execution_);
    if (std::memcmp(gpu, seen.bytes.data(), seen.bytes.size()) == 0) return;
    enclosure::TensorEnclosure bounds;
    bounds.kind = seen.kind;
    for (std::int64_t i = 0; i < slot.elements; ++i) bounds.elements.push_back(seen.bounds->at(i));
    const enclosure::Verdict verdict = check_bits(bounds, gpu, seen.bytes.data());
    if (!verdict.is_inside()) describe(slot, seen, verdict);
  }

  void describe(const ProbeSlot& slot, const Observation& seen, const enclosure::Verdict& verdict) {
    Deviation found;
    found.op_text = ir::print_op(*seen.op);
    found.source = backend_cuda::source_line_text(seen.op->location());
    found.op = probed_.place_of(*seen.op);
    found.result = seen.result;
    found.kind = seen.kind;
    found.execution = execution_;
    found.executions = counts_.contains(seen.op) ? counts_.at(seen.op) : 0;
    found.outside = verdict.outside;
    found.elements = verdict.elements;
    found.element = verdict.first->element;
    found.shape = shape_of(*seen.op->result(seen.result));
    if (slot.variant != 0) found.copy = "what was converted to the layout " + slot.layout;
    if (slot.is_last_copy)
      found.copy += (found.copy.empty() ? "" : ", ") + std::string("the copy of the last thread that holds it");
    found.gpu = verdict.first->actual;
    found.bounds = verdict.first->bounds;
    found.cpu = number_of(seen.values->at(found.element));
    const bool is_by_place = backend_cuda::is_elementwise(*seen.op) || seen.op->def().effects == ir::Effects::read;
    for (const ir::Value* operand : seen.op->operands())
      found.operands.push_back(look_at(*operand, value_name(*operand, *seen.op), is_by_place, found));
    if (seen.op->def().effects == ir::Effects::read) found.loaded_from = address_there(*seen.op->operand(0), found);
    deviation = std::move(found);
    is_over_ = true;
  }

  /// The address that a load read; 0: unknown.
  std::uint64_t address_there(const ir::Value& pointer, const Deviation& there) const {
    const auto seen = seen_.find(&pointer);
    if (seen == seen_.end() || seen->second.kind != ScalarKind::pointer || shape_of(pointer) != there.shape) return 0;
    return static_cast<std::uint64_t>(seen->second.values->at(there.element).low);
  }

  /// `is_by_place`: an element of the result comes from the operand's element at the same place.
  OperandThere look_at(const ir::Value& operand, std::string name, bool is_by_place, const Deviation& there) const {
    OperandThere made{std::move(name), std::nullopt, std::nullopt, operand.type().element().is_pointer()};
    const auto seen = seen_.find(&operand);
    if (made.is_address || seen == seen_.end()) return made;
    const ir::Op& op = *seen->second.op;
    const auto slots = probed_.slots(op, seen->second.result);
    const std::uint32_t execution = executions_.at(&op) - 1;
    made.is_observed = !slots.empty() && is_kept(*slots[0], op, execution);
    const std::int64_t count = seen->second.values->count();
    if (count != 1 && !(is_by_place && shape_of(operand) == there.shape)) return made;
    const std::int64_t element = count == 1 ? 0 : there.element;
    made.cpu = number_of(seen->second.values->at(element));
    made.bounds = seen->second.bounds->at(element);
    if (!made.is_observed) return made;
    const auto all = enclosure::read_elements(slots[0]->kind, probed_.at(*slots[0], execution), slots[0]->elements);
    made.gpu = number_of(all->at(element));
    return made;
  }

  static double number_of(const Interval& value) {
    return value.is_nan() ? std::numeric_limits<double>::quiet_NaN() : value.low;
  }

  /// As print_op names it.
  static std::string value_name(const ir::Value& value, const ir::Op& user) {
    const ir::Op* root = &user;
    while (root->parent_op() != nullptr) root = root->parent_op();
    return ir::ValueNames(*root, false, false).value(&value);
  }

  std::uint64_t program_;
  const Probed& probed_;
  const std::unordered_map<const ir::Op*, std::uint32_t>& counts_;
  std::unordered_map<const ir::Op*, std::uint32_t> executions_;
  std::uint32_t execution_ = 0;
  bool is_over_ = false;
  Values seen_;
};

class Bisection {
 public:
  Bisection(const interpreter::LaunchRequest& request, const OpMatching& ops, const ProbeRun& run,
            const BisectOptions& options, DiagnosticSink& sink)
      : request_(request), before_(*request.memory), ops_(ops), run_(run), options_(options), sink_(sink) {}

  std::optional<BisectReport> find(const WrongElement& wrong) {
    const memory_model::View& view = view_of(wrong.tensor);
    BisectReport report;
    Place place{address_of(view, wrong.element), view.element, wrong.bounds};
    for (std::size_t links = 0; links < kMaxLinks; ++links) {
      const auto writers = writers_of(place);
      if (!writers) return std::nullopt;
      if (links == 0) report.writers = writers->size();
      const std::size_t known = report.programs.size();
      if (!look_into_all(*writers, place, report)) return std::nullopt;
      if (report.programs.size() == known || !report.programs.back().deviation) break;
      const Deviation& found = *report.programs.back().deviation;
      if (found.loaded_from == 0) break;
      place = {found.loaded_from, found.kind, found.bounds};  // what it read another program may have written
    }
    return report;
  }

 private:
  /// A wrong element in memory.
  struct Place {
    std::uint64_t address = 0;
    ScalarKind kind{};
    Interval bounds;
  };

  /// The last one first: it decides the final value, unless they add up.
  std::optional<std::vector<std::uint64_t>> writers_of(const Place& place) {
    WriterWatch watch(place.address, size_bytes(place.kind));
    if (!enclose(watch)) return std::nullopt;
    std::reverse(watch.writers.begin(), watch.writers.end());
    return std::move(watch.writers);
  }

  /// Examines new programs, up to the first with a deviation. False: diagnosed.
  bool look_into_all(const std::vector<std::uint64_t>& writers, const Place& place, BisectReport& report) {
    std::size_t left = kMaxWriters;
    for (const std::uint64_t number : writers) {
      const bool is_known = std::any_of(report.programs.begin(), report.programs.end(),
                                        [&](const BisectProgram& one) { return one.number == number; });
      if (is_known || left-- == 0) continue;
      auto program = look_into(number, place, true);
      if (!program) return false;
      if (is_fed_unseen(*program)) {
        auto plain = look_into(number, place, false);
        if (!plain) return false;
        program->without_pipelines = std::make_shared<BisectProgram>(std::move(*plain));
      }
      const bool shows = program->deviation || program->other_path;
      report.programs.push_back(std::move(*program));
      if (shows) break;
    }
    return true;
  }

  const memory_model::View& view_of(std::size_t tensor) const {
    for (const interpreter::Argument& argument : request_.arguments) {
      if (argument.kind == interpreter::Argument::Kind::scalar) continue;
      if (tensor-- == 0) return request_.memory->view(argument.view);
    }
    LOCKSTEP_CHECK(false, "there is no such tensor");
  }

  static std::uint64_t address_of(const memory_model::View& view, std::int64_t element) {
    std::int64_t offset = 0;
    for (std::size_t d = view.shape.size(); d-- > 0;) {
      offset += element % view.shape[d] * view.strides[d];
      element /= view.shape[d];
    }
    return view.base + static_cast<std::uint64_t>(offset * size_bytes(view.element));
  }

  /// Afterwards, the storages are as before.
  bool enclose(enclosure::Observer& observer) {
    enclosure::EnclosureOptions options = options_.enclosure;
    options.observer = &observer;
    interpreter::LaunchRequest quiet = request_;
    quiet.print = [](const std::string&) {};
    const bool is_done = enclosure::enclose(quiet, sink_, options).has_value();
    before_.restore();
    return is_done;
  }

  ProbeRequest probes_for(const BisectProgram& program, const ExecutionCounter& counter) const {
    ProbeRequest probes;
    probes.program = program.id;
    probes.occurrences.resize(ops_.changed().size(), 1);
    for (const auto& [op, count] : counter.counts) {
      if (const auto number = ops_.changed_number(*op)) probes.occurrences[*number] = count;
    }
    return probes;
  }

  /// A dot is wrong, and its operands may be, too.
  static bool is_fed_unseen(const BisectProgram& program) {
    return program.deviation && program.deviation->op_text.find("= tt.dot") != std::string::npos &&
           std::any_of(program.unobserved.begin(), program.unobserved.end(),
                       [](const Unobserved& one) { return one.is_pipelined; });
  }

  std::optional<BisectProgram> look_into(std::uint64_t number, const Place& place, bool pipelines) {
    BisectProgram program;
    program.number = number;
    const auto x = static_cast<std::uint64_t>(request_.grid[0]), y = static_cast<std::uint64_t>(request_.grid[1]);
    program.id = {static_cast<std::int64_t>(number % x), static_cast<std::int64_t>(number / x % y),
                  static_cast<std::int64_t>(number / x / y)};
    ExecutionCounter counter(number);
    if (!enclose(counter)) return std::nullopt;
    ProbeTable table;
    ProbeRequest probes = probes_for(program, counter);
    probes.allows_pipelines = pipelines;
    const auto bytes = run_(request_, *ops_.changed_function(), probes, table, sink_);
    if (!bytes) return std::nullopt;
    const enclosure::BoundsRef now = enclosure::read_elements(place.kind, reinterpret_cast<const void*>(place.address), 1);
    before_.restore();
    program.has_vanished = is_inside(place.bounds, now->at(0));
    const Probed probed(table, *bytes, ops_);
    Comparer comparer(number, probed, counter.counts);
    if (!enclose(comparer)) return std::nullopt;
    program.values = comparer.values;
    program.deviation = std::move(comparer.deviation);
    program.other_path = std::move(comparer.other_path);
    program.unobserved = unobserved(probed, counter);
    return program;
  }

  static bool is_inside(const Interval& bounds, const Interval& value) {
    if (bounds.is_unbounded()) return true;
    if (value.is_nan() || bounds.is_nan()) return value.is_nan() && bounds.is_nan();
    return bounds.low <= value.low && value.high <= bounds.high;
  }

  std::vector<Unobserved> unobserved(const Probed& probed, const ExecutionCounter& counter) const {
    std::vector<Unobserved> all;
    for (const ir::Op* op : ops_.original()) {
      const auto known = counter.counts.find(op);
      if (known == counter.counts.end()) continue;
      const auto kind = op->result(0)->type().element().scalar_kind();
      const auto slots = probed.slots(*op, 0);
      std::string reason;
      if (!kind || *kind == ScalarKind::pointer || !op->result(0)->has_uses()) continue;  // a GPU has its own addresses
      if (!ops_.changed_number(*op)) {
        reason = "the GPU's kernel does not have it";
      } else if (slots.empty()) {
        reason = "it goes to shared memory ahead of its use";
      } else if (slots[0]->occurrences < known->second) {
        reason = "only its first " + std::to_string(slots[0]->occurrences) + " executions: the probes' memory is full";
      }
      const bool is_pipelined = ops_.changed_number(*op) && slots.empty();
      if (!reason.empty()) all.push_back({ir::print_op(*op), reason, is_pipelined});
    }
    return all;
  }

  const interpreter::LaunchRequest& request_;
  StorageSnapshot before_;
  const OpMatching& ops_;
  const ProbeRun& run_;
  const BisectOptions& options_;
  DiagnosticSink& sink_;
};

}  // namespace

std::optional<WrongElement> first_wrong(const Judgement& judgement) {
  for (const TensorJudgement& one : judgement.tensors) {
    if (!one.verdict.is_inside()) return WrongElement{one.place, one.verdict.first->element, one.verdict.first->bounds};
  }
  return std::nullopt;
}

const BisectProgram* BisectReport::blamed() const {
  // The last one made the result; the ones before loaded.
  for (std::size_t i = programs.size(); i-- > 0;) {
    if (programs[i].deviation || programs[i].other_path) return &programs[i];
  }
  return nullptr;
}

std::optional<BisectReport> bisect(const interpreter::LaunchRequest& request, const WrongElement& wrong,
                                   const ProbeRun& run, const BisectOptions& options, DiagnosticSink& sink) {
  const auto inlined = OpMatching::make(*request.function, options.changed);
  if (!inlined) {
    report_status(sink,
                  {"LS3029", "the kernel that the GPU runs has other ops than the launch's: they cannot be compared",
                   "change ops of the same text, so that most of them keep their names"});
    return std::nullopt;
  }
  interpreter::LaunchRequest plain = request;
  plain.module = &inlined->module();
  plain.function = inlined->function();
  return Bisection(plain, *inlined, run, options, sink).find(wrong);
}

}  // namespace lockstep::gpu_diff
