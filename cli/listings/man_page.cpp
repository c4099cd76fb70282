// `lockstep man`: the manual page, written from the command line's own tree. packaging/share has it for installation.
#include <cctype>
#include <cstdio>
#include <string>

#include "cli/commands/command.h"
#include "cli/commands/command_tree.h"
#include "cli/listings/build_facts.h"

namespace lockstep::cli {
namespace {

constexpr const char* kManDate = "2026-11-23";  // when the words of this file last changed

// Text that means itself: roff's escape character, its hyphen, and lines that would be requests.
std::string roff(const std::string& text) {
  std::string result;
  bool begins = true;
  for (const char c : text) {
    if (begins && (c == '.' || c == '\'')) result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
    begins = c == '\n';
  }
  return result;
}

// Lines of at most 66 characters: roff fills them again, and its escapes make them longer.
std::string filled(const std::string& text) {
  std::string result, word;
  std::size_t column = 0;
  const auto add = [&] {
    if (word.empty()) return;
    const bool fits = column == 0 || column + 1 + word.size() <= 66;
    if (column > 0) result += fits ? ' ' : '\n';
    column = (fits && column > 0 ? column + 1 : 0) + word.size();
    result += word;
    word.clear();
  };
  for (const char c : text) {
    if (c == ' ')
      add();
    else
      word += c;
  }
  add();
  return roff(result);
}

std::string roff_bold(const std::string& text) { return "\\fB" + roff(text) + "\\fR"; }
std::string roff_italic(const std::string& text) { return "\\fI" + roff(text) + "\\fR"; }

std::string upper_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// Indented text, its lines as they are.
std::string roff_verbatim(std::string text) {
  while (!text.empty() && text.front() == '\n') text.erase(0, 1);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text.empty() ? "" : ".PP\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string man_option(const OptionText& option) {
  std::string text = ".TP\n";
  for (const std::string& name : option.names) {
    text += &name == &option.names.front() ? "" : ", ";
    text += name.front() == '-' ? roff_bold(name) : roff_italic(upper_case(name));
  }
  if (!option.value.empty()) text += " " + roff_italic(option.value);
  std::string help = option.help;
  if (!option.value.empty()) {
    if (option.is_required) help += " (required)";
    if (option.repeats) help += " (may be repeated)";
    if (!option.initial.empty()) help += " (default: " + option.initial + ")";
  }
  return text + "\n" + filled(help) + "\n";
}

std::string man_command(const CommandText& command) {
  std::string text = ".SS lockstep " + roff(command.name);
  for (const OptionText& positional : command.positionals) {
    const std::string name = upper_case(positional.names.back()) + (positional.repeats ? " ..." : "");
    text += " " + roff(positional.is_required ? name : "[" + name + "]");
  }
  text +=
      std::string(command.options.empty() ? "" : " [OPTION ...]") + (command.takes_words ? " [WORD ...]" : "") + "\n";
  std::string summary = command.summary + ".";
  summary.front() = upper_case(summary.substr(0, 1)).front();
  text += filled(summary) + "\n";
  for (const OptionText& positional : command.positionals) text += man_option(positional);
  for (const OptionText& option : command.options) text += man_option(option);
  return text + roff_verbatim(command.details);
}

struct ManRow {
  const char* name;
  const char* meaning;
};

constexpr ManRow kManExitCodes[] = {
    {"0", "clean"},
    {"1", "findings, or a comparison that failed"},
    {"2", "a wrong command line, or an error in the kernel's source"},
    {"3", "the environment lacks something: a file, a port, a Python or a GPU"},
    {"4", "not supported yet"},
    {"5", "stopped by --timeout or --max-memory"},
    {"70", "a defect of Lockstep"},
    {"130", "interrupted"},
};

constexpr ManRow kManVariables[] = {
    {"LOCKSTEP_LOG", "lowest level that the log shows, as --log-level"},
    {"LOCKSTEP_PYTHON", "the Python that runs campaigns and stages (default: python3)"},
    {"LOCKSTEP_ISA", "instruction set of the kernels' vector loops, at most the processor's"},
    {"LOCKSTEP_CACHE_DIR", "where compiled GPU code is kept; off: nowhere"},
    {"LOCKSTEP_CACHE_BYTES", "how much of it"},
    {"LOCKSTEP_NVRTC", "path of NVIDIA's runtime compiler, where Lockstep does not find it"},
    {"LOCKSTEP_ISL", "off: `lockstep prove` does not ask isl, where this build has it"},
    {"LOCKSTEP_Z3", "the z3 that `lockstep prove` asks last (default: on PATH); off: none"},
    {"NO_COLOR", "no colours"},
};

template <std::size_t size>
std::string man_rows(const ManRow (&rows)[size]) {
  std::string text;
  for (const ManRow& row : rows) text += ".TP\n" + roff_bold(row.name) + "\n" + roff(row.meaning) + ".\n";
  return text;
}

std::string man_page(const CommandTree& tree) {
  std::string text =
      ".\\\" Made by `lockstep man`.\n.TH LOCKSTEP 1 \"" + std::string(kManDate) + "\" \"Lockstep " + build_version() +
      "\" \"User Commands\"\n.SH NAME\nlockstep \\- run and explain Triton kernels without a GPU\n"
      ".SH SYNOPSIS\n.B lockstep\n.I COMMAND\n[\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n.SH DESCRIPTION\n" +
      roff(tree.whole.summary) +
      "\nIt needs no GPU, no Python and no Triton.\nThe command\n.B lockstep explain\n\\fICODE\\fR\n"
      "shows a wrong and a right kernel for every code that a message ends with.\n.SH OPTIONS\n";
  for (const OptionText& option : tree.whole.options) text += man_option(option);
  text += ".SH COMMANDS\n";
  for (const CommandText& command : tree.commands) text += man_command(command);
  return text + ".SH EXIT STATUS\n" + man_rows(kManExitCodes) + ".SH ENVIRONMENT\n" + man_rows(kManVariables);
}

ExitCode run_man(const NoOptions&) {
  const std::string text = man_page(command_tree());
  std::fwrite(text.data(), 1, text.size(), stdout);
  return ExitCode::clean;
}

}  // namespace

extern const CommandRow kManCommand{
    .name = "man",
    .summary = "print the manual page",
    .make = make_command<NoOptions, declare_nothing, run_man>,
    .is_hidden = true,
};

}  // namespace lockstep::cli
