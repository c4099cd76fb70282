// Pipeline: what the groups of warps and the asynchronous engines of a program did up to now, as a teacher draws it: a
// lane for each, bars with buffer, phase, line and iteration. It runs the past again and compares the state of the block
// (interpreter/shared_memory) between two ops. Time: an op of a group takes one unit; a group that waits goes on when
// what it waits for has come; an operation in flight ends where somebody needs it. So groups are drawn side by side,
// although the interpreter runs one at a time. Invariant: the engine is where it was before.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "debugger/engine/engine.h"
#include "debugger/session/problem.h"
#include "support/result.h"

namespace lockstep::debugger {

struct PipelineBar {
  enum class Kind : std::uint8_t { run, wait, read, write, operation } kind = Kind::run;
  std::size_t lane = 0, row = 0;       // rows of one lane do not overlap
  std::uint64_t begin = 0, end = 0;    // units of time
  bool is_over = true;                 // false: it is still in flight, or waits
  std::string text;                    // "a copy that a barrier counts", "waits"
  std::string buffer;                  // "ring[1]"; of a wait the barrier
  std::optional<std::uint64_t> phase;  // of the barrier
  Place place;
  std::optional<std::int64_t> iteration;  // of the innermost loop around, from 0
  std::uint64_t step = 0;                 // ops of the program before it
};

struct PipelineLane {
  std::string name;  // "the default group", "partition 0", "TMA load", "wgmma"
  bool is_engine = false;
  std::size_t rows = 1;
};

struct Pipeline {
  std::vector<PipelineLane> lanes;
  std::vector<PipelineBar> bars;  // by begin
  std::uint64_t end = 0;
  bool is_truncated = false;  // there were more than kMostPipelineBars
};

constexpr std::size_t kMostPipelineBars = 4096;

/// Of the program's first turn, up to now. Problem: the kernel has no such ops, or pause() came.
Expected<Pipeline, Problem> find_pipeline(Engine& engine, std::uint64_t program);
/// A line of text for each row of each lane, and one for each operation; `width`: columns.
std::vector<std::string> pipeline_lines(const Pipeline& pipeline, std::size_t width);

}  // namespace lockstep::debugger
