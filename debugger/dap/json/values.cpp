#include "debugger/dap/json/values.h"

#include <charconv>

#include "debugger/dap/json/layout_json.h"
#include "debugger/expression/show.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kLineWidth = 120;

/// The address of the bytes behind a value; nullopt: not in memory.
std::optional<std::uint64_t> address_of(const Value& value) {
  if (const auto* window = std::get_if<MemoryWindow>(&value)) return window->base;
  const auto* tensor = std::get_if<Tensor>(&value);
  if (tensor == nullptr || tensor->elements != ElementClass::pointer || !tensor->is_scalar()) return std::nullopt;
  return static_cast<std::uint64_t>(tensor->integers[0]);
}

}  // namespace

std::string address_text(std::uint64_t address) {
  char digits[24];
  const auto end = std::to_chars(digits, digits + sizeof digits, address, 16);
  return "0x" + std::string(digits, end.ptr);
}

void set_value(State& state, Json& object, const char* text_key, const Value& value, std::size_t level,
               const std::string& expression) {
  const Scope& scope = state.session().scope();
  const auto shape = shape_of(value);
  const bool is_text = std::holds_alternative<std::string>(value) || std::holds_alternative<Nothing>(value);
  object.set(text_key, shape.empty() ? show_line(value, scope, kLineWidth) : show_summary(value, scope));
  if (!is_text) object.set("type", type_text(value));
  const bool has_elements = !shape.empty() && element_count(shape) != 0;
  const std::int64_t number =
      has_elements ? state.references.add(Container{Container::Kind::value, level, value, expression, 0}) : 0;
  object.set("variablesReference", number);
  if (number != 0) object.set("indexedVariables", shape.front());
  if (number != 0 && laid_out(state, expression)) object.set("namedVariables", 1);
  if (const auto address = address_of(value)) object.set("memoryReference", address_text(*address));
}

Expected<void, std::string> look_at_frame(State& state, std::int64_t frame) {
  Session& session = state.session();
  std::size_t level = session.hidden_levels();
  if (frame != 0) {
    const FrameReference* known = state.references.frame(frame);
    if (known == nullptr) return Unexpected{std::string("this frame no longer exists")};
    if (known->kind == FrameReference::Kind::waiting)
      return Unexpected{std::string("this program is not the current one: step it to see its values")};
    level = known->level;
  }
  if (state.engine().point() != nullptr && !session.set_level(level))
    return Unexpected{std::string("this frame no longer exists")};
  return {};
}

std::string element_expression(const std::string& expression, std::int64_t index) {
  if (expression.empty()) return "";
  if (expression.back() == ']') return expression.substr(0, expression.size() - 1) + "," + std::to_string(index) + "]";
  return expression + "[" + std::to_string(index) + "]";
}

Expected<std::string, std::string> expression_in(State& state, std::int64_t container, std::int64_t frame,
                                                 const std::string& name) {
  if (container == 0) {
    const auto looked = look_at_frame(state, frame);
    if (!looked) return Unexpected{looked.error()};
    return name;
  }
  const Container* known = state.references.container(container);
  if (known == nullptr) return Unexpected{std::string("this variable no longer exists")};
  if (state.engine().point() != nullptr) state.session().set_level(known->level);
  if (known->kind == Container::Kind::layout) return Unexpected{"'" + name + "' of a layout is not a value"};
  if (known->kind != Container::Kind::value) return name;
  std::int64_t index = 0;
  const bool is_index = name.size() > 2 && name.front() == '[' && name.back() == ']';
  const char* end = name.data() + name.size() - (is_index ? 1 : 0);
  const char* begin = name.data() + (is_index ? 1 : 0);
  const auto read = std::from_chars(begin, end, index);
  if (known->expression.empty() || begin == end || read.ec != std::errc{} || read.ptr != end)
    return Unexpected{"'" + name + "' is not an element with a name"};
  return element_expression(known->expression, index);
}

void report_edit(State& state) {
  if (!state.client.has_invalidated) return;
  state.channel.event("invalidated", Json::record({{"areas", Json(Json::Array{"variables"})}}));
}

}  // namespace lockstep::debugger::dap
