// CommandRow: a command of `lockstep`, as its file lists it: name, texts, options, function. Invariant: only
// command_list.cpp also names a command, in the order of the help; completions and the manual page come from the rows.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cli/exit_code.h"
#include "cli/option_list.h"

namespace lockstep::cli {

class Command {
 public:
  virtual ~Command() = default;
  virtual void declare(OptionList& options) = 0;
  virtual void take_words(std::vector<std::string> words) = 0;
  /// Prints its own results; returns the process's exit code.
  virtual ExitCode run() const = 0;
};

/// Who reads the words after a command's options.
enum class Words : std::uint8_t {
  none,  // there are none
  rest,  // the command: they stand in its options' `words`
  all,   // something else that has options of its own, --help too
};

struct CommandRow {
  const char* name;
  const char* summary;
  std::unique_ptr<Command> (*make)();
  const char* footer = "";                                                // what `--help` says below the options
  const char* usage = " FILE.py[::KERNEL] --grid X[,Y[,Z]] NAME=VALUE ...";  // where something required is missing
  Words words = Words::none;
  bool is_hidden = false;  // for installation; not in the help
};

template <typename Options, auto kDeclare, auto kRun>
class CommandOf final : public Command {
 public:
  void declare(OptionList& list) override { kDeclare(list, options_); }
  void take_words(std::vector<std::string> words) override {
    if constexpr (requires { options_.words; }) options_.words = std::move(words);
  }
  ExitCode run() const override { return kRun(options_); }

 private:
  Options options_;
};

/// For CommandRow::make: a function that declares the options, and one that acts on them.
template <typename Options, void (*kDeclare)(OptionList&, Options&), ExitCode (*kRun)(const Options&)>
std::unique_ptr<Command> make_command() {
  return std::make_unique<CommandOf<Options, kDeclare, kRun>>();
}

struct NoOptions {};
inline void declare_nothing(OptionList&, NoOptions&) {}

}  // namespace lockstep::cli
