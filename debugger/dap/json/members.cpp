#include "debugger/dap/json/members.h"

#include <algorithm>

#include "debugger/dap/json/values.h"
#include "debugger/session/overview.h"
#include "ir/op.h"

namespace lockstep::debugger::dap {

namespace {

using Kind = Container::Kind;

/// The scope of a variable of the kernel.
Kind member_kind(const Value& value, bool is_argument) {
  if (is_argument || std::holds_alternative<MemoryWindow>(value)) return Kind::arguments;
  const auto* tensor = std::get_if<Tensor>(&value);
  if (tensor == nullptr) return Kind::tiles;
  if (tensor->elements == ElementClass::pointer) return Kind::pointers;
  return tensor->elements == ElementClass::boolean && !tensor->is_scalar() ? Kind::masks : Kind::tiles;
}

/// Names of the frame that are not variables of the function: constants and arguments.
bool is_given(const std::vector<Variable>& variables, const std::string& name) {
  const auto found =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
  return found == variables.end() || found->is_argument;
}

/// The key of the definition for `locations`: its point's number, from 1 on.
std::int64_t value_location(const State& state, const std::vector<Variable>& variables, const std::string& name) {
  const auto known =
      std::find_if(variables.begin(), variables.end(), [&](const Variable& v) { return v.name == name; });
  if (known == variables.end() || known->value->defining_op() == nullptr) return 0;
  const auto& points = state.engine().kernel().points();
  const auto made = std::find_if(points.begin(), points.end(),
                                 [&](const Point& point) { return point.op == known->value->defining_op(); });
  return made == points.end() ? 0 : std::int64_t{made->number} + 1;
}

std::vector<NamedMember> variables_of(const State& state, Kind kind) {
  const Scope& scope = state.session().scope();
  std::vector<Variable> variables;
  if (state.engine().point() != nullptr) variables = state.session().frame().variables();
  std::vector<NamedMember> found;
  for (const std::string& name : scope.names()) {
    const auto value = scope.find(name);
    if (!value) continue;
    if (!*value) {
      if (kind == Kind::tiles) found.push_back({name, "<" + value->error() + ">", std::nullopt, false, 0});
    } else if (member_kind(**value, is_given(variables, name)) == kind) {
      found.push_back({name, "", **value, true, value_location(state, variables, name)});
    }
  }
  return found;
}

std::vector<NamedMember> program_loops(const State& state) {
  std::vector<NamedMember> found;
  if (state.engine().point() == nullptr) return found;
  for (const LoopPosition& loop : state.session().frame().loops()) {
    found.push_back({loop.variable.empty() ? "while" : loop.variable, loop.text(), std::nullopt, false, 0});
  }
  return found;
}

std::vector<NamedMember> launch_of(const State& state) {
  const Engine& engine = state.engine();
  std::vector<NamedMember> found;
  const auto add = [&found](const char* name, std::string text) {
    found.push_back({name, std::move(text), std::nullopt, false, 0});
  };
  const auto& grid = engine.grid();
  if (engine.point() != nullptr) {
    add("program", program_text(engine.program_id(engine.program())));
    add("step", std::to_string(engine.programs().current().steps));
  }
  add("grid", "(" + std::to_string(grid[0]) + "," + std::to_string(grid[1]) + "," + std::to_string(grid[2]) + ")");
  const ProgramCounts counts = count_programs(state.session());
  add("programs", std::to_string(counts.ended) + " ended, " + std::to_string(counts.live) + " running, " +
                      std::to_string(counts.not_started) + " not started");
  add("findings", std::to_string(engine.findings().size()));
  add("timeline", std::to_string(engine.timelines().current()));
  return found;
}

/// The rules of the launch.
std::vector<NamedMember> model_of(const State& state) {
  const Engine& engine = state.engine();
  const interpreter::RunRequest& request = engine.request();
  std::vector<NamedMember> found;
  const auto add = [&found](const char* name, std::string text) {
    found.push_back({name, std::move(text), std::nullopt, false, 0});
  };
  add("as", engine.kernel().profile().name());
  add("order", "programs in grid order; one that waits gives way");
  add("resident", request.resident == 0 ? "any number of programs" : std::to_string(request.resident) + " programs");
  add("bounds", request.reach == interpreter::Reach::view ? "view: a pointer reaches its argument"
                                                          : "storage: a pointer reaches its argument's storage");
  return found;
}

/// The facts of a program that is not at a point.
std::vector<NamedMember> program_of(const State& state, std::uint64_t program) {
  const Engine& engine = state.engine();
  std::vector<NamedMember> found;
  const auto add = [&found](const char* name, std::string text) {
    found.push_back({name, std::move(text), std::nullopt, false, 0});
  };
  add("program", program_text(engine.program_id(program)));
  const LiveProgram* live = engine.programs().find(program);
  if (live == nullptr) {
    add("state", engine.programs().has_started(program) ? "ended" : "not started");
    return found;
  }
  add("state", "waits for its time slice");
  add("step", std::to_string(live->steps));
  if (!live->trail().empty()) add("place", place_text(live->trail().back().place));
  return found;
}

}  // namespace

std::vector<NamedMember> members_of(const State& state, const Container& container) {
  switch (container.kind) {
    case Kind::loops: return program_loops(state);
    case Kind::launch: return launch_of(state);
    case Kind::model: return model_of(state);
    case Kind::program: return program_of(state, container.program);
    default: return variables_of(state, container.kind);
  }
}

Json member_json(State& state, const Container& container, const NamedMember& member) {
  Json json = Json::record({{"name", member.name}});
  if (!member.value) {
    json.set("value", member.text);
    json.set("variablesReference", 0);
    json.set("presentationHint", Json::record({{"attributes", Json(Json::Array{"readOnly"})}}));
    return json;
  }
  set_value(state, json, "value", *member.value, container.level, member.is_expression ? member.name : "");
  if (member.is_expression) json.set("evaluateName", member.name);
  if (member.location != 0) json.set("declarationLocationReference", member.location);
  return json;
}

}  // namespace lockstep::debugger::dap
