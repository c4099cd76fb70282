// Sources: texts as DAP names them: a path where the client can open the file itself, else a number to ask for the text
// with. Number 1 is the TTIR; the others are files missing here (of a capsule).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "debugger/dap/state.h"

namespace lockstep::debugger::dap {

constexpr std::int64_t kTtirReference = 1;

/// Absolute, if the file exists; otherwise the kernel's name for it.
std::string path_for_client(const std::string& path);
Json source_of_file(const State& state, const std::string& path);
Json source_of_ttir(const State& state);
/// One op per line, as disassemble has them.
std::string ttir_text(const State& state);

/// A source that the client named: the kernel's name for the file, or the TTIR.
struct NamedSource {
  bool is_ttir = false;
  std::string file;
};
/// Reads `source`; problems go to `in`.
NamedSource read_source(const State& state, Arguments& in);

/// The text of the file is available, from the disk or as recorded.
bool has_text(const State& state, const Place& place);

/// Adds source, line and column of a place (columns of places are from 0).
void set_place(const State& state, Json& object, const Place& place);
/// The same for an op of the TTIR.
void set_op_place(const State& state, Json& object, std::uint32_t point);

}  // namespace lockstep::debugger::dap
