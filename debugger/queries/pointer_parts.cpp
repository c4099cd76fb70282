#include "debugger/queries/pointer_parts.h"

#include <optional>
#include <set>

#include "debugger/engine/names.h"
#include "ir/interfaces/lane_movement.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::debugger {

using What = PointerPart::What;

namespace {

constexpr std::size_t kMostDepth = 100;

class Collector {
 public:
  Collector(const Engine& engine, std::uint32_t activation, std::size_t most)
      : engine_(engine), activation_(activation), most_(most) {}

  void collect(const ir::Value& value, std::int64_t lane, std::size_t depth, std::size_t variables) {
    if (depth > kMostDepth || found_.size() >= most_) return;
    if (!value.type().is_tensor()) lane = 0;
    if (!seen_.emplace(&value, lane).second) return;
    const ir::Op* op = value.defining_op();
    if (op != nullptr && ir::is_constant(*op)) return;
    const auto end = end_of(value, op);
    const bool is_named = depth > 0 && is_variable(engine_, value);
    if (end || is_named || depth == 0) add(end.value_or(What::variable), value, lane, variables);
    if (end || op == nullptr) return;
    if (ir::moves_lanes(*op)) {
      const ir::LaneSource from = ir::lane_source(*op, value.index(), lane);
      return collect(*op->operand(from.operand), from.lane, depth + 1, variables + (is_named || depth == 0 ? 1 : 0));
    }
    for (const ir::Value* operand : op->operands())
      collect(*operand, lane, depth + 1, variables + (is_named || depth == 0 ? 1 : 0));
  }
  std::vector<PointerPart> take() { return std::move(found_); }

 private:
  /// The end of a chain; nullopt: it continues.
  std::optional<What> end_of(const ir::Value& value, const ir::Op* op) const {
    if (op == nullptr) {
      const bool is_of_kernel = value.owner_block() == &engine_.kernel().function().region().front();
      if (!is_of_kernel) return What::carried;
      return value.type().is_pointer() ? What::argument : What::scalar;
    }
    if (ir::is_program_id(*op)) return What::program_id;
    if (ir::is_range(*op)) return What::range;
    if (ir::is_pointer_load(*op)) return What::loaded;
    if (ir::moves_lanes(*op) || ir::keeps_lanes(*op)) return std::nullopt;
    return What::variable;
  }

  void add(What what, const ir::Value& value, std::int64_t lane, std::size_t variables) {
    const interpreter::Slot slot = engine_.kernel().slot_of(value, activation_);
    if (slot == interpreter::kNoSlot) return;
    PointerPart part{what, &value, lane, variables, read(engine_, slot)};
    const auto bytes = static_cast<std::size_t>(size_bytes(part.number.kind));
    const std::size_t at = part.number.bytes.size() == bytes ? 0 : static_cast<std::size_t>(lane) * bytes;
    if (at + bytes > part.number.bytes.size()) return;
    part.number.bytes = part.number.bytes.substr(at, bytes);
    part.number.shape.clear();
    found_.push_back(std::move(part));
  }

  const Engine& engine_;
  const std::uint32_t activation_;
  const std::size_t most_;
  std::vector<PointerPart> found_;
  std::set<std::pair<const ir::Value*, std::int64_t>> seen_;
};

}  // namespace

bool is_variable(const Engine& engine, const ir::Value& value) {
  return has_python_name(value) && !engine.kernel().definitions().intermediates.contains(&value);
}

std::vector<PointerPart> parts_of(const Engine& engine, const ir::Value& value, std::uint32_t activation,
                                  std::int64_t lane, std::size_t most) {
  Collector collector(engine, activation, most);
  collector.collect(value, lane, 0, 0);
  return collector.take();
}

}  // namespace lockstep::debugger
