// `--help` and `lockstep help`: prints the command line's own tree as text, with options in groups.
#pragma once

#include <cstddef>
#include <string>

#include "cli/commands/command_tree.h"

namespace lockstep::cli {

struct HelpStyle {
  bool has_color = false;
  std::size_t width = 100;
};

/// For output on a descriptor: colours and width of a terminal.
HelpStyle help_style(int descriptor);

/// Of `lockstep` itself: the commands.
std::string help_of(const CommandTree& tree, const HelpStyle& style);
/// Of one command.
std::string help_of(const CommandTree& tree, const CommandText& command, const HelpStyle& style);

}  // namespace lockstep::cli
