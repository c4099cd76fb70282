#include "frontend/gluon/gluon_warp_specialize.h"

#include <fmt/format.h>

#include "frontend/builtins/builtin_arguments.h"
#include "frontend/gluon/gluon_arguments.h"
#include "frontend/lowering/detached_block.h"
#include "frontend/semantics/value_parts.h"
#include "frontend/semantics/value_text.h"

namespace lockstep::frontend::rows {

namespace {

struct Partition {
  const JitFunction* function = nullptr;
  std::vector<Value> arguments;
};

Value refuse(BuiltinCall& call, std::string message, std::string hint = {}) {
  reporter(call).error(codes::kArguments, "gl.warp_specialize: " + std::move(message), std::move(hint));
  return {};
}

/// Empty: reported.
std::vector<Partition> partitions_of(BuiltinCall& call) {
  const std::vector<Value>* pairs = call[0].elements();
  std::vector<Partition> partitions;
  for (std::size_t i = 0; pairs != nullptr && i < pairs->size(); ++i) {
    const std::vector<Value>* pair = (*pairs)[i].elements();
    const bool fits = pair != nullptr && pair->size() == 2 && (*pair)[0].jit() != nullptr &&
                      (*pair)[1].elements() != nullptr;
    if (!fits) {
      refuse(call, fmt::format("each partition is a pair (function, (arguments, ...)), not {}", describe((*pairs)[i])));
      return {};
    }
    partitions.push_back({(*pair)[0].jit(), *(*pair)[1].elements()});
  }
  if (partitions.empty() && !call[0].is_invalid())
    refuse(call, fmt::format("a list of partitions is needed, not {}", describe(call[0])));
  return partitions;
}

bool check_counts(BuiltinCall& call, std::size_t workers, const Shape& warps, const Shape& registers) {
  if (workers > 16) return refuse(call, fmt::format("{} partitions, at most 16 are possible", workers)), false;
  if (warps.size() != workers || registers.size() != workers) {
    refuse(call, fmt::format("{} partitions, but {} numbers of warps and {} of registers", workers, warps.size(),
                             registers.size()));
    return false;
  }
  for (const std::int64_t count : warps) {
    if (count == 1 || count == 2 || count == 4 || count == 8 || count == 16) continue;
    refuse(call, fmt::format("a partition has 1, 2, 4, 8 or 16 warps, not {}", count));
    return false;
  }
  return true;
}

/// Moves `op`'s insertion there and back.
class InBlock {
 public:
  InBlock(Emitter& emitter, ir::Block& block)
      : emitter_(emitter), outside_(emitter.block()), here_(emitter.location()) {
    emitter_.builder().set_insertion_point_to_end(block);
  }
  InBlock(const InBlock&) = delete;
  InBlock& operator=(const InBlock&) = delete;
  ~InBlock() {
    emitter_.builder().set_insertion_point_to_end(*outside_);
    emitter_.set_location(here_);
  }

 private:
  Emitter& emitter_;
  ir::Block* outside_;
  Location here_;
};

/// The results of the default partition; what it yields is at the end of `block`. Invalid: reported.
Value lower_default(BuiltinCall& call, const Partition& partition, ir::Block& block) {
  Emitter& emitter = call.lowering.emit;
  const InBlock inside(emitter, block);
  const Value results = call.lowering.call_in_partition(*partition.function, partition.arguments, 0);
  if (results.is_invalid()) return {};
  if (!results.is_none() && results.elements() == nullptr)
    return refuse(call, fmt::format("the default partition {}() must return a tuple or nothing, not {}",
                                    partition.function->name, describe(results)));
  emitter.create("ttg.warp_yield", flatten(results), {});
  return results;
}

bool lower_worker(BuiltinCall& call, const Partition& partition, ir::Region& region,
                  const std::vector<ir::Type>& captured, std::size_t& cursor, int warps) {
  Emitter& emitter = call.lowering.emit;
  ir::Block& block = region.add_block();
  std::vector<ir::Value*> handles;
  for (const ir::Type type : captured) handles.push_back(block.add_argument(type, emitter.location()));
  const InBlock inside(emitter, block);
  std::vector<Value> arguments;
  for (const Value& argument : partition.arguments) arguments.push_back(rebuild(argument, handles, cursor));
  if (call.lowering.call_in_partition(*partition.function, std::move(arguments), warps).is_invalid()) return false;
  emitter.create("ttg.warp_return", {}, {});
  return true;
}

}  // namespace

Value gluon_warp_specialize(BuiltinCall& call) {
  const std::vector<Partition> partitions = partitions_of(call);
  const std::optional<Shape> warps = shape_argument(call, call[1], "worker_num_warps");
  const std::optional<Shape> registers = shape_argument(call, call[2], "worker_num_regs");
  if (partitions.empty() || !warps || !registers || !check_counts(call, partitions.size() - 1, *warps, *registers))
    return {};
  if (call.lowering.partition_warps > 0) return refuse(call, "partitions cannot be nested");
  Emitter& emitter = call.lowering.emit;
  ir::Context& context = emitter.context();
  DetachedBlock default_block;
  const Value results = lower_default(call, partitions[0], default_block.block());
  if (results.is_invalid()) return {};
  std::vector<ir::Value*> captures;
  for (std::size_t i = 1; i < partitions.size(); ++i) flatten(Value::tuple(partitions[i].arguments), captures);
  std::vector<ir::Type> captured, types;
  for (const ir::Value* capture : captures) captured.push_back(capture->type());
  for (const ir::Value* handle : flatten(results)) types.push_back(handle->type());
  ir::Op* op = emitter.create("ttg.warp_specialize", captures, types,
                              {{"partitionNumWarps", context.dense_array(context.integer(32), *warps)},
                               {"requestedRegisters", context.dense_array(context.integer(32), *registers)}});
  default_block.move_to(op->region(0).add_block());
  std::size_t cursor = 0;
  for (std::size_t i = 1; i < partitions.size(); ++i) {
    if (!lower_worker(call, partitions[i], op->add_region(), captured, cursor, static_cast<int>((*warps)[i - 1])))
      return {};
  }
  if (results.is_none()) return Value::raw_none();
  std::vector<ir::Value*> handles;
  for (std::size_t i = 0; i < types.size(); ++i) handles.push_back(op->result(i));
  std::size_t at = 0;
  return rebuild(results, handles, at);
}

}  // namespace lockstep::frontend::rows
