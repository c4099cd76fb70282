// Memory: from an element on (`x`), and the parts that changed since the launch began (`changed`).
#include <algorithm>

#include "debugger/session/memory_changes.h"
#include "debugger/session/summary.h"
#include "debugger/terminal/commands/families.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint64_t kMostExamined = 1024;

struct Format {
  std::uint64_t count = 8;
  std::optional<ScalarKind> kind;  // none: the argument's
  bool is_hex = false;
};

/// "16f", "8bf16", "4x", "32e4", "f16": a count, then a type: bf16 f16 f32 f64 i8 .. i64, f the argument's own, x its
/// bits, e4 and e5 8-bit floats.
Expected<Format, Problem> parse_format(std::string_view text) {
  const Problem problem{"'" + std::string(text) + "' is not a format", "x/16f, x/8bf16, x/4x, x/8i32, x/8e4"};
  Format format;
  const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
  if (digits != 0) {
    const auto count = parse_number(text.substr(0, digits));
    if (!count || *count == 0 || *count > kMostExamined) return Unexpected{problem};
    format.count = *count;
  }
  const std::string_view type = text.substr(digits);
  format.is_hex = type == "x";
  if (type.empty() || type == "x" || type == "f" || type == "d") return format;
  if (type == "e4") {
    format.kind = ScalarKind::f8E4M3FN;
  } else if (type == "e5") {
    format.kind = ScalarKind::f8E5M2;
  } else {
    format.kind = parse_scalar_kind(type);
  }
  if (!format.kind) return Unexpected{problem};
  return format;
}

/// "out[3] + 32": 32 elements after out[3].
std::uint64_t take_offset(std::string_view& text) {
  const std::size_t plus = text.find_last_of('+');
  const auto offset = plus == std::string_view::npos ? std::nullopt : parse_number(trimmed(text.substr(plus + 1)));
  if (!offset || text.find(']', plus) != std::string_view::npos) return 0;
  text = trimmed(text.substr(0, plus));
  return *offset;
}

/// Elements that follow each other in memory, eight a line.
Done do_examine(CommandContext& in, std::string_view words) {
  Format format;
  if (words.starts_with('/')) {
    const auto parsed = parse_format(take_word(words).substr(1));
    if (!parsed) return Unexpected{parsed.error()};
    format = *parsed;
  }
  const std::uint64_t offset = take_offset(words);
  const auto expression = parse_expression(words);
  if (!expression) return Unexpected{Problem{expression.error().message, ""}};
  const auto target = resolve_target(*expression, in.session.scope());
  if (!target) return Unexpected{Problem{target.error().message, ""}};
  if (!target->is_memory)
    return Unexpected{Problem{"'" + target->text + "' is not in memory", "`print` shows variables"}};
  const ScalarKind kind = format.kind.value_or(target->window.kind);
  const auto size = static_cast<std::uint64_t>(size_bytes(kind));
  const std::uint64_t begin =
      target->window.base + offset * static_cast<std::uint64_t>(size_bytes(target->window.kind));
  constexpr std::uint64_t kAcross = 8;
  for (std::uint64_t at = 0; at < format.count; at += kAcross) {
    const std::uint64_t count = std::min(kAcross, format.count - at), address = begin + at * size;
    std::string bytes(count * size, '\0');
    if (!in.session.scope().read(address, bytes.size(), Age::now, bytes.data())) {
      if (at == 0) return Unexpected{Problem{"these bytes are outside of every argument", ""}};
      in.screen.line("the argument's memory ends here");
      break;
    }
    Tensor tensor = decode_tensor(kind, {static_cast<std::int64_t>(count)}, bytes);
    if (format.is_hex) {
      for (std::size_t i = 0; i < count; ++i) {
        const auto bits = static_cast<std::int64_t>(tensor.bits_of(i));
        tensor.integers.resize(count);
        tensor.integers[i] = bits;
      }
      tensor.elements = ElementClass::integer;
      tensor.is_hex = true;
    }
    std::string line = pointer_text(address, target->window.view, in.session.scope()) + ":";
    for (std::size_t i = 0; i < count; ++i) line += "  " + element_text(tensor, i, in.session.scope());
    in.screen.line(line);
  }
  return {};
}

// ---- what changed ----

std::vector<std::string> names_of_arguments(const Session& session) {
  std::vector<std::string> names;
  for (const auto& parameter : session.engine().kernel().function().region().front().arguments()) {
    std::string name = name_of(*parameter);
    if (session.scope().argument(name)) names.push_back(std::move(name));
  }
  return names;
}

/// "out  300 of 800 elements changed, out[0,0] to out[2,99]".
std::string changes_text(const std::string& name, const MemoryChanges& changes) {
  if (changes.elements.empty()) return name + "  as before the launch";
  const auto place = [&](std::int64_t element) { return name + index_text(index_of(element, changes.now.shape)); };
  std::string text = name + "  " + std::to_string(changes.elements.size()) + " of " +
                     std::to_string(changes.now.count()) + (changes.now.count() == 1 ? " element" : " elements") +
                     " changed, " + place(changes.elements.front());
  if (changes.elements.size() > 1) text += " to " + place(changes.elements.back());
  return text;
}

Done show_changed_elements(CommandContext& in, const std::string& name) {
  constexpr std::size_t kListed = 8;
  const auto changes = changes_of(*in.session.scope().argument(name), in.session.scope());
  if (!changes) return Unexpected{Problem{changes.error(), ""}};
  in.screen.line(changes_text(name, *changes));
  const std::size_t listed = std::min(kListed, changes->elements.size());
  for (std::size_t i = 0; i < listed; ++i) {
    const auto element = static_cast<std::size_t>(changes->elements[i]);
    in.screen.line("  " + name + index_text(index_of(changes->elements[i], changes->now.shape)) + "  " +
                   element_text(changes->before, element, in.session.scope()) + " -> " +
                   element_text(changes->now, element, in.session.scope()));
  }
  if (changes->elements.size() > listed)
    in.screen.line("  ... " + std::to_string(changes->elements.size() - listed) + " more");
  return {};
}

/// For one argument with the first elements; for all arguments a line each.
Done do_changed(CommandContext& in, std::string_view words) {
  const std::vector<std::string> names = names_of_arguments(in.session);
  if (!words.empty()) {
    const std::string name(words);
    if (std::find(names.begin(), names.end(), name) != names.end()) return show_changed_elements(in, name);
    const std::string near = nearest_name(name, names);
    return Unexpected{Problem{"there is no argument '" + name + "' in memory",
                              near.empty() ? "`info args` lists them" : "did you mean '" + near + "'?"}};
  }
  if (names.empty()) in.screen.line("no argument is in memory");
  for (const std::string& name : names) {
    const auto changes = changes_of(*in.session.scope().argument(name), in.session.scope());
    in.screen.line("  " + (changes ? changes_text(name, *changes) : name + "  " + changes.error()));
  }
  return {};
}

}  // namespace

CommandRows examine_commands() {
  static constexpr Command kRows[] = {
      {"x", "", "x[/COUNT TYPE] PLACE", "memory from an element on: x/16f out[3], x/8bf16 y, x/4x out",
       CommandGroup::looking, do_examine},
      {"changed", "", "changed [ARGUMENT]", "which parts of the arguments' memory the launch changed",
       CommandGroup::looking, do_changed, false, names_of_arguments},
  };
  return kRows;
}

}  // namespace lockstep::debugger
