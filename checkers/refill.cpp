#include "checkers/refill.h"

#include <algorithm>
#include <limits>

#include "interpreter/effects.h"
#include "interpreter/prepared.h"
#include "interpreter/schedule.h"
#include "ir/builder.h"
#include "ir/opcode.h"
#include "ir/parser.h"
#include "ir/printer.h"
#include "support/check.h"
#include "support/float_formats.h"

namespace lockstep::checkers {

using interpreter::LaunchReport;

namespace {

constexpr std::size_t kPatterns = 4;
constexpr std::string_view kNote =
    "what the launch stores is the same with NaN (integers: -1), 1, the largest and the lowest number in these lanes";

/// Loads with a mask, without `other`, of numbers. In the order of the text.
void collect(const ir::Op& op, std::vector<ir::Op*>& loads) {
  for (const auto& region : op.regions()) {
    for (const auto& block : region->blocks()) {
      for (const auto& inner : block->ops()) {
        const bool is_masked = inner->def().opcode == ir::Opcode::tt_load && inner->operand_or_null(1) != nullptr &&
                               inner->operand_or_null(2) == nullptr;
        if (is_masked && !inner->result()->type().element().is_pointer()) loads.push_back(inner.get());
        collect(*inner, loads);
      }
    }
  }
}

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

void give_other(ir::Context& context, ir::Op& load, std::size_t pattern) {
  ir::Builder builder(context);
  builder.set_insertion_point_before(load);
  builder.set_location(load.location());
  const ir::Type type = load.result()->type();
  load.add_operand(builder.constant(type, pattern_bits(*type.element().scalar_kind(), pattern)));
  load.set_operand_segments({1, 1, 1});
}

bool is_of_lanes(const Finding& finding) { return finding.code == "LS205" || finding.code == "LS206"; }

/// Its elements come from one of `loads`.
bool is_of(const Finding& finding, const std::vector<ir::Op*>& loads) {
  const bool is_note = finding.code == "LS206" && !finding.notes.empty();
  const Location place = is_note ? finding.notes[0].location : finding.location;
  return std::any_of(loads.begin(), loads.end(), [&](const ir::Op* load) { return load->location() == place; });
}

}  // namespace

std::unique_ptr<Refill> Refill::make(const LaunchContext& context) {
  auto storages =
      interpreter::written_storages(context.request, interpreter::effects_of(context.module, context.function));
  std::uint64_t bytes = 0;
  for (const memory_model::StorageId id : storages) bytes += context.request.memory->storage(id).extent.bytes();
  const std::uint64_t given = context.request.limits.max_memory_bytes;
  if (bytes > kMaxBytes || (given != 0 && 2 * bytes > given)) return nullptr;
  return std::make_unique<Refill>(context, std::move(storages));
}

Refill::Refill(const LaunchContext& context, std::vector<memory_model::StorageId> storages)
    : context_(context), storages_(std::move(storages)), before_(*context.request.memory, storages_) {}

Refill::Ending Refill::run(std::optional<std::size_t> pattern, const StorageBytes& result) {
  DiagnosticSink sink;
  const auto file = std::make_shared<const SourceFile>("kernel.ttir", text_);
  auto module = ir::parse_module(file, sink);
  LOCKSTEP_CHECK(module.has_value(), "a kernel that was printed cannot be read again");
  std::vector<ir::Op*> loads;
  if (pattern) collect(module->op(), loads);
  for (ir::Op* load : loads) give_other(module->context(), *load, *pattern);
  const ir::Op& function = *module->find_function(ir::symbol_name(context_.function));
  const auto kernel = interpreter::PreparedKernel::make(*module, function, context_.profile, sink);
  if (kernel == nullptr) return {};
  interpreter::RunRequest request = context_.request;
  request.rollback = false;
  request.companion = nullptr;
  request.touches = interpreter::Touches::none;
  request.profiling = {};
  request.progress = nullptr;
  request.print = [](const std::string&) {};
  before_.put_back();
  const auto report = kernel->launch(request, sink);
  if (!report) return {};
  Ending ending{report->outcome == interpreter::Outcome::completed, result.is_unchanged(), {}};
  for (const Finding& finding : report->findings.findings())
    ending.findings.push_back(finding.code + finding.message + std::to_string(finding.count));
  return ending;
}

bool Refill::matters(const StorageBytes& result) {
  const Ending plain = run(std::nullopt, result);
  if (!plain.is_complete || !plain.is_same) return true;
  for (std::size_t pattern = 0; pattern < kPatterns; ++pattern) {
    const Ending other = run(pattern, result);
    if (!other.is_complete || !other.is_same || other.findings != plain.findings) return true;
  }
  return false;
}

void Refill::judge(LaunchReport& report) {
  const auto& findings = report.findings.findings();
  if (report.outcome != interpreter::Outcome::completed || std::none_of(findings.begin(), findings.end(), is_of_lanes))
    return;
  // Lanes that decide the way of a program may keep it running for ever under other numbers.
  if (std::any_of(findings.begin(), findings.end(), [](const Finding& one) { return one.code == "LS208"; })) return;
  std::vector<ir::Op*> loads;
  collect(context_.module.op(), loads);
  const auto is_refilled = [&](const Finding& finding) { return is_of_lanes(finding) && is_of(finding, loads); };
  if (std::none_of(findings.begin(), findings.end(), is_refilled)) return;
  text_ = ir::print_module(context_.module, {true, false});
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

}  // namespace lockstep::checkers
