#include "cli/listings/help_text.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "cli/exit_code.h"

namespace lockstep::cli {
namespace {

constexpr std::size_t kHelpColumn = 32, kCommandColumn = 18;
constexpr std::array<std::string_view, 6> kGroups = {"Launch", "Checks", "Results", "Limits", "Reports", "Options"};

class HelpWriter {
 public:
  explicit HelpWriter(const HelpStyle& style) : style_(style) {}

  std::string heading(const std::string& text) const { return paint("1;32", text); }
  std::string name(const std::string& text) const { return paint("1;36", text); }
  /// "  LEFT   right", the right side filled to the width. `size`: of the left side without escapes.
  std::string row(const std::string& left, std::size_t size, const std::string& right, std::size_t column) const;

 private:
  std::string paint(const char* code, const std::string& text) const {
    return style_.has_color && !text.empty() ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
  }

  HelpStyle style_;
};

std::string HelpWriter::row(const std::string& left, std::size_t size, const std::string& right,
                            std::size_t column) const {
  std::string out = left;
  const std::string indent(column, ' ');
  if (size + 2 > column) {
    out += "\n" + indent;
  } else {
    out += std::string(column - size, ' ');
  }
  std::size_t at = column;
  for (std::size_t begin = 0; begin < right.size();) {
    const std::size_t end = std::min(right.find(' ', begin), right.size());
    const std::string word = right.substr(begin, end - begin);
    if (at > column && at + 1 + word.size() > style_.width) {
      out += "\n" + indent;
      at = column;
    }
    out += (at > column ? " " : "") + word;
    at += (at > column ? 1 : 0) + word.size();
    begin = end + 1;
  }
  return out + "\n";
}

std::string sentence(std::string text) {
  if (!text.empty()) text.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(text.front())));
  return text;
}

bool is_help(const OptionText& option) {
  return std::find(option.names.begin(), option.names.end(), "--help") != option.names.end();
}

std::string option_row(const HelpWriter& writer, const OptionText& option) {
  std::string plain = option.names.front().starts_with("--") ? "      " : "  ", painted = plain;
  for (const std::string& name : option.names) {
    const std::string comma = &name == &option.names.front() ? "" : ", ";
    plain += comma + name;
    painted += comma + writer.name(name);
  }
  const std::string value =
      option.value.empty() ? "" : " <" + option.value + ">" + (option.repeats ? "..." : "");
  std::string help = sentence(option.help);
  if (!option.initial.empty()) help += " [default: " + option.initial + "]";
  std::string others;
  for (const std::string& other : option.excludes) others += (others.empty() ? "" : ", ") + other;
  if (!others.empty()) help += " [not with " + others + "]";
  if (option.is_required) help += " [required]";
  return writer.row(painted + value, plain.size() + value.size(), help, kHelpColumn);
}

std::string positional_name(const OptionText& positional) {
  std::string name = positional.names.back();
  for (char& c : name) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return name + (positional.repeats ? "..." : "");
}

std::string usage_of(const CommandText& command) {
  std::string usage = "lockstep " + command.name;
  if (!command.usage.empty()) return usage + command.usage + (command.options.size() > 1 ? " [OPTIONS]" : "");
  if (command.options.size() > 1) usage += " [OPTIONS]";
  for (const OptionText& one : command.positionals)
    usage += one.is_required ? " " + positional_name(one) : " [" + positional_name(one) + "]";
  return usage;
}

}  // namespace

HelpStyle help_style(int descriptor) {
  HelpStyle style;
  style.has_color = use_color(descriptor);
  winsize size{};
  if (isatty(descriptor) != 0 && ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    style.width = std::clamp<std::size_t>(size.ws_col, 60, 120);
  return style;
}

std::string help_of(const CommandTree& tree, const CommandText& command, const HelpStyle& style) {
  const HelpWriter writer(style);
  std::string text = sentence(command.summary) + ".\n\n" + writer.heading("Usage:") + " " + usage_of(command) + "\n";
  if (!command.positionals.empty()) text += "\n" + writer.heading("Arguments:") + "\n";
  for (const OptionText& one : command.positionals) {
    const std::string left = "  " + positional_name(one);
    text += writer.row("  " + writer.name(positional_name(one)), left.size(), sentence(one.help), kHelpColumn);
  }
  for (const std::string_view group : kGroups) {
    std::string rows;
    for (const OptionText& one : command.options) {
      if (one.group == group && !is_help(one)) rows += option_row(writer, one);
    }
    if (!rows.empty()) text += "\n" + writer.heading(std::string(group) + ":") + "\n" + rows;
  }
  text += "\n" + writer.heading("Global options:") + "\n";
  for (const OptionText& one : tree.whole.options) {
    const bool is_everywhere = is_help(one) || (!command.takes_words && one.names.back() == "--log-level");
    if (is_everywhere) text += option_row(writer, one);
  }
  return text + command.details +
         (command.details.empty() || command.details.ends_with('\n') ? "" : "\n");
}

std::string help_of(const CommandTree& tree, const HelpStyle& style) {
  const HelpWriter writer(style);
  std::string text = tree.whole.summary + "\n\n" + writer.heading("Usage:") + " lockstep COMMAND [OPTIONS]\n\n" +
                     writer.heading("Commands:") + "\n";
  for (const CommandText& one : tree.commands)
    text += writer.row("  " + writer.name(one.name), one.name.size() + 2, sentence(one.summary), kCommandColumn);
  text += "\n" + writer.heading("Global options:") + "\n";
  for (const OptionText& one : tree.whole.options) text += option_row(writer, one);
  return text + tree.whole.details + "\n";
}

}  // namespace lockstep::cli
