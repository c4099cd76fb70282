#include "sanitizer/lint/lint_text.h"

#include <algorithm>
#include <bit>
#include <unordered_map>

#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/lanes/lane_values.h"
#include "sanitizer/memory/value_ranges.h"
#include "support/gpu_model.h"

namespace lockstep::sanitizer {


namespace {

constexpr int kWarp = 32;  // threads
constexpr int kRegisterBytes = 4;
constexpr int kSpareRegisters = 24;  // for addresses, counters and temporaries

/// All values computed from the extended tile fit 32 bits, up to the addresses.
bool would_fit(const ir::Value& extended, const ValueRanges& ranges) {
  const Range narrow = full_range(ScalarKind::i32);
  ir::ValueSlice slice(extended);
  bool reaches_address = false;
  while (const ir::Value* value = slice.next()) {
    for (const ir::Use& use : value->uses()) {
      const ir::Op& user = *use.user;
      if (ir::is_displacement(user)) {
        reaches_address = true;
      } else if (ir::spreads(user) || (is_wrapping_op(user) && ranges.exact(user).is_within(narrow))) {
        slice.add_results(user);
      } else {
        return false;
      }
    }
  }
  return reaches_address;
}

void lint_wide_indices(const LaunchContext& context, Report& report) {
  constexpr std::int64_t kMany = 32;
  const auto& effects = context.effects;
  const ValueRanges ranges(context, effects);
  for_each_op(context.module, context.function, [&](const ir::Op& op) {
    if (!ir::extends_integer(op) || !op.result(0)->type().element().is_integer(64)) return;
    if (op.result(0)->type().element_count() < kMany || !would_fit(*op.result(0), ranges)) return;
    report.add(lint_at(FindingCode::LSP04,
                       "index arithmetic of " + std::to_string(op.result(0)->type().element_count()) +
                           " lanes in 64 bits, though no index of this launch leaves 32",
                       op, "extend a scalar (the program's first index) instead of the tile, or stay in 32 bits"));
  });
}

// ---- products ----

struct DotShape {
  std::int64_t m = 0, n = 0, k = 0;
};

DotShape shape_of(const ir::Op& dot) {
  const auto& a = dot.operand(0)->type().shape();
  const auto& d = dot.result(0)->type().shape();
  return {d[d.size() - 2], d.back(), a.back()};
}

const GpuModel& model_of(const LaunchContext& context) {
  return context.options.gpu != nullptr ? *context.options.gpu : gpu_model_of(context.profile.capability());
}

/// "h100"; "sm_90" if no GPU was named.
std::string gpu_name(const LaunchContext& context) {
  return context.options.gpu != nullptr ? std::string(context.options.gpu->name) : context.profile.name();
}

void lint_dot(const LaunchContext& context, const ir::Op& dot, Report& report) {
  constexpr std::int64_t kWide = 64, kRows = 16, kColumns = 8;
  const DotShape shape = shape_of(dot);
  const std::string tile = std::to_string(shape.m) + "x" + std::to_string(shape.n) + "x" + std::to_string(shape.k);
  const int capability = context.profile.capability(), warps = context.options.num_warps;
  const std::int64_t parts = (shape.m + kRows - 1) / kRows * ((shape.n + kColumns - 1) / kColumns);
  if (shape.m < kRows || shape.n < kColumns) {
    report.add(lint_at(FindingCode::LSP09, "a product of " + tile + " fills a part of the tensor core's 16x8 tile", dot,
                       "use at least 16 rows and 8 columns"));
  } else if (capability >= 90 && capability < 100 && warps >= 4 && shape.m < kWide) {
    report.add(lint_at(FindingCode::LSP09,
                       "a product of " + tile +
                           " has fewer than the 64 rows that a warp group multiplies at once (wgmma of " +
                           gpu_name(context) + ")",
                       dot, "use 64 rows or more, or exchange the operands (the transposed product)"));
  } else if (capability >= 80 && capability < 90 && parts < warps) {
    report.add(lint_at(
        FindingCode::LSP09,
        "a product of " + tile + " has " + std::to_string(parts) + (parts == 1 ? " part" : " parts") +
            " of 16x8, which a warp multiplies at once (mma of " + gpu_name(context) + "): of " +
            std::to_string(warps) + " warps the others do the same again",
        dot, "use a larger tile, or num_warps=" + std::to_string(std::bit_floor(static_cast<std::uint64_t>(parts)))));
  }
}

/// Each stage of the pipeline keeps its own operands of products in loops.
void lint_shared_memory(const LaunchContext& context, const ir::Op& dot, Report& report) {
  if (!is_in_loop(dot)) return;
  const GpuModel& model = model_of(context);
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const ir::Type type = dot.operand(i)->type();
    const auto kind = type.element().scalar_kind();
    bytes += type.element_count() * (kind ? size_bytes(*kind) : 4);
  }
  const std::int64_t all = bytes * std::max(1, context.options.num_stages);
  if (all <= model.shared_bytes) return;
  report.add(lint_at(FindingCode::LSP08,
                     "estimated from the tiles' sizes: the operands of this product take " +
                         std::to_string(all / 1024) + " KiB of shared memory in " +
                         std::to_string(context.options.num_stages) + " stages; " + gpu_name(context) + " has " +
                         std::to_string(model.shared_bytes / 1024) + " KiB for a program",
                     dot, "use smaller tiles or fewer stages"));
}

// ---- registers ----

/// Values that need no registers of their own: the compiler recomputes them.
bool is_free(const ir::Value& value) {
  const ir::Op* op = value.defining_op();
  if (!value.type().is_tensor()) return true;
  if (value.type().element().is_pointer() || value.type().element().is_integer(1)) return true;
  if (op == nullptr) return false;
  return ir::is_constant(*op) || ir::is_range(*op) || ir::spreads(*op) || value.type().element().is_integer();
}

std::int64_t register_bytes(const ir::Value& value) {
  if (is_free(value)) return 0;
  const auto kind = value.type().element().scalar_kind();
  return value.type().element_count() * (kind ? size_bytes(*kind) : 4);
}

/// The op of `block` that is or contains `user`; null: none.
const ir::Op* ancestor_in(const ir::Op* user, const ir::Block& block) {
  while (user != nullptr && user->block() != &block) user = user->parent_op();
  return user;
}

struct Peak {
  std::int64_t bytes = 0;
  const ir::Op* op = nullptr;
};

/// Bytes of tiles that live at once in a block, in addition to `outside`.
void find_peak(const ir::Block& block, std::int64_t outside, Peak& peak) {
  std::unordered_map<const ir::Op*, std::size_t> number;
  for (const auto& op : block.ops()) number.emplace(op.get(), number.size());
  std::vector<std::int64_t> change(number.size() + 1, 0);
  const auto add = [&](const ir::Value& value, std::size_t from) {
    std::size_t last = from;
    for (const ir::Use& use : value.uses()) {
      const ir::Op* at = ancestor_in(use.user, block);
      if (at != nullptr) last = std::max(last, number.at(at));
    }
    change[from] += register_bytes(value);
    change[last + 1 < change.size() ? last + 1 : change.size() - 1] -= register_bytes(value);
  };
  for (const auto& argument : block.arguments()) add(*argument, 0);
  for (const auto& op : block.ops()) {
    for (std::size_t i = 0; i < op->result_count(); ++i) add(*op->result(i), number.at(op.get()));
  }
  std::int64_t live = outside;
  for (const auto& op : block.ops()) {
    live += change[number.at(op.get())];
    if (live > peak.bytes) peak = {live, op.get()};
    const bool has_code = ir::is_loop(*op) ||
                          ir::is_choice(*op);
    for (const auto& region : op->regions()) {
      for (const auto& inner : region->blocks()) {
        if (has_code) find_peak(*inner, live, peak);
      }
    }
  }
}

void lint_registers(const LaunchContext& context, Report& report) {
  Peak peak;
  for (const auto& block : context.function.region().blocks()) find_peak(*block, 0, peak);
  const GpuModel& model = model_of(context);
  const std::int64_t threads = std::int64_t{kWarp} * context.options.num_warps;
  const std::int64_t needed = peak.bytes / (threads * kRegisterBytes) + kSpareRegisters;
  if (peak.op == nullptr || needed <= model.registers) return;
  report.add(lint_at(FindingCode::LSP08,
                     "estimated from the tiles that live here, not from the compiler: they take about " +
                         std::to_string(needed) + " registers a thread, of " + std::to_string(model.registers) + " (" +
                         std::to_string(context.options.num_warps) + " warps); the rest would be spilled to memory",
                     *peak.op, "use smaller tiles or more warps"));
}

}  // namespace

Finding lint_at(FindingCode code, std::string message, const ir::Op& op, std::string hint) {
  Finding finding = launch_finding(code, std::move(message), &op, "");
  finding.hint = std::move(hint);
  return finding;
}

void lint_text(const LaunchContext& context, Report& report) {
  lint_wide_indices(context, report);
  lint_registers(context, report);
  for_each_op(context.module, context.function, [&](const ir::Op& op) {
    if (!ir::is_matrix_product(op)) return;
    lint_dot(context, op, report);
    lint_shared_memory(context, op, report);
  });
}

}  // namespace lockstep::sanitizer
