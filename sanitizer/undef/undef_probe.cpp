#include "sanitizer/undef/undef_probe.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "interpreter/access/access_lanes.h"
#include "interpreter/batching/effects.h"
#include "interpreter/launch/prepared.h"
#include "interpreter/scheduler/execution_mode.h"
#include "ir/op_def.h"
#include "ir/walk.h"
#include "sanitizer/core/check_plan.h"
#include "sanitizer/core/execution.h"
#include "sanitizer/undef/definedness_flow.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

using interpreter::LaunchReport;

namespace {

constexpr std::size_t kPatterns = 4;
constexpr std::string_view kNote =
    "what the launch stores is the same with NaN (integers: -1), 1, the largest and the lowest number in these lanes";

std::uint64_t pattern_bits(ScalarKind kind, std::size_t pattern) {
  if (is_float(kind)) {
    constexpr std::array<double, kPatterns> kNumbers = {std::numeric_limits<double>::quiet_NaN(), 1.0,
                                                        std::numeric_limits<double>::max(),
                                                        std::numeric_limits<double>::lowest()};
    return encode_float(kind, kNumbers[pattern], Rounding::nearest_even, true);
  }
  const int width = bit_width(kind);
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - width);
  const std::array<std::uint64_t, kPatterns> numbers = {ones, 1, ones >> 1, ones ^ (ones >> 1)};
  return numbers[pattern];
}

/// Ops whose lanes get other numbers.
bool is_filled(const ir::Op& op) {
  return may_leave_lanes(op) && op.result_count() == 1 && op.result(0)->type().element().scalar_kind().has_value();
}

/// Fills the lanes to which ops give no value.
class Filler : public Checker {
 public:
  /// Null pattern: it leaves them unchanged.
  explicit Filler(std::optional<std::size_t> pattern) : pattern_(pattern) {}
  Requirements needs(const LaunchContext&) const override { return {}; }
  Interest wish(const ir::Op& op) const override {
    const bool wants = is_filled(op);
    return {wants, wants};
  }
  void before(Execution& run) override {
    auto lanes = std::make_shared<std::vector<std::uint8_t>>(lanes_without_value(run));
    if (lanes->empty()) lanes.reset();
    run.state(*run.op().result(0)) = std::move(lanes);
  }
  void after(Execution& run) override {
    const ir::Value& result = *run.op().result(0);
    const auto* lanes = run.state_as<std::vector<std::uint8_t>>(result);
    if (lanes == nullptr || !pattern_) return;
    const auto size = static_cast<std::size_t>(size_bytes(run.kind(result)));
    const std::uint64_t bits = pattern_bits(run.kind(result), *pattern_);
    const char* elements = run.elements(result);
    std::vector<char> changed(elements, elements + lanes->size() * size);
    for (std::size_t i = 0; i < lanes->size(); ++i) {
      if ((*lanes)[i] != 0) std::memcpy(changed.data() + i * size, &bits, size);
    }
    run.replace(result, changed.data());
  }

 private:
  std::optional<std::size_t> pattern_;
};

bool is_of_lanes(const Finding& finding) {
  return finding.code == FindingCode::LS205 || finding.code == FindingCode::LS206 || finding.code == FindingCode::LS208;
}

/// Where its elements come from.
Location refill_source(const Finding& finding) {
  const bool is_note = finding.code != FindingCode::LS205 && !finding.notes.empty();
  return is_note ? finding.notes[0].location : finding.location;
}

}  // namespace

/// The kernel with steps that fill lanes.
struct UndefProbe::Kernel {
  std::unique_ptr<const interpreter::PreparedKernel> prepared;
  std::size_t values = 0;

  Kernel(const LaunchContext& context) {
    const Filler filler({});
    const std::vector<const Checker*> chosen{&filler};
    CheckPlan plan(chosen);
    DiagnosticSink sink;
    prepared = interpreter::PreparedKernel::make_instrumented(
        context.module, context.function, context.profile, sink,
        [&plan](interpreter::PlanBuilder& builder) { plan.instrument(builder); });
    values = plan.value_count();
  }
};

std::unique_ptr<UndefProbe> UndefProbe::make(const LaunchContext& context) {
  auto storages = interpreter::written_storages(context.request, context.effects);
  std::uint64_t bytes = 0;
  for (const memory_model::StorageId id : storages) bytes += context.request.memory->storage(id).extent.bytes();
  const std::uint64_t given = context.request.limits.max_memory_bytes;
  if (bytes > kMaxBytes || (given != 0 && 2 * bytes > given)) return nullptr;
  return std::make_unique<UndefProbe>(context, std::move(storages));
}

UndefProbe::UndefProbe(const LaunchContext& context, std::vector<memory_model::StorageId> storages)
    : context_(context), storages_(std::move(storages)), before_(*context.request.memory, storages_) {}
UndefProbe::~UndefProbe() = default;

UndefProbe::Ending UndefProbe::run(std::optional<std::size_t> pattern, const StorageBytes& result) {
  if (kernel_->prepared == nullptr) return {};
  CheckRun run;
  run.checkers.push_back(std::make_unique<Filler>(pattern));
  run.values = kernel_->values;
  run.context = &context_;
  interpreter::RunRequest request = context_.request;
  request.rollback = false;
  request.instrumentation_state = &run;
  request.touches = interpreter::AccessTracking::none;
  request.profiling = {};
  request.progress = nullptr;
  request.print = [](const std::string&) {};
  if (decides_control_flow_ && request.limits.max_steps_per_program == 0)
    request.limits.max_steps_per_program = kMaxSteps;
  before_.put_back();
  DiagnosticSink sink;
  const auto report = kernel_->prepared->launch(request, sink);
  if (!report) return {};
  Ending ending{report->outcome == interpreter::Outcome::completed, result.is_unchanged(), report->bytes_written, {}};
  for (const Finding& finding : report->findings.findings())
    ending.findings.push_back(std::string(spelling(finding.code)) + finding.message + std::to_string(finding.count));
  return ending;
}

bool UndefProbe::matters(const StorageBytes& result) {
  const Ending plain = run(std::nullopt, result);
  if (!plain.is_complete || !plain.is_same) return true;
  for (std::size_t pattern = 0; pattern < kPatterns; ++pattern) {
    const Ending other = run(pattern, result);
    const bool stores_as_much = other.bytes_written == plain.bytes_written;
    if (!other.is_complete || !other.is_same || !stores_as_much || other.findings != plain.findings) return true;
  }
  return false;
}

void UndefProbe::judge(LaunchReport& report) {
  const auto& findings = report.findings.findings();
  std::vector<Location> places;
  ir::walk(context_.module.op(), [&](const ir::Op& op) {
    if (is_filled(op)) places.push_back(op.location());
  });
  const auto is_refilled = [&](const Finding& finding) {
    return is_of_lanes(finding) && std::find(places.begin(), places.end(), refill_source(finding)) != places.end();
  };
  if (report.outcome != interpreter::Outcome::completed || std::none_of(findings.begin(), findings.end(), is_refilled))
    return;
  decides_control_flow_ =
      std::any_of(findings.begin(), findings.end(), [](const Finding& one) { return one.code == FindingCode::LS208; });
  kernel_ = std::make_unique<Kernel>(context_);
  const StorageBytes result(*context_.request.memory, storages_);
  if (!matters(result)) {
    Report judged;
    for (Finding finding : findings) {
      if (is_refilled(finding)) {
        finding.tier = Tier::warning;
        finding.notes.push_back({std::string(kNote), {}});
      }
      judged.add(std::move(finding));
    }
    report.findings = std::move(judged);
  }
  result.put_back();
}

}  // namespace lockstep::sanitizer
