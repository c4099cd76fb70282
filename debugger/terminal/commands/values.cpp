// Commands that look: values, memory, sources, ops, frames.
#include <algorithm>

#include "debugger/session/brief.h"
#include "debugger/session/overview.h"
#include "debugger/session/padding_text.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

constexpr std::uint32_t kListed = 10;  // lines
constexpr std::uint64_t kMostExamined = 1024;

Problem problem_in(const ExpressionError& error) { return {error.message, ""}; }

/// Behind the summary of a variable: which of its lanes are padding. "": none, or it is not known.
std::string padding_text(Session& session, std::string_view name, std::int64_t lanes) {
  if (session.engine().point() == nullptr) return "";
  const Frame frame = session.frame();
  const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
  if (!variable || variable->is_argument) return "";
  const auto flow = session.padding().now();
  if (!flow || *flow == nullptr) return "";
  const PaddingCounts counts = (*flow)->count_all((*flow)->of(variable->slot), lanes);
  return counts.padding() == 0 ? "" : "\npadding: " + origins_text(counts, session.scope());
}

}  // namespace

// ---- values ----

Terminal::Done Terminal::print(Words words,
                               const std::function<Expected<std::string, std::string>(const Value&)>& text) {
  if (words.empty()) return Unexpected{Problem{"print what?", "print acc[0,:8], pt out, px x[0]"}};
  const auto value = session_.evaluate(words);
  if (!value) return Unexpected{problem_in(value.error())};
  const auto shown = text(*value);
  if (!shown) return Unexpected{Problem{shown.error(), ""}};
  screen_.line(*shown);
  return std::monostate{};
}

/// One line where it has few elements, else statistics and the ends of the tile.
Terminal::Done Terminal::do_print(Words words) {
  if (words.starts_with("/x") || words.starts_with("/t")) return do_print_bits(trimmed(words.substr(2)));
  return print(words, [&](const Value& value) -> Expected<std::string, std::string> {
    const std::string head = std::string(words) + " = ";
    if (const auto narrowed = at_lane(value))
      return std::string(words) + index_text(lane_) + " = " + brief_text(*narrowed, session_.scope());
    const std::int64_t count = element_count(shape_of(value));
    constexpr std::int64_t kOneLine = 8;
    if (count <= kOneLine) 
      return head + debugger::show_line(value, session_.scope(), screen_.width()) +
             padding_text(session_, words, count);
    TableOptions options;
    options.width = screen_.width();
    options.threshold = 64;
    const auto table = show_table(value, session_.scope(), options);
    if (!table) return table;
    return head + show_summary(value, session_.scope()) + padding_text(session_, words, count) + "\n" + *table;
  });
}

Terminal::Done Terminal::do_print_table(Words words) {
  return print(words, [&](const Value& value) {
    TableOptions options;
    options.width = screen_.width();
    return show_table(value, session_.scope(), options);
  });
}

Terminal::Done Terminal::do_print_histogram(Words words) {
  return print(words, [&](const Value& value) {
    HistogramOptions options;
    options.width = static_cast<int>(std::min<std::size_t>(40, screen_.width() / 2));
    return show_histogram(value, session_.scope(), options);
  });
}

Terminal::Done Terminal::do_print_bits(Words words) {
  return print(words, [&](const Value& value) { return show_bits(value, session_.scope()); });
}

Terminal::Done Terminal::do_display(Words words) {
  if (words.empty()) {
    show_displays();
    return std::monostate{};
  }
  const auto parsed = parse_expression(words);
  if (!parsed) return Unexpected{problem_in(parsed.error())};
  displays_.push_back({next_display_++, std::string(words)});
  const Display& display = displays_.back();
  const auto value = session_.evaluate(words);
  screen_.line(std::to_string(display.id) + ": " + display.expression + " = " +
               (value ? shown(*value) : "<" + value.error().message + ">"));
  return std::monostate{};
}

Terminal::Done Terminal::do_undisplay(Words words) {
  if (words.empty()) {
    displays_.clear();
    return std::monostate{};
  }
  const auto id = parse_number(words);
  const auto removed = std::erase_if(displays_, [&](const Display& display) { return id && display.id == *id; });
  if (removed == 0)
    return Unexpected{Problem{"there is no display '" + std::string(words) + "'", "`display` lists them"}};
  return std::monostate{};
}

// ---- memory ----

namespace {

struct Format {
  std::uint64_t count = 8;
  std::optional<ScalarKind> kind;  // none: the argument's
  bool is_hex = false;
};

/// "16f", "8bf16", "4x", "32e4", "f16": a count, then a type: bf16 f16 f32 f64 i8 .. i64, f as the argument has, x its
/// bits, e4 and e5 8-bit floats.
Expected<Format, Problem> parse_format(std::string_view text) {
  const Problem problem{"'" + std::string(text) + "' is no format", "x/16f, x/8bf16, x/4x, x/8i32, x/8e4"};
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

/// "out[3] + 32": 32 elements behind out[3].
std::uint64_t take_offset(std::string_view& text) {
  const std::size_t plus = text.find_last_of('+');
  const auto offset = plus == std::string_view::npos ? std::nullopt : parse_number(trimmed(text.substr(plus + 1)));
  if (!offset || text.find(']', plus) != std::string_view::npos) return 0;
  text = trimmed(text.substr(0, plus));
  return *offset;
}

}  // namespace

/// Elements that follow each other in memory, eight a line.
Terminal::Done Terminal::do_examine(Words words) {
  Format format;
  if (words.starts_with('/')) {
    const auto parsed = parse_format(take_word(words).substr(1));
    if (!parsed) return Unexpected{parsed.error()};
    format = *parsed;
  }
  const std::uint64_t offset = take_offset(words);
  const auto expression = parse_expression(words);
  if (!expression) return Unexpected{problem_in(expression.error())};
  const auto target = resolve_target(*expression, session_.scope());
  if (!target) return Unexpected{problem_in(target.error())};
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
    if (!session_.scope().read(address, bytes.size(), Age::now, bytes.data())) {
      if (at == 0) return Unexpected{Problem{"these bytes are outside of every argument", ""}};
      screen_.line("the argument's memory ends here");
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
    std::string line = pointer_text(address, target->window.view, session_.scope()) + ":";
    for (std::size_t i = 0; i < count; ++i) line += "  " + element_text(tensor, i, session_.scope());
    screen_.line(line);
  }
  return std::monostate{};
}

// ---- sources ----

namespace {

bool has_stop(const Session& session, const Place& place) {
  return std::any_of(session.stops().begin(), session.stops().end(), [&](const auto& entry) {
    const Where& where = entry.second.where;
    return where.place.is_known() && where.place.same_line(place) && !where.text.starts_with('*');
  });
}

}  // namespace

Terminal::Done Terminal::do_list(Words words) {
  const auto files = files_of(session_.engine().kernel());
  Place here = session_.engine().point() != nullptr ? session_.frame().place() : Place{};
  if (!here.is_known() && files.empty())
    return Unexpected{Problem{"the kernel's ops have no lines", "`ttir` lists them"}};
  if (!here.is_known()) here = {files.front(), 1, 0};
  const SourceFilePtr source = session_.listing().source(*here.file);
  if (source == nullptr) return Unexpected{Problem{"'" + *here.file + "' cannot be read", "`ttir` lists the ops"}};
  std::uint32_t from = list_from_.value_or(here.line > kListed / 2 ? here.line - kListed / 2 : 1);
  std::uint32_t to = from + kListed;
  if (!words.empty()) {
    const std::size_t comma = words.find(',');
    const auto first = parse_number(trimmed(words.substr(0, comma)));
    const auto last = comma == Words::npos ? first : parse_number(trimmed(words.substr(comma + 1)));
    if (!first || !last || *first == 0 || *last < *first || *last > source->line_count())
      return Unexpected{Problem{"'" + std::string(words) + "' is no range of lines",
                                "the file has " + std::to_string(source->line_count())}};
    from = static_cast<std::uint32_t>(*first);
    to = comma == Words::npos ? from + kListed : static_cast<std::uint32_t>(*last);
  }
  to = std::min(to, source->line_count());
  if (from > to) screen_.line("that was the end of the file");
  for (std::uint32_t line = from; line <= to; ++line) {
    const Place place{here.file, line, 0};
    const bool is_here = session_.engine().point() != nullptr && place.same_line(here);
    std::string number = std::to_string(line);
    number.insert(0, number.size() < 4 ? 4 - number.size() : 0, ' ');
    screen_.line(screen_.ink(is_here ? Ink::green : Ink::plain, is_here ? "->" : "  ") +
                 (has_stop(session_, place) ? screen_.ink(Ink::red, "*") : " ") + number + "  " +
                 screen_.cut(source->line_text(line), 9));
  }
  list_from_ = std::max(from, to + 1);
  return std::monostate{};
}

Terminal::Done Terminal::do_ttir(Words words) {
  const auto& ops = session_.listing().ops();
  const auto count = static_cast<std::uint32_t>(ops.size());
  const Point* point = session_.engine().point();
  const std::uint32_t here = point != nullptr ? point->number : count;
  const std::uint32_t middle = here < count ? here : 0;
  std::uint32_t from = ttir_from_.value_or(middle > kListed / 2 ? middle - kListed / 2 : 0);
  std::uint32_t to = std::min(count, from + kListed + 1);
  if (words == "all") {
    from = 0;
    to = count;
  } else if (!words.empty()) {
    const auto number = parse_number(words.starts_with('*') ? words.substr(1) : words);
    if (!number || *number >= count)
      return Unexpected{Problem{"there is no op " + std::string(words), "*0 to *" + std::to_string(count - 1)}};
    from = static_cast<std::uint32_t>(*number);
    to = std::min(count, from + kListed + 1);
  }
  if (from >= count) screen_.line("that was the last op");
  for (std::uint32_t number = from; number < to; ++number) show_op(number, number == here);
  ttir_from_ = to;
  return std::monostate{};
}

// ---- frames ----

Terminal::Done Terminal::do_where(Words) {
  const Point* point = session_.engine().point();
  if (point == nullptr) {
    show_end();
    return std::monostate{};
  }
  const std::size_t chosen = session_.level();
  for (std::size_t level = session_.hidden_levels(); level < point->frames.size(); ++level) {
    session_.set_level(level);
    const Place place = session_.frame().place();
    screen_.line(std::string(level == chosen ? "* " : "  ") + "#" + std::to_string(level - session_.hidden_levels()) +
                 "  " + session_.function_name(level) + "  " + screen_.ink(Ink::blue, place_text(place)) + "  " +
                 screen_.cut(trimmed(session_.listing().line(place)), 30));
  }
  session_.set_level(chosen);
  if (point->frames.empty()) show_op(point->number, true);
  const std::uint64_t program = session_.engine().program();
  screen_.line("program " + program_text(session_.engine().program_id(program)));
  show_loops();
  return std::monostate{};
}

Terminal::Done Terminal::do_up(Words words) {
  const auto count = words.empty() ? std::optional<std::uint64_t>(1) : parse_number(words);
  if (!count || *count > 1000 || !session_.set_level(session_.level() + *count))
    return Unexpected{Problem{"there is no frame further up", "`where` lists them"}};
  show_place();
  show_line();
  return std::monostate{};
}

Terminal::Done Terminal::do_down(Words words) {
  const auto count = words.empty() ? std::optional<std::uint64_t>(1) : parse_number(words);
  if (!count || *count > session_.level() || !session_.set_level(session_.level() - *count))
    return Unexpected{Problem{"there is no frame further down", "`where` lists them"}};
  show_place();
  show_line();
  return std::monostate{};
}

}  // namespace lockstep::debugger
