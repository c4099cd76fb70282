#include "debugger/session/session_stops.h"

#include <algorithm>
#include <utility>

#include "debugger/session/program_text.h"
#include "debugger/session/summary.h"
#include "ir/breakpoint.h"
#include "ir/text/python_name.h"

namespace lockstep::debugger {

namespace {

Problem no_such(std::uint32_t id) {
  return {"there is no breakpoint or watch " + std::to_string(id), "`info breaks` lists them"};
}

}  // namespace

// ---- breakpoints ----

void SessionStops::begin_move() {
  problems_.clear();
  stop_scope_.set_level(0);
}

void SessionStops::forget_ended(const std::vector<std::uint32_t>& ids) {
  for (const std::uint32_t id : ids) {
    if (engine_.stops().breakpoint(id) == nullptr) stops_.erase(id);
  }
}

void SessionStops::remove_all() {
  for (const auto& [id, stop] : std::exchange(stops_, {})) engine_.stops().remove(id);
  for (const auto& [id, watch] : std::exchange(watches_, {})) engine_.stops().remove(id);
}

/// The frame of the stop with that id, at the current point.
std::size_t SessionStops::frame_of(std::uint32_t id) const {
  const auto facts = stops_.find(id);
  if (facts == stops_.end() || engine_.point() == nullptr) return 0;
  for (const Breakpoint::At& at : facts->second.where.at) {
    if (at.point == engine_.point()->number && at.frame != Breakpoint::kAnyTime) return at.frame;
  }
  return 0;
}

bool SessionStops::stops_here(std::uint32_t id) {
  Breakpoint& breakpoint = *engine_.stops().breakpoint(id);
  const Point* point = engine_.point();
  if (!breakpoint.is_enabled || breakpoint.is_of_last_op || point == nullptr) return false;
  const bool is_at = std::any_of(breakpoint.at.begin(), breakpoint.at.end(), [&](const Breakpoint::At& at) {
    if (at.point != point->number) return false;
    if (at.frame == Breakpoint::kAnyTime) return true;
    return engine_.programs().current().new_level <= point->frames.size() - 1 - at.frame;
  });
  if (!is_at || (breakpoint.condition && !breakpoint.condition())) return false;
  ++breakpoint.hits;
  if (breakpoint.ignore > 0) return --breakpoint.ignore, false;
  if (!breakpoint.rule.holds(breakpoint.hits)) return false;
  if (breakpoint.log) breakpoint.log();
  return !breakpoint.log;
}

bool SessionStops::holds(const Expression& condition, std::uint32_t id, const std::string& name) {
  stop_scope_.set_level(frame_of(id));
  const auto answer = evaluate_condition(condition, stop_scope_);
  if (answer) return *answer;
  problems_.push_back(name + ": '" + condition.text() + "': " + answer.error().message);
  return true;
}

void SessionStops::write_log(const std::vector<MessagePart>& message, std::uint32_t id) {
  stop_scope_.set_level(frame_of(id));
  std::string line;
  for (const MessagePart& part : message) {
    if (part.expression.empty()) {
      line += part.text;
      continue;
    }
    const auto value = debugger::evaluate(part.expression.front(), stop_scope_);
    line += value ? brief_text(*value, stop_scope_) : "<" + value.error().message + ">";
  }
  output_(line + "\n");
}

/// Condition, rule and log. Reads breakpoint.id on demand, which the engine sets.
Expected<void, Problem> SessionStops::fill(Breakpoint& breakpoint, const StopRequest& request) {
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
    if (depends_only_on_program(*condition, stop_scope_)) {
      breakpoint.may_hold = [this, condition](std::uint64_t program) {
        const ProgramId at = engine_.program_id(program);
        const ProgramScope scope({at[0], at[1], at[2]}, engine_.grid(), stop_scope_);
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

Expected<std::uint32_t, Problem> SessionStops::add(const Where& where, const StopRequest& request) {
  Breakpoint breakpoint;
  breakpoint.at = where.at;
  const auto filled = fill(breakpoint, request);
  if (!filled) return Unexpected{filled.error()};
  const std::uint32_t id = engine_.stops().add(std::move(breakpoint));
  *ids_.back() = id;
  stops_[id] = {id, where, request};
  return id;
}

/// A stop for each line of the kernel with a breakpoint().
void SessionStops::add_written() {
  std::vector<Where> lines;
  for (const Point& point : engine_.kernel().points()) {
    if (!ir::is_breakpoint(*point.op)) continue;
    const auto known = std::find_if(lines.begin(), lines.end(), [&](const Where& where) {
      return where.place.is_known() && where.place.same_line(point.place());
    });
    if (known != lines.end()) {
      known->at.push_back({point.number, Breakpoint::kAnyTime});
      continue;
    }
    lines.push_back(where_of_point(engine_.kernel(), point.number));
    if (point.place().is_known()) lines.back().text = place_text(point.place());
  }
  for (const Where& where : lines) add(where, {});
}

Expected<void, Problem> SessionStops::change(std::uint32_t id, const StopRequest& request) {
  Breakpoint* breakpoint = engine_.stops().breakpoint(id);
  if (breakpoint == nullptr || !stops_.contains(id)) return Unexpected{no_such(id)};
  Breakpoint changed = *breakpoint;
  const auto filled = fill(changed, request);
  if (!filled) return Unexpected{filled.error()};
  *breakpoint = std::move(changed);
  stops_[id].request = request;
  return {};
}

Expected<void, Problem> SessionStops::set_ignore(std::uint32_t id, std::uint64_t count) {
  Breakpoint* breakpoint = engine_.stops().breakpoint(id);
  if (breakpoint == nullptr || !stops_.contains(id)) return Unexpected{no_such(id)};
  breakpoint->ignore = count;
  return {};
}

Expected<void, Problem> SessionStops::enable(std::uint32_t id, bool is_enabled) {
  Breakpoint* breakpoint = stops_.contains(id) ? engine_.stops().breakpoint(id) : nullptr;
  Watch* watch = engine_.stops().watch(id);
  if (breakpoint == nullptr && watch == nullptr) return Unexpected{no_such(id)};
  (breakpoint != nullptr ? breakpoint->is_enabled : watch->is_enabled) = is_enabled;
  return {};
}

Expected<void, Problem> SessionStops::remove(std::uint32_t id) {
  if (stops_.erase(id) + watches_.erase(id) == 0) return Unexpected{no_such(id)};
  engine_.stops().remove(id);
  return {};
}

// ---- watches ----

namespace {

/// Row-major bits of a variable's elements, as a text to compare and to decode.
std::string packed(const Tensor& tensor, const std::vector<std::int64_t>& elements) {
  std::string text;
  for (const std::int64_t element : elements) {
    const std::uint64_t bits = tensor.bits_of(static_cast<std::size_t>(element));
    text.append(reinterpret_cast<const char*>(&bits), static_cast<std::size_t>(size_bytes(tensor.kind)));
  }
  return text;
}

/// "0 -> 1.5" for one element, "3 of 4 elements, first [1] 0 -> 1.5" for several, "1.5" without a change.
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

/// The bits of the watched value; only in the program and kernel of the watch.
std::optional<std::string> SessionStops::watched_text(const WatchFacts& watch) const {
  if (engine_.point() == nullptr || engine_.program() != watch.program) return std::nullopt;
  const EngineScope scope(engine_, {nullptr, nullptr});
  const auto found = scope.find(watch.target.variable);
  if (!found || !*found) return std::nullopt;
  const auto* tensor = std::get_if<Tensor>(&**found);
  if (tensor == nullptr || tensor->shape != watch.target.shape) return std::nullopt;
  return packed(*tensor, watch.target.elements);
}

Expected<std::uint32_t, Problem> SessionStops::add_watch(std::string_view target, Watch::Kind kind,
                                                         std::string_view condition) {
  if (const auto frame = scope_.frame()) {
    auto part = find_buffer(engine_, *frame, target);
    if (part && !*part) return Unexpected{part->error()};
    if (part) return add_buffer_watch(std::move(**part), kind, condition);
  }
  const auto expression = parse_expression(target);
  if (!expression) return Unexpected{problem_with("watch", target, expression.error())};
  auto resolved = resolve_target(*expression, scope_);
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
    facts.program = engine_.program();
    watch.value = [this, shared = std::make_shared<const WatchFacts>(facts)] { return watched_text(*shared); };
  }
  return add_watch(std::move(facts), std::move(watch));
}

bool SessionStops::is_buffer(std::string_view text) const {
  const auto frame = scope_.frame();
  const auto part = frame ? find_buffer(engine_, *frame, text) : std::nullopt;
  return part && *part;
}

/// It stops where the bytes change, in the program of the watch.
Expected<std::uint32_t, Problem> SessionStops::add_buffer_watch(BufferPart part, Watch::Kind kind,
                                                                std::string_view condition) {
  if (kind == Watch::Kind::read || kind == Watch::Kind::access)
    return Unexpected{Problem{"reads of a buffer cannot be watched", "`watch` stops where it is overwritten"}};
  WatchFacts facts{0, engine_.program(), {}, kind, std::string(condition)};
  facts.target.text = part.text;
  facts.buffer = part;
  Watch watch;
  watch.kind = kind;
  watch.value = [this, program = facts.program, shared = std::make_shared<const BufferPart>(std::move(part))]() {
    if (engine_.point() == nullptr || engine_.program() != program) return std::optional<std::string>();
    return bytes_of(engine_, *shared);
  };
  return add_watch(std::move(facts), std::move(watch));
}

/// The elements that exactly cover the bytes, else single bytes.
Expected<std::uint32_t, Problem> SessionStops::add_watch(ByteRange bytes, Watch::Kind kind,
                                                         std::string_view condition) {
  const auto& memory = engine_.memory();
  const auto storage = memory.find_storage(bytes.begin);
  if (!storage || bytes.begin >= bytes.end || bytes.end > memory.storage(*storage).extent.end)
    return Unexpected{Problem{"these bytes do not lie in one argument", ""}};
  WatchFacts facts{0, 0, {}, kind, std::string(condition)};
  facts.target.is_memory = true;
  facts.target.bytes = {{bytes.begin, bytes.end}};
  const std::uint64_t count = bytes.end - bytes.begin;
  MemoryWindow& window = facts.target.window;
  window = {"", ScalarKind::i8, bytes.begin, {static_cast<std::int64_t>(count)}, {1}, -1, Age::now};
  const PointerPlace place = scope_.place_of(bytes.begin, -1);
  const auto argument = scope_.argument(place.argument);
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

Expected<std::uint32_t, Problem> SessionStops::add_watch(WatchFacts facts, Watch watch) {
  const std::string& condition = facts.condition;
  if (!condition.empty()) {
    auto parsed = parse_expression(condition);
    if (!parsed) return Unexpected{problem_with("the condition", condition, parsed.error())};
    watch.condition = [this, shared = std::make_shared<const Expression>(std::move(*parsed))] {
      return holds(*shared, 0, "the condition of a watch");
    };
  }
  const std::uint32_t id = engine_.stops().add(std::move(watch));
  facts.id = id;
  watches_[id] = std::move(facts);
  return id;
}

/// "ring[1] overwritten, 8190 of 8192 bytes changed, by a copy that a barrier counts of partition 0, line 76".
std::string SessionStops::buffer_change_text(const BufferPart& part, const WatchHit& hit) const {
  std::size_t changed = 0;
  for (std::size_t i = 0; i < std::min(hit.before.size(), hit.after.size()); ++i) {
    if (hit.before[i] != hit.after[i]) ++changed;
  }
  std::string text = part.text + " overwritten, " + std::to_string(changed) + " of " + std::to_string(hit.after.size()) +
                     " bytes changed";
  const bool is_behind = engine_.point() != nullptr && bytes_of(engine_, part) == hit.after;  // backwards it stops before
  const std::string writer = is_behind ? last_writer(engine_, part) : "";
  return text + (writer.empty() ? "" : "; the last write of it: " + writer);
}

std::string SessionStops::watch_text(const WatchHit& hit) const {
  const std::string head = "watch " + std::to_string(hit.id) + ": ";
  const auto known = watches_.find(hit.id);
  if (known == watches_.end()) return head;
  const Target& target = known->second.target;
  if (known->second.buffer) return head + buffer_change_text(*known->second.buffer, hit);
  if (!target.is_memory) {
    const auto found = scope_.find(target.variable);
    const Tensor* now = found && *found ? std::get_if<Tensor>(&**found) : nullptr;
    if (now == nullptr) return head + target.text + " changed";
    const auto count = static_cast<std::int64_t>(target.elements.size());
    const auto name = [&](std::size_t i) {
      return target.shape.empty() ? target.variable
                                  : target.variable + index_text(index_of(target.elements[i], target.shape));
    };
    return head + change_text(decode_tensor(now->kind, {count}, hit.before),
                              decode_tensor(now->kind, {count}, hit.after), scope_, name);
  }
  const std::int64_t size = size_bytes(target.window.kind);
  const auto count = static_cast<std::int64_t>(hit.bytes.end - hit.bytes.begin) / size;
  const auto name = [&](std::size_t i) {
    const PointerPlace place =
        scope_.place_of(hit.bytes.begin + i * static_cast<std::size_t>(size), target.window.view);
    if (target.window.view < 0) return "byte " + std::to_string(place.offset) + " of " + place.argument;
    return place.argument + (place.shape.empty() ? "" : index_text(place.index));
  };
  std::string text = head + change_text(decode_tensor(target.window.kind, {count}, hit.before),
                                        decode_tensor(target.window.kind, {count}, hit.after), scope_, name);
  if (hit.before == hit.after) text += known->second.kind == Watch::Kind::read ? " read" : ", read or unchanged";
  if (hit.by != nullptr)
    text += ", by " + ir::shown_name(*hit.by->op) + " at " + place_text(hit.by->place()) + " in program " +
            program_text(engine_.program_id(hit.program));
  return text;
}

}  // namespace lockstep::debugger
