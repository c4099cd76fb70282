#include "debugger/engine/names.h"

#include <string_view>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/location.h"

namespace lockstep::debugger {
namespace {

using ir::Opcode;

constexpr int kMostNameSteps = 6;  // through loops within loops
constexpr std::size_t kLoopBounds = 3;

/// Of the innermost frame: what outer ones call the result of a call is no name of what is inside.
std::string_view python_name(Location location) {
  const auto names = frame_names(location);
  if (!names.empty()) return names.front();
  return !location.is_unknown() && location->kind == LocationNode::Kind::name ? std::string_view(location->text) : "";
}

bool is_of_region(const ir::Value& argument) {
  const ir::Op* around = argument.owner_block()->parent_op();
  return around != nullptr && !ir::is_function(*around);
}

/// "acc" of "acc_24": names in the text are numbered where they repeat.
std::string without_number(const std::string& name) {
  const std::size_t end = name.find_last_not_of("0123456789");
  const bool is_numbered = end != std::string::npos && end > 0 && end + 1 < name.size() && name[end] == '_';
  return is_numbered ? name.substr(0, end) : name;
}

class Namer {
 public:
  std::string_view name(const ir::Value& value, int steps) const {
    if (steps == 0) return "";
    const ir::Op* made = value.defining_op();
    if (made == nullptr) {
      const std::string_view own = python_name(value.location());
      return own.empty() && is_of_region(value) ? of_argument(value, steps) : own;
    }
    const std::string_view own = python_name(made->location());
    if (made->regions().empty() || (made->result_count() == 1 && !own.empty())) return own;
    const std::string_view yielded = of_result(*made, value.index(), steps);
    return yielded.empty() ? own : yielded;
  }

 private:
  /// Operand `i` of what ends the region's last block.
  std::string_view of_yield(const ir::Op& op, std::size_t region, std::size_t i, int steps) const {
    if (region >= op.regions().size() || op.region(region).empty()) return "";
    const ir::Op* end = op.region(region).blocks().back()->terminator();
    return end == nullptr || i >= end->operand_count() ? "" : name(*end->operand(i), steps - 1);
  }
  std::string_view of_operand(const ir::Op& op, std::size_t i, int steps) const {
    return i < op.operand_count() ? name(*op.operand(i), steps - 1) : "";
  }
  static std::string_view first(std::string_view a, std::string_view b) { return a.empty() ? b : a; }

  std::string_view of_result(const ir::Op& op, std::size_t i, int steps) const {
    switch (op.def().opcode) {
      case Opcode::scf_for: {
        const auto& arguments = op.region().front().arguments();
        const std::string_view own = i + 1 < arguments.size() ? python_name(arguments[i + 1]->location()) : "";
        return own.empty() ? first(of_yield(op, 0, i, steps), of_operand(op, kLoopBounds + i, steps)) : own;
      }
      case Opcode::scf_if: return first(of_yield(op, 0, i, steps), of_yield(op, 1, i, steps));
      case Opcode::scf_while: return of_yield(op, 0, i + 1, steps);
      default: return "";
    }
  }
  std::string_view of_argument(const ir::Value& argument, int steps) const {
    const ir::Block& block = *argument.owner_block();
    const ir::Op& op = *block.parent_op();
    const std::size_t i = argument.index();
    if (ir::is_counted_loop(op))
      return i == 0 ? "" : first(of_yield(op, 0, i - 1, steps), of_operand(op, kLoopBounds + i - 1, steps));
    if (!ir::is_open_loop(op)) return "";
    if (block.parent() == &op.region(1)) return of_yield(op, 0, i + 1, steps);
    return first(of_yield(op, 1, i, steps), of_operand(op, i, steps));
  }
};

}  // namespace

std::vector<std::string_view> frame_names(Location location) {
  constexpr int kMostVisited = 1000;  // of hostile nesting
  const std::vector<const LocationNode*> frames = user_frames(location);
  std::vector<std::string_view> names(frames.size());
  std::vector<std::pair<Location, std::string_view>> pending{{location, ""}};
  std::size_t next = 0;
  for (int visited = 0; !pending.empty() && next < frames.size() && visited < kMostVisited; ++visited) {
    const auto [current, name] = pending.back();
    pending.pop_back();
    if (current.is_unknown()) continue;
    if (current->kind == LocationNode::Kind::file && current.node() == frames[next]) names[next++] = name;
    const bool is_name = current->kind == LocationNode::Kind::name;
    const bool is_fused = current->kind == LocationNode::Kind::fused && !current->children.empty();
    const auto& children = current->children;
    for (std::size_t i = is_fused ? 1 : children.size(); i-- > 0;)
      pending.emplace_back(children[i], is_name ? std::string_view(current->text) : std::string_view());
  }
  return names;
}

std::string name_of(const ir::Value& value) {
  const std::string_view python = Namer().name(value, kMostNameSteps);
  if (!python.empty()) return std::string(python);
  const bool is_carried = value.defining_op() == nullptr && is_of_region(value);
  return is_carried ? without_number(value.name()) : value.name();
}

bool has_python_name(const ir::Value& value) { return !Namer().name(value, kMostNameSteps).empty(); }

Location location_of(const ir::Value& value) {
  const ir::Op* made = value.defining_op();
  if (made != nullptr) return made->location();
  const bool is_known = !python_name(value.location()).empty() && !user_frames(value.location()).empty();
  return is_known || !is_of_region(value) ? value.location() : value.owner_block()->parent_op()->location();
}

}  // namespace lockstep::debugger
