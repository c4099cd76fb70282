#include <algorithm>

#include "debugger/session/brief.h"
#include "debugger/session/overview.h"
#include "debugger/session/session.h"
#include "ir/breakpoint.h"

namespace lockstep::debugger {

namespace {

Problem problem_with(std::string_view what, std::string_view text, const ExpressionError& error) {
  return {std::string(what) + " '" + std::string(text) + "': " + error.message, ""};
}

Problem no_such(std::uint32_t id) {
  return {"there is no breakpoint or watch " + std::to_string(id), "`info breaks` lists them"};
}

}  // namespace

Expected<Where, Problem> Session::resolve(std::string_view text) const {
  const Place here = engine_->point() != nullptr ? frame().place() : Place{};
  auto where = resolve_where(engine_->kernel(), text, here);
  if (where) return where;
  std::vector<Breakpoint::At> entries = calls_->entries(text);
  if (entries.empty()) return where;
  const Place first = engine_->kernel().points()[entries.front().point].frames[entries.front().frame];
  return Where{std::string(text), std::move(entries), first};
}

// ---- breakpoints ----

bool Session::holds(const Expression& condition, std::uint32_t id, const std::string& name) {
  stop_scope_->set_level(frame_of_stop(id));
  const auto answer = evaluate_condition(condition, *stop_scope_);
  if (answer) return *answer;
  problems_.push_back(name + ": '" + condition.text() + "': " + answer.error().message);
  return true;
}

void Session::write_log(const std::vector<MessagePart>& message, std::uint32_t id) {
  stop_scope_->set_level(frame_of_stop(id));
  std::string line;
  for (const MessagePart& part : message) {
    if (part.expression.empty()) {
      line += part.text;
      continue;
    }
    const auto value = debugger::evaluate(part.expression.front(), *stop_scope_);
    line += value ? brief_text(*value, *stop_scope_) : "<" + value.error().message + ">";
  }
  setup_.output(line + "\n");
}

/// Condition, rule and log. Reads breakpoint.id when asked, which the engine gives.
Expected<void, Problem> Session::fill(Breakpoint& breakpoint, const StopRequest& request) {
  auto rule = parse_hit_rule(request.hits);
  if (!rule) return Unexpected{rule.error()};
  breakpoint.rule = *rule;
  breakpoint.is_temporary = request.is_temporary;
  breakpoint.condition = nullptr;
  breakpoint.may_hold = nullptr;
  breakpoint.log = nullptr;
  const auto id = std::make_shared<std::uint32_t>(breakpoint.id);
  if (!request.condition.empty()) {
    auto parsed = parse_expression(request.condition);
    if (!parsed) return Unexpected{problem_with("the condition", request.condition, parsed.error())};
    const auto condition = std::make_shared<const Expression>(std::move(*parsed));
    breakpoint.condition = [this, condition, id] {
      return holds(*condition, *id, "the condition of breakpoint " + std::to_string(*id));
    };
    if (depends_only_on_program(*condition, *stop_scope_)) {
      breakpoint.may_hold = [this, condition](std::uint64_t program) {
        const ProgramId at = engine_->program_id(program);
        const ProgramScope scope({at[0], at[1], at[2]}, engine_->grid(), *stop_scope_);
        const auto answer = evaluate_condition(*condition, scope);
        return !answer || *answer;
      };
    }
  }
  if (!request.log.empty()) {
    auto parsed = parse_message(request.log);
    if (!parsed) return Unexpected{problem_with("the message", request.log, parsed.error())};
    const auto message = std::make_shared<const std::vector<MessagePart>>(std::move(*parsed));
    breakpoint.log = [this, message, id] { write_log(*message, *id); };
  }
  ids_.push_back(id);
  return {};
}

Expected<std::uint32_t, Problem> Session::add_stop(const Where& where, const StopRequest& request) {
  Breakpoint breakpoint;
  breakpoint.at = where.at;
  const auto filled = fill(breakpoint, request);
  if (!filled) return Unexpected{filled.error()};
  const std::uint32_t id = engine_->stops().add(std::move(breakpoint));
  *ids_.back() = id;
  stops_[id] = {id, where, request};
  return id;
}

/// A stop for each line with a breakpoint() of the kernel's own.
void Session::add_written_stops() {
  std::vector<Where> lines;
  for (const Point& point : engine_->kernel().points()) {
    if (!ir::is_breakpoint(*point.op)) continue;
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const Where& where) {
      return where.place.is_known() && where.place.same_line(point.place());
    });
    if (known != lines.end()) {
      known->at.push_back({point.number, Breakpoint::kAnyTime});
      continue;
    }
    lines.push_back(where_of_point(engine_->kernel(), point.number));
    if (point.place().is_known()) lines.back().text = place_text(point.place());
  }
  for (const Where& where : lines) add_stop(where, {});
}

Expected<void, Problem> Session::change_stop(std::uint32_t id, const StopRequest& request) {
  Breakpoint* breakpoint = engine_->stops().breakpoint(id);
  if (breakpoint == nullptr || !stops_.contains(id)) return Unexpected{no_such(id)};
  Breakpoint changed = *breakpoint;
  const auto filled = fill(changed, request);
  if (!filled) return Unexpected{filled.error()};
  *breakpoint = std::move(changed);
  stops_[id].request = request;
  return {};
}

Expected<void, Problem> Session::set_ignore(std::uint32_t id, std::uint64_t count) {
  Breakpoint* breakpoint = engine_->stops().breakpoint(id);
  if (breakpoint == nullptr || !stops_.contains(id)) return Unexpected{no_such(id)};
  breakpoint->ignore = count;
  return {};
}

Expected<void, Problem> Session::enable(std::uint32_t id, bool is_enabled) {
  Breakpoint* breakpoint = stops_.contains(id) ? engine_->stops().breakpoint(id) : nullptr;
  Watch* watch = engine_->stops().watch(id);
  if (breakpoint == nullptr && watch == nullptr) return Unexpected{no_such(id)};
  (breakpoint != nullptr ? breakpoint->is_enabled : watch->is_enabled) = is_enabled;
  return {};
}

Expected<void, Problem> Session::remove(std::uint32_t id) {
  if (stops_.erase(id) + watches_.erase(id) == 0) return Unexpected{no_such(id)};
  engine_->stops().remove(id);
  return {};
}

// ---- watches ----

namespace {

/// Row-major bits of a variable's elements, as a text to compare and to decode again.
std::string packed(const Tensor& tensor, const std::vector<std::int64_t>& elements) {
  std::string text;
  for (const std::int64_t element : elements) {
    const std::uint64_t bits = tensor.bits_of(static_cast<std::size_t>(element));
    text.append(reinterpret_cast<const char*>(&bits), static_cast<std::size_t>(size_bytes(tensor.kind)));
  }
  return text;
}

/// "0 -> 1.5" of one element, "3 of 4 elements, first [1] 0 -> 1.5" of several, "1.5" where nothing changed.
std::string change_text(const Tensor& before, const Tensor& after, const Scope& scope,
                        const std::function<std::string(std::size_t)>& name) {
  std::size_t changed = 0, first = 0;
  const auto count = static_cast<std::size_t>(after.count());
  for (std::size_t i = 0; i < count; ++i) {
    if (before.bits_of(i) == after.bits_of(i)) continue;
    if (changed++ == 0) first = i;
  }
  if (changed == 0) {
    const std::string value = element_text(after, 0, scope);
    return count == 1 ? name(0) + " is " + value : name(0) + " .. " + name(count - 1);
  }
  std::string text =
      name(first) + " " + element_text(before, first, scope) + " -> " + element_text(after, first, scope);
  if (count > 1) text += " (" + std::to_string(changed) + " of " + std::to_string(count) + " elements changed)";
  return text;
}

}  // namespace

/// The bits of what is watched; only in the program and kernel that it was asked of.
std::optional<std::string> Session::watched_text(const WatchFacts& watch) const {
  if (engine_->point() == nullptr || engine_->program() != watch.program) return std::nullopt;
  const EngineScope scope(*engine_, {nullptr, nullptr});
  const auto found = scope.find(watch.target.variable);
  if (!found || !*found) return std::nullopt;
  const auto* tensor = std::get_if<Tensor>(&**found);
  if (tensor == nullptr || tensor->shape != watch.target.shape) return std::nullopt;
  return packed(*tensor, watch.target.elements);
}

Expected<std::uint32_t, Problem> Session::add_watch(std::string_view target, Watch::Kind kind,
                                                    std::string_view condition) {
  const auto expression = parse_expression(target);
  if (!expression) return Unexpected{problem_with("watch", target, expression.error())};
  auto resolved = resolve_target(*expression, *scope_);
  if (!resolved) return Unexpected{problem_with("watch", target, resolved.error())};
  WatchFacts facts{0, 0, std::move(*resolved), kind, std::string(condition)};
  Watch watch;
  watch.kind = kind;
  if (facts.target.is_memory) {
    for (const memory_model::Extent& extent : facts.target.bytes) watch.bytes.push_back({extent.begin, extent.end});
    if (watch.bytes.empty()) return Unexpected{Problem{"'" + facts.target.text + "' has no elements", ""}};
  } else {
    if (kind == Watch::Kind::read || kind == Watch::Kind::access)
      return Unexpected{Problem{"reads of a variable cannot be watched", "`watch` stops where it changes"}};
    facts.program = engine_->program();
    watch.value = [this, shared = std::make_shared<const WatchFacts>(facts)] { return watched_text(*shared); };
  }
  return add_watch(std::move(facts), std::move(watch));
}

/// The elements that fill the bytes where the argument's own do, else single bytes.
Expected<std::uint32_t, Problem> Session::add_watch(ByteRange bytes, Watch::Kind kind, std::string_view condition) {
  const auto& memory = engine_->memory();
  const auto storage = memory.find_storage(bytes.begin);
  if (!storage || bytes.begin >= bytes.end || bytes.end > memory.storage(*storage).extent.end)
    return Unexpected{Problem{"these bytes are not all of one argument", ""}};
  WatchFacts facts{0, 0, {}, kind, std::string(condition)};
  facts.target.is_memory = true;
  facts.target.bytes = {{bytes.begin, bytes.end}};
  const std::uint64_t count = bytes.end - bytes.begin;
  MemoryWindow& window = facts.target.window;
  window = {"", ScalarKind::i8, bytes.begin, {static_cast<std::int64_t>(count)}, {1}, -1, Age::now};
  const PointerPlace place = scope_->place_of(bytes.begin, -1);
  const auto argument = scope_->argument(place.argument);
  const auto size = argument ? static_cast<std::uint64_t>(size_bytes(argument->kind)) : 0;
  if (place.is_inside && size != 0 && !place.index.empty() && count % size == 0) {
    window.name = place.argument;
    window.kind = argument->kind;
    window.view = argument->view;
    window.shape = {static_cast<std::int64_t>(count / size)};
  }
  facts.target.text = std::to_string(count) + " bytes of " + place.argument + " at " + std::to_string(place.offset);
  Watch watch;
  watch.kind = kind;
  watch.bytes = {bytes};
  return add_watch(std::move(facts), std::move(watch));
}

Expected<std::uint32_t, Problem> Session::add_watch(WatchFacts facts, Watch watch) {
  const std::string& condition = facts.condition;
  if (!condition.empty()) {
    auto parsed = parse_expression(condition);
    if (!parsed) return Unexpected{problem_with("the condition", condition, parsed.error())};
    watch.condition = [this, shared = std::make_shared<const Expression>(std::move(*parsed))] {
      return holds(*shared, 0, "the condition of a watch");
    };
  }
  const std::uint32_t id = engine_->stops().add(std::move(watch));
  facts.id = id;
  watches_[id] = std::move(facts);
  return id;
}

std::string Session::watch_text(const WatchHit& hit) const {
  const std::string head = "watch " + std::to_string(hit.id) + ": ";
  const auto known = watches_.find(hit.id);
  if (known == watches_.end()) return head;
  const Target& target = known->second.target;
  if (!target.is_memory) {
    const auto found = scope_->find(target.variable);
    const Tensor* now = found && *found ? std::get_if<Tensor>(&**found) : nullptr;
    if (now == nullptr) return head + target.text + " changed";
    const auto count = static_cast<std::int64_t>(target.elements.size());
    const auto name = [&](std::size_t i) {
      return target.shape.empty() ? target.variable
                                  : target.variable + index_text(index_of(target.elements[i], target.shape));
    };
    return head + change_text(decode_tensor(now->kind, {count}, hit.before),
                              decode_tensor(now->kind, {count}, hit.after), *scope_, name);
  }
  const std::int64_t size = size_bytes(target.window.kind);
  const auto count = static_cast<std::int64_t>(hit.bytes.end - hit.bytes.begin) / size;
  const auto name = [&](std::size_t i) {
    const PointerPlace place =
        scope_->place_of(hit.bytes.begin + i * static_cast<std::size_t>(size), target.window.view);
    if (target.window.view < 0) return "byte " + std::to_string(place.offset) + " of " + place.argument;
    return place.argument + (place.shape.empty() ? "" : index_text(place.index));
  };
  std::string text = head + change_text(decode_tensor(target.window.kind, {count}, hit.before),
                                        decode_tensor(target.window.kind, {count}, hit.after), *scope_, name);
  if (hit.before == hit.after) text += known->second.kind == Watch::Kind::read ? " read" : ", read or unchanged";
  if (hit.by != nullptr)
    text += ", by " + std::string(hit.by->op->spelling()) + " at " + place_text(hit.by->place()) + " in program " +
            program_text(engine_->program_id(hit.program));
  return text;
}

// ---- what if ----

namespace {

using Set = Expected<std::string, Problem>;

/// Bytes of as many elements as the place has: one for each, or one for all.
Expected<std::string, std::string> bytes_for(const Tensor& value, ScalarKind kind, std::int64_t elements) {
  auto bytes = encode_tensor(value, kind);
  if (!bytes) return bytes;
  if (value.count() == elements) return bytes;
  if (value.count() != 1)
    return Unexpected{std::to_string(value.count()) + " values for " + std::to_string(elements) + " elements"};
  std::string all;
  for (std::int64_t i = 0; i < elements; ++i) all += *bytes;
  return all;
}

void walk_window(const MemoryWindow& window, std::size_t dimension, std::uint64_t address,
                 std::vector<std::uint64_t>& addresses) {
  if (dimension == window.shape.size()) {
    addresses.push_back(address);
    return;
  }
  for (std::int64_t i = 0; i < window.shape[dimension]; ++i) {
    const std::int64_t offset = i * window.strides[dimension] * size_bytes(window.kind);
    walk_window(window, dimension + 1, address + static_cast<std::uint64_t>(offset), addresses);
  }
}

}  // namespace

Expected<std::string, Problem> Session::set(std::string_view target, std::string_view expression) {
  if (engine_->point() == nullptr) return Unexpected{Problem{"the launch has ended", "go back with `rs` or `rc`"}};
  const auto place = parse_expression(target);
  if (!place) return Unexpected{problem_with("set", target, place.error())};
  const auto resolved = resolve_target(*place, *scope_);
  if (!resolved) return Unexpected{problem_with("set", target, resolved.error())};
  const auto value = evaluate(expression);
  if (!value) return Unexpected{problem_with("set", expression, value.error())};
  const auto tensor = tensor_of(*value, *scope_);
  if (!tensor) return Unexpected{Problem{tensor.error(), ""}};
  const auto done = resolved->is_memory ? set_window(resolved->window, *tensor) : set_variable(*resolved, *tensor);
  if (!done) return Unexpected{done.error()};
  const auto now = evaluate(target);
  return resolved->text + " = " + (now ? brief_text(*now, *scope_) : "?");
}

Expected<void, Problem> Session::set_window(const MemoryWindow& window, const Tensor& value) {
  const auto bytes = bytes_for(value, window.kind, window.count());
  if (!bytes) return Unexpected{Problem{bytes.error(), ""}};
  std::vector<std::uint64_t> addresses;
  walk_window(window, 0, window.base, addresses);
  const auto size = static_cast<std::size_t>(size_bytes(window.kind));
  std::vector<Engine::MemoryEdit> edits;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string element = bytes->substr(i * size, size);
    if (!edits.empty() && edits.back().address + edits.back().bytes.size() == addresses[i]) {
      edits.back().bytes += element;
    } else {
      edits.push_back({addresses[i], element});
    }
  }
  return change_memory(edits);
}

Expected<void, Problem> Session::change_memory(const std::vector<Engine::MemoryEdit>& edits) {
  for (const Engine::MemoryEdit& edit : edits) {
    const bool is_fixed = std::any_of(setup_.read_only.begin(), setup_.read_only.end(), [&](const ByteRange& range) {
      return edit.address < range.end && range.begin < edit.address + edit.bytes.size();
    });
    if (is_fixed) return Unexpected{Problem{"the program's array is read-only", "pass a copy of it to the kernel"}};
  }
  engine_->set_memory(edits);
  return {};
}

Expected<void, Problem> Session::set_variable(const Target& target, const Tensor& value) {
  const auto variable =
      target.variable.starts_with('%') ? frame().find_ssa(target.variable) : frame().find(target.variable);
  if (!variable) return Unexpected{Problem{"'" + target.variable + "' cannot be set", "the kernel does not keep it"}};
  Datum datum = read(*engine_, variable->slot);
  const auto bytes = bytes_for(value, datum.kind, static_cast<std::int64_t>(target.elements.size()));
  if (!bytes) return Unexpected{Problem{bytes.error(), ""}};
  const auto size = static_cast<std::size_t>(size_bytes(datum.kind));
  for (std::size_t i = 0; i < target.elements.size(); ++i) {
    datum.bytes.replace(static_cast<std::size_t>(target.elements[i]) * size, size, *bytes, i * size, size);
  }
  engine_->set_value(variable->slot, datum.bytes);
  return {};
}

Expected<void, Problem> Session::write_memory(std::uint64_t address, const std::string& bytes) {
  if (engine_->point() == nullptr) return Unexpected{Problem{"the launch has ended", "go back with `rs` or `rc`"}};
  const auto storage = engine_->memory().find_storage(address);
  if (!storage || bytes.size() > engine_->memory().storage(*storage).extent.end - address)
    return Unexpected{Problem{"these bytes are not all of one argument", ""}};
  return change_memory({{address, bytes}});
}

}  // namespace lockstep::debugger
