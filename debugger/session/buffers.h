// Buffers: a program's buffers in shared and tensor memory in people's terms: the bytes that a memory descriptor means
// ("ring[1]"), what they hold, who writes them. Precondition of everything: Engine::point().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "debugger/engine/engine.h"
#include "debugger/engine/frame.h"
#include "debugger/session/problem.h"
#include "interpreter/shared_memory/block_view.h"
#include "support/result.h"

namespace lockstep::debugger {

/// A part of a buffer of the current program.
struct BufferPart {
  std::string text;  // "ring[1]"
  interpreter::Slot storage = interpreter::kNoSlot;
  std::int64_t begin = 0, end = 0;  // bytes of the buffer
};

/// The name of what the op at `maker` made: "ring", "%12".
std::string buffer_name(const ir::Op& maker);
/// "ring[1]" where the byte is in one of several buffers side by side, else "ring"; "" if the buffer is not made yet.
std::string buffer_text(const Engine& engine, interpreter::Slot storage, std::int64_t byte);
/// "buffer ring[1]" for the value of a memory descriptor.
std::string descriptor_text(const Engine& engine, const Variable& variable);
/// nullopt: the text names no memory descriptor of the frame. `text`: "ring", "ring[1]", "%12[0]". Problem: it is not
/// made yet, or the index is outside.
std::optional<Expected<BufferPart, Problem>> find_buffer(const Engine& engine, const Frame& frame, std::string_view text);
/// What the part holds; nullopt: the buffer is not made.
std::optional<std::string> bytes_of(const Engine& engine, const BufferPart& part);
/// "a store of partition 0, line 12": the latest write into the part; "" if none is known.
std::string last_writer(const Engine& engine, const BufferPart& part);
/// "the default group", "partition 0": the group of warps that stands; "" if the program has one group now.
std::string group_name(const Engine& engine);

}  // namespace lockstep::debugger
