// The table of commands: names, letters, help. In the order of `help`.
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

const std::vector<Terminal::Command>& Terminal::commands() {
  static const std::vector<Command> commands = [] {
    std::vector<Command> all = moving_commands();
    for (const auto& more : {looking_commands(), other_commands()}) all.insert(all.end(), more.begin(), more.end());
    return all;
  }();
  return commands;
}

std::vector<Terminal::Command> Terminal::moving_commands() {
  using T = Terminal;
  using G = Group;
  return {
      {"run", "r", "run", "from the start, to the first stop", G::going, &T::do_run},
      {"restart", "", "restart", "stands at the first op again", G::going, &T::do_restart},
      {"continue", "c cont", "continue [N]", "to the next stop (the Nth)", G::going, &T::do_continue, true},
      {"next", "n", "next [N]", "to the next line, over calls", G::going, &T::do_next, true},
      {"step", "s", "step [N]", "to the next line, into calls", G::going, &T::do_step, true},
      {"stepi", "si", "stepi [N]", "one op of the TTIR", G::going, &T::do_stepi, true},
      {"finish", "fin", "finish", "to the end of this function", G::going, &T::do_finish, true},
      {"until", "u unt", "until PLACE", "to a place: a line, file.py:14, op:tt.store, loop:k, *17", G::going,
       &T::do_until, true},
      {"iter", "", "iter N [VARIABLE]", "to iteration N (from 0) of the loop, forwards or backwards", G::going,
       &T::do_iter},
      {"turn", "", "turn [N]", "to where the next turn begins, whichever program takes it", G::going, &T::do_turn,
       true},
      {"rc", "reverse-continue", "rc [N]", "back to the stop before", G::back, &T::do_reverse_continue, true},
      {"rn", "reverse-next", "rn [N]", "back to the line before, over calls", G::back, &T::do_reverse_next, true},
      {"rs", "reverse-step", "rs [N]", "back to the line before, into calls", G::back, &T::do_reverse_step, true},
      {"rsi", "reverse-stepi", "rsi [N]", "back by one op", G::back, &T::do_reverse_stepi, true},
      {"rfinish", "reverse-finish", "rfinish", "back to where this function was called", G::back, &T::do_reverse_finish,
       true},
      {"rturn", "reverse-turn", "rturn [N]", "back to where this turn began, or the one before", G::back,
       &T::do_reverse_turn, true},
      {"runtil", "reverse-until", "runtil PLACE", "back to a place", G::back, &T::do_reverse_until, true},
      {"break", "b", "break PLACE [if CONDITION] [hits RULE]",
       "stop at a line (14, file.py:14), a function, op:tt.store, loop:k, *17", G::stops, &T::do_break},
      {"tbreak", "tb", "tbreak PLACE [if CONDITION]", "the same, once", G::stops, &T::do_tbreak},
      {"log", "", "log PLACE \"text {expression}\" [if CONDITION]", "write a line there instead of stopping", G::stops,
       &T::do_log},
      {"condition", "cond", "condition ID [CONDITION]", "change or take away a stop's condition", G::stops,
       &T::do_condition},
      {"ignore", "", "ignore ID COUNT", "pass over the next hits", G::stops, &T::do_ignore},
      {"enable", "", "enable [ID ...]", "let stops stop again (none given: all)", G::stops, &T::do_enable},
      {"disable", "", "disable [ID ...]", "keep stops, but let them pass", G::stops, &T::do_disable},
      {"delete", "d", "delete [ID ...]", "remove stops (none given: all)", G::stops, &T::do_delete},
      {"watch", "", "watch PLACE [if CONDITION]",
       "stop where elements change: out[17,3], out, out[:4], acc[0,0] of this program", G::stops, &T::do_watch},
      {"rwatch", "", "rwatch PLACE", "stop where elements of an argument are read", G::stops, &T::do_rwatch},
      {"awatch", "", "awatch PLACE", "stop where they are read or written", G::stops, &T::do_awatch},
      {"catch", "", "catch [FILTER ... | off] [if CONDITION]",
       "stop where findings are born: oob, nan, race, ..., all, LS101", G::stops, &T::do_catch},
      {"program", "pg", "program [X [Y [Z]]]", "stand at the beginning of that program", G::programs, &T::do_program},
      {"programs", "", "programs", "those that run, wait or made findings", G::programs, &T::do_programs},
      {"grid", "", "grid", "a map of all programs", G::programs, &T::do_grid},
      {"switch", "", "switch X [Y [Z]]", "let that program take its turn now (forks the timeline)", G::programs,
       &T::do_switch},
      {"lane", "", "lane [I[,J] | off]", "look at one element of every tile", G::programs, &T::do_lane},
  };
}

std::vector<Terminal::Command> Terminal::looking_commands() {
  using T = Terminal;
  using G = Group;
  return {
      {"print", "p", "print EXPRESSION", "a value: acc, acc[0,:8], out[17,3], max(abs(a - b)), mask.count", G::looking,
       &T::do_print},
      {"pt", "", "pt EXPRESSION", "as a table", G::looking, &T::do_print_table},
      {"ph", "", "ph EXPRESSION", "as a histogram", G::looking, &T::do_print_histogram},
      {"px", "", "px EXPRESSION", "as bits", G::looking, &T::do_print_bits},
      {"display", "", "display [EXPRESSION]", "print it after every stop", G::looking, &T::do_display},
      {"undisplay", "", "undisplay [ID]", "no more", G::looking, &T::do_undisplay},
      {"info", "i", "info TOPIC", "tiles, masks, args, loop, line, breaks, ...", G::looking, &T::do_info},
      {"x", "", "x[/COUNT TYPE] PLACE", "memory from an element on: x/16f out[3], x/8bf16 y, x/4x out", G::looking,
       &T::do_examine},
      {"who", "", "who PLACE", "every program that touched an element up to here: who out[17,3]", G::looking,
       &T::do_who},
      {"why", "", "why PLACE", "what an element was made from, back to the arguments: why out[17,3]", G::looking,
       &T::do_why},
      {"born", "", "born PLACE", "where a NaN or an infinity comes from: born acc[0,0], born out[17,3], born out",
       G::looking, &T::do_born},
      {"hb", "", "hb P Q", "what orders two programs (happens before): hb 0 3, hb 0,0,0 3,1,0", G::looking, &T::do_hb},
      {"map", "", "map [POINTERS[, MASK]]",
       "which bytes an access touches: map (here), map x_ptrs, map x + offsets, mask", G::looking, &T::do_map},
      {"diff", "", "diff [NAME | FILE.capsule]",
       "memory as it is now against what was recorded, --expect, or another recorded launch", G::looking, &T::do_diff},
      {"bisect", "", "bisect [OUT[I,J]]", "go behind the op that made an element of a result wrong", G::looking,
       &T::do_bisect},
      {"lint", "", "lint", "what of the launch costs time on a GPU (LSP01 to LSP10)", G::looking, &T::do_lint},
      {"cost", "", "cost [GPU]", "sectors, bytes, flops and ops of each line, the dearest first", G::looking,
       &T::do_cost},
      {"roofline", "", "roofline [GPU]", "how fast the launch could be at most: roofline sm_90, h200", G::looking,
       &T::do_roofline},
      {"list", "l", "list [LINE[,LINE]]", "the source around here", G::looking, &T::do_list, true},
      {"ttir", "", "ttir [N | all]", "the ops around here, with their numbers", G::looking, &T::do_ttir, true},
      {"where", "bt w backtrace", "where", "the frames of the program", G::looking, &T::do_where},
      {"up", "", "up [N]", "look at the calling frame", G::looking, &T::do_up},
      {"down", "", "down [N]", "look at the called frame", G::looking, &T::do_down},
  };
}

std::vector<Terminal::Command> Terminal::other_commands() {
  using T = Terminal;
  using G = Group;
  return {
      {"set", "", "set PLACE = EXPRESSION", "change a variable, an element, memory (forks the timeline)", G::changing,
       &T::do_set},
      {"timeline", "", "timeline [ID]", "what was changed when; go to where another one was left", G::changing,
       &T::do_timeline},
      {"source", "", "source FILE", "commands from a file", G::other, &T::do_source},
      {"record", "", "record FILE | off", "write what is typed to a file that `source` reads", G::other, &T::do_record},
      {"history", "", "history [N]", "the last commands", G::other, &T::do_history},
      {"help", "h", "help [COMMAND]", "this", G::other, &T::do_help},
      {"kill", "", "kill", "end the launch where it stands; a program that made it gets an exception", G::other,
       &T::do_kill},
      {"quit", "q exit", "quit", "leave; a program's launch runs on to its end", G::other, &T::do_quit},
  };
}

}  // namespace lockstep::debugger
