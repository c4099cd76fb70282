#include "debugger/engine/names.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/interfaces/op_kinds.h"
#include "ir/interfaces/region_branch.h"
#include "ir/op_def.h"
#include "support/location.h"

namespace lockstep::debugger {
namespace {

constexpr int kMostNameSteps = 6;  // through loops within loops

/// The name in the innermost frame: an outer frame's name for the result of a call does not name anything inside.
std::string_view python_name(Location location) {
  const auto names = frame_names(location);
  if (!names.empty()) return names.front();
  return !location.is_unknown() && location->kind == LocationNode::Kind::name ? std::string_view(location->text) : "";
}

bool is_of_region(const ir::Value& argument) {
  const ir::Op* around = argument.owner_block()->parent_op();
  return around != nullptr && !ir::is_function(*around);
}

/// "acc" for "acc_24": the text numbers repeated names.
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
    const std::string_view yielded = of_result(value, steps);
    return yielded.empty() ? own : yielded;
  }

 private:
  /// A name from the values it may become; the loop body's value comes before the initial one.
  std::string_view of_incoming(const ir::Value& value, bool is_of_loop, int steps) const {
    std::vector<ir::Value*> incoming = ir::incoming_values(value);
    if (is_of_loop) std::reverse(incoming.begin(), incoming.end());
    for (const ir::Value* one : incoming) {
      if (const std::string_view found = name(*one, steps - 1); !found.empty()) return found;
    }
    return "";
  }

  std::string_view of_result(const ir::Value& result, int steps) const {
    const ir::Op& op = *result.defining_op();
    const ir::Value* carried = ir::carried_argument(result);
    const std::string_view own = carried != nullptr ? python_name(carried->location()) : "";
    return own.empty() ? of_incoming(result, ir::is_loop(op), steps) : own;
  }
  std::string_view of_argument(const ir::Value& argument, int steps) const {
    return ir::is_loop(*argument.owner_block()->parent_op()) ? of_incoming(argument, true, steps) : "";
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
