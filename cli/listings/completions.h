// Completions of the command line for shells, written from its own tree. packaging/share has them for installation.
#pragma once

#include <string>
#include <string_view>

#include "cli/commands/command_tree.h"

namespace lockstep::cli {

/// The values of an option or a positional.
enum class Completed : unsigned char { words, files, kernels, folders, codes, ops, nothing };

Completed completed(const OptionText& option);

/// `tree`'s commands for completions: `serve` takes the options of `debug`, too.
CommandTree completed_tree();

std::string bash_completions(const CommandTree& tree);
std::string zsh_completions(const CommandTree& tree);
std::string fish_completions(const CommandTree& tree);

}  // namespace lockstep::cli
