#include "sanitizer/lanes/lane_facts.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

#include "ir/analysis/nesting.h"
#include "ir/analysis/value_slice.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "ir/walk.h"

namespace lockstep::sanitizer {

using interpreter::TouchKind;

namespace {

constexpr std::int64_t kAcquire = 2, kRelease = 3, kAcquireRelease = 4;  // `sem` of atomics

/// A scalar or a tile of one element: every thread has it, and one thread stores it.
bool is_single(const ir::Type& type) { return !type.is_tensor() || type.element_count() == 1; }

bool makes_tile(const ir::Op& op) {
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (!is_single(op.result(i)->type())) return true;
  }
  return false;
}

/// What a load gives every thread may go into single stores without anybody but one thread needing it; conditions and
/// larger tiles need it in every thread.
bool is_needed_by_all(const ir::Value& loaded) {
  ir::ValueSlice slice(loaded);
  while (const ir::Value* value = slice.next()) {
    for (const ir::Use& use : value->uses()) {
      const ir::Op& user = *use.user;
      if (ir::is_pointer_store(user) && is_single(interpreter::moved_value(user).type())) continue;
      const bool is_plain = user.def().effects == ir::Effects::pure && user.regions().empty();
      if (!is_plain || makes_tile(user)) return true;
      slice.add_results(user);
    }
  }
  return false;
}

bool feeds_dot(const ir::Op& load, const ir::Op& loop) {
  ir::ValueSlice slice;
  slice.add_results(load);
  while (const ir::Value* value = slice.next()) {
    for (const ir::Use& use : value->uses()) {
      if (!ir::is_inside(*use.user, loop)) continue;
      if (ir::multiplies_matrices(*use.user)) return true;
      slice.add_results(*use.user);
    }
  }
  return false;
}

/// Triton pipelines loads directly in a loop whose stages are given, or whose loads feed a product.
void find_pipeline(LaneAccess& access) {
  const ir::Op* loop = access.op->parent_op();
  if (loop == nullptr || !ir::is_counted_loop(*loop) || access.kind != TouchKind::load) return;
  if (loop->attribute("tt.num_stages")) {
    access.stages = static_cast<int>(loop->integer_attribute("tt.num_stages", 1));
    if (access.stages > 1) access.pipelined_in = loop;
  } else if (feeds_dot(*access.op, *loop)) {
    access.pipelined_in = loop;
  }
}

/// The values that a condition or a finished loop may return: from either branch, or from the last iteration.
std::vector<const ir::Value*> yielded(const ir::Value& value) {
  const ir::Op& op = *value.defining_op();
  if (ir::is_counted_loop(op)) return {ir::yielded_value(value)};
  std::vector<const ir::Value*> made;
  if (!ir::is_choice(op)) return made;
  for (const ir::Value* incoming : ir::incoming_values(value)) made.push_back(incoming);
  return made;
}

/// Loads from which the stored value is computed.
void find_sources(LaneAccess& access) {
  using Source = std::pair<const ir::Value*, bool>;  // true: behind a reduction to one element
  ir::Worklist<Source> open(Source(&interpreter::moved_value(*access.op), false));
  while (const auto at = open.next()) {
    const auto [value, is_whole] = *at;
    const ir::Op* made_by = value->defining_op();
    if (made_by == nullptr) continue;
    const bool is_reduction = ir::is_reduction(*made_by);
    if (interpreter::touches_memory(*made_by)) {
      (is_whole ? access.whole_sources : access.sources).push_back(made_by);
    } else if (made_by->regions().empty() || is_reduction) {
      const bool makes_one = is_reduction && value->type().element_count() == 1;
      for (const ir::Value* operand : made_by->operands()) open.add({operand, is_whole || makes_one});
    } else {
      for (const ir::Value* from : yielded(*value)) open.add({from, is_whole});
    }
  }
  access.sources.insert(access.sources.end(), access.whole_sources.begin(), access.whole_sources.end());
}

LaneAccess access_of(const ir::Module& module, const ir::Op& kernel, const ir::Op& op, std::uint32_t order) {
  LaneAccess made;
  made.op = &op;
  made.kind = *interpreter::touch_kind(op);
  made.memory = interpreter::memory_of(module, kernel, *op.operand(0));
  made.order = order;
  made.is_answered = op.result_count() > 0 && op.result(0)->has_uses();
  if (made.kind == TouchKind::load)
    made.is_everyones = is_single(op.result(0)->type()) && is_needed_by_all(*op.result(0));
  if (made.kind == TouchKind::store) find_sources(made);
  if (made.kind == TouchKind::atomic) {
    const std::int64_t sem = op.integer_attribute("sem", 0);
    made.acquires = sem == kAcquire || sem == kAcquireRelease;
    made.releases = sem == kRelease || sem == kAcquireRelease;
  }
  find_pipeline(made);
  return made;
}

/// Numbers values; equal numbers mean the same computation from the same values.
class ValueNumbers {
 public:
  /// Values are added in the order of the text, so that operands have numbers first.
  void add(const ir::Op& op) {
    const bool is_plain = op.def().effects == ir::Effects::pure && op.regions().empty();
    for (std::size_t i = 0; i < op.result_count(); ++i) {
      if (!is_plain || numbers_.contains(op.result(i))) continue;
      Key key = key_of(op, i);  // which may number operands
      const auto [known, is_new] = alike_.try_emplace(std::move(key), next_ + 1);
      numbers_[op.result(i)] = known->second;
      if (is_new) ++next_;
    }
  }
  /// 0 for null.
  std::uint64_t of(const ir::Value* value) {
    if (value == nullptr) return 0;
    const auto [known, is_new] = numbers_.try_emplace(value, next_ + 1);
    if (is_new) ++next_;
    return known->second;
  }

 private:
  using Key = std::vector<std::uint64_t>;
  Key key_of(const ir::Op& op, std::size_t result) {
    const auto number = [](const auto* node) {
      return static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(node));
    };
    Key key{number(&op.def()), result, number(op.result(result)->type().node())};
    for (const ir::NamedAttribute& one : op.attributes()) {
      key.push_back(names_.try_emplace(one.name, names_.size()).first->second);
      key.push_back(number(one.value.node()));
    }
    key.push_back(op.attributes().size());
    for (const ir::Value* operand : op.operands()) key.push_back(of(operand));
    return key;
  }

  std::unordered_map<const ir::Value*, std::uint64_t> numbers_;
  std::map<Key, std::uint64_t> alike_;
  std::map<std::string, std::uint64_t> names_;
  std::uint64_t next_ = 0;
};

/// Numbers plain accesses of one block whose tiles are computed alike; 0: none.
class TileNumbers {
 public:
  std::uint64_t of(const ir::Op& op, ValueNumbers& values) {
    const bool is_plain = (ir::is_pointer_load(op) || ir::is_pointer_store(op)) &&
                          !interpreter::is_block_type(op.operand(0)->type());
    if (!is_plain) return 0;
    const std::tuple key(op.block(), values.of(op.operand(0)), values.of(interpreter::access_mask(op)));
    return known_.try_emplace(key, known_.size() + 1).first->second;
  }

 private:
  std::map<std::tuple<const ir::Block*, std::uint64_t, std::uint64_t>, std::uint64_t> known_;
};

}  // namespace

LaneFacts::LaneFacts(const ir::Module& module, const ir::Op& kernel) {
  std::uint32_t order = 0;
  ValueNumbers values;
  TileNumbers tiles;
  ir::walk(module.op(), [&](const ir::Op& op) {
    ++order;
    values.add(op);
    if (!interpreter::touches_memory(op)) return;
    accesses_.push_back(access_of(module, kernel, op, order));
    accesses_.back().tile = tiles.of(op, values);
  });
}

}  // namespace lockstep::sanitizer
