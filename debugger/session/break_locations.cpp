#include "debugger/session/break_locations.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "debugger/expression/evaluate.h"
#include "ir/interfaces/op_kinds.h"
#include "ir/module.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "support/ascii.h"

namespace lockstep::debugger {

namespace {

using ir::Opcode;

std::optional<std::uint64_t> number_in(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& candidates) {
  const std::string near = nearest_name(name, candidates);
  return near.empty() ? "" : "did you mean '" + near + "'?";
}

/// "b/c.py" is the end of "a/b/c.py", and "./c.py" of "a/c.py".
bool is_end_of(std::string_view end, std::string_view path) {
  while (end.starts_with("./")) end.remove_prefix(2);
  if (path == end) return true;
  return !end.empty() && path.size() > end.size() && path.ends_with(end) && path[path.size() - end.size() - 1] == '/';
}

const std::string* find_file(const DebugKernel& kernel, std::string_view name) {
  const auto files = files_of(kernel);
  for (const std::string* file : files) {
    if (*file == name) return file;
  }
  for (const std::string* file : files) {
    if (is_end_of(name, *file) || is_end_of(*file, name)) return file;
  }
  return nullptr;
}

void add_points_of_line(const DebugKernel& kernel, Where& where) {
  for (const Point& point : kernel.points()) {
    if (!point.is_statement) continue;
    for (std::size_t frame = 0; frame < point.frames.size(); ++frame) {
      if (point.frames[frame].same_line(where.place)) where.at.push_back({point.number, frame});
    }
  }
}

Where with_first_place(const DebugKernel& kernel, Where where) {
  if (!where.at.empty()) where.place = kernel.points()[where.at.front().point].place();
  return where;
}

// ---- ops, loops, functions, points ----

Expected<Where, Problem> resolve_op(const DebugKernel& kernel, std::string_view name) {
  Where where{"op:" + std::string(name), {}, {}};
  std::set<std::string> known;
  for (const Point& point : kernel.points()) {
    const std::string spelling(point.op->spelling());
    known.insert(spelling);
    const std::size_t dot = spelling.find('.');
    const bool is_it = spelling == name || (dot != std::string::npos && spelling.substr(dot + 1) == name);
    if (is_it) where.at.push_back({point.number, Breakpoint::kAnyTime});
  }
  if (!where.at.empty()) return with_first_place(kernel, std::move(where));
  const std::string hint = did_you_mean(name, {known.begin(), known.end()});
  return Unexpected{
      Problem{"the kernel has no op '" + std::string(name) + "'", hint.empty() ? "`ttir` lists them" : hint}};
}

std::string variable_of(const ir::Op& loop) {
  return ir::is_counted_loop(loop) ? name_of(*loop.region().front().argument(0)) : "";
}

/// The first point of the body; the condition of an scf.while is part of its body.
bool begins_body(const Point& point) {
  const ir::Op* parent = point.op->parent_op();
  return parent != nullptr && ir::is_loop(*parent) && point.op->block() == &parent->region().front() &&
         point.op->position() == point.op->block()->ops().begin();
}

Expected<Where, Problem> resolve_loop(const DebugKernel& kernel, std::string_view name) {
  Where where{"loop:" + std::string(name), {}, {}};
  for (const Point& point : kernel.points()) {
    if (!begins_body(point)) continue;
    if (name == "iter" || name == "*" || variable_of(*point.op->parent_op()) == name)
      where.at.push_back({point.number, Breakpoint::kAnyTime});
  }
  if (!where.at.empty()) return with_first_place(kernel, std::move(where));
  const std::vector<std::string> loops = loops_of(kernel);
  if (loops.empty()) return Unexpected{Problem{"the kernel has no loop", ""}};
  return Unexpected{Problem{"there is no loop with the variable '" + std::string(name) + "'",
                            "loop:iter stops in every loop; the first is that of " + loops.front()}};
}

Expected<Where, Problem> resolve_point(const DebugKernel& kernel, std::string_view text) {
  const auto number = number_in(text);
  if (number && *number < kernel.points().size()) return where_of_point(kernel, static_cast<std::uint32_t>(*number));
  return Unexpected{Problem{"there is no op *" + std::string(text),
                            "`ttir` lists them: *0 to *" + std::to_string(kernel.points().size() - 1)}};
}

Expected<Where, Problem> resolve_value(const DebugKernel& kernel, std::string_view text) {
  Where where{std::string(text), {}, {}};
  for (const Point& point : kernel.points()) {
    for (std::size_t i = 0; i < point.op->result_count(); ++i) {
      if (point.op->result(i)->name() == text.substr(1)) where.at.push_back({point.number, Breakpoint::kAnyTime});
    }
  }
  if (where.at.empty()) return Unexpected{Problem{"no op makes " + std::string(text), "`ttir` lists them"}};
  return with_first_place(kernel, std::move(where));
}

/// The first statement of each activation of the function.
Expected<Where, Problem> resolve_function(const DebugKernel& kernel, std::string_view name) {
  Where where{std::string(name), {}, {}};
  std::set<std::uint32_t> entered;
  for (const Point& point : kernel.points()) {
    const Activation& running = kernel.activations()[point.activation];
    const std::string_view function = ir::symbol_name(*running.function);
    const bool is_it = function == name || function.substr(0, function.find("__")) == name;
    if (!is_it || !point.is_statement || !entered.insert(point.activation).second) continue;
    where.at.push_back({point.number, Breakpoint::kAnyTime});
  }
  if (!where.at.empty()) return with_first_place(kernel, std::move(where));
  const std::string hint = did_you_mean(name, functions_of(kernel));
  return Unexpected{Problem{"there is no function '" + std::string(name) + "' and no such line",
                            hint.empty() ? "a line (14), file.py:14, a function, op:tt.store, loop:k, *17" : hint}};
}

}  // namespace

std::string file_name(const std::string& path) {
  const std::size_t slash = path.find_last_of('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

std::string place_text(const Place& place) {
  return place.is_known() ? file_name(*place.file) + ":" + std::to_string(place.line) : "?";
}

std::vector<const std::string*> files_of(const DebugKernel& kernel) {
  std::vector<const std::string*> files;
  for (const Point& point : kernel.points()) {
    for (auto place = point.frames.rbegin(); place != point.frames.rend(); ++place) {
      const bool is_known =
          std::any_of(files.begin(), files.end(), [&](const std::string* file) { return *file == *place->file; });
      if (!is_known) files.push_back(place->file);
    }
  }
  return files;
}

std::vector<std::uint32_t> lines_of(const DebugKernel& kernel, const std::string& file) {
  std::set<std::uint32_t> lines;
  for (const Point& point : kernel.points()) {
    if (!point.is_statement) continue;
    for (const Place& place : point.frames) {
      if (*place.file == file) lines.insert(place.line);
    }
  }
  return {lines.begin(), lines.end()};
}

std::vector<std::string> functions_of(const DebugKernel& kernel) {
  std::vector<std::string> names;
  for (const Activation& activation : kernel.activations()) {
    const std::string name(ir::symbol_name(*activation.function));
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

std::vector<std::string> loops_of(const DebugKernel& kernel) {
  std::vector<std::string> names;
  for (const Point& point : kernel.points()) {
    if (!begins_body(point)) continue;
    const std::string name = variable_of(*point.op->parent_op());
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

Where where_of_point(const DebugKernel& kernel, std::uint32_t point) {
  return {"*" + std::to_string(point), {{point, Breakpoint::kAnyTime}}, kernel.points()[point].place()};
}

Expected<Where, Problem> resolve_line(const DebugKernel& kernel, std::string_view file, std::uint32_t line) {
  const std::string* path = find_file(kernel, file);
  if (path == nullptr) {
    std::vector<std::string> names;
    for (const std::string* known : files_of(kernel)) names.push_back(file_name(*known));
    const std::string hint = did_you_mean(file, names);
    return Unexpected{Problem{"no line of the kernel is in '" + std::string(file) + "'",
                              !hint.empty() || names.empty() ? hint : "it is in " + names.front()}};
  }
  const std::vector<std::uint32_t> lines = lines_of(kernel, *path);
  const auto moved = std::lower_bound(lines.begin(), lines.end(), line);
  if (moved == lines.end()) {
    return Unexpected{
        Problem{"no op of the kernel is at " + file_name(*path) + ":" + std::to_string(line) + " or below",
                "its last line is " + std::to_string(lines.empty() ? 0 : lines.back())}};
  }
  Where where{"", {}, {path, *moved, 0}};
  where.text = place_text(where.place);
  add_points_of_line(kernel, where);
  return where;
}

Expected<Where, Problem> resolve_where(const DebugKernel& kernel, std::string_view text, const Place& here) {
  text = trimmed(text);
  if (text.starts_with("op:")) return resolve_op(kernel, trimmed(text.substr(3)));
  if (text.starts_with("loop:")) return resolve_loop(kernel, trimmed(text.substr(5)));
  if (text.starts_with('*')) return resolve_point(kernel, text.substr(1));
  if (text.starts_with('%')) return resolve_value(kernel, text);
  const std::size_t colon = text.find_last_of(':');
  const std::string_view last = colon == std::string_view::npos ? text : text.substr(colon + 1);
  const auto line = number_in(last);
  if (!line || *line > 0xffffffffU) return resolve_function(kernel, text);
  if (colon != std::string_view::npos)
    return resolve_line(kernel, text.substr(0, colon), static_cast<std::uint32_t>(*line));
  const auto files = files_of(kernel);
  if (files.empty()) return Unexpected{Problem{"the kernel's ops have no lines", "use op:tt.store or *17"}};
  return resolve_line(kernel, here.is_known() ? *here.file : *files.front(), static_cast<std::uint32_t>(*line));
}

Expected<HitRule, Problem> parse_hit_rule(std::string_view text) {
  const Problem problem{"'" + std::string(text) + "' is not a rule for hits", "5, ==5, >=5, >100 or %16"};
  using Kind = HitRule::Kind;
  std::string_view rest = trimmed(text);
  HitRule rule{Kind::equal, 0};
  const auto eat = [&rest](std::string_view sign) {
    if (!rest.starts_with(sign)) return false;
    rest = trimmed(rest.substr(sign.size()));
    return true;
  };
  if (rest.empty()) return HitRule{};
  if (eat(">=")) {
    rule.kind = Kind::at_least;
  } else if (eat(">")) {
    rule.kind = Kind::more;
  } else if (eat("%")) {
    rule.kind = Kind::multiple;
    if (const std::size_t sign = rest.find("=="); sign != std::string_view::npos) {
      if (trimmed(rest.substr(sign + 2)) != "0") return Unexpected{problem};
      rest = trimmed(rest.substr(0, sign));
    }
  } else if (!eat("==")) {
    eat("=");
  }
  const auto number = number_in(rest);
  if (!number || (*number == 0 && rule.kind == Kind::multiple)) return Unexpected{problem};
  rule.number = *number;
  return rule;
}

}  // namespace lockstep::debugger
