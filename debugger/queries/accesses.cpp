#include "debugger/queries/accesses.h"

#include <algorithm>

#include "debugger/engine/frame.h"
#include "debugger/queries/past.h"
#include "interpreter/access/storage_copy.h"

namespace lockstep::debugger {

namespace {

std::string bytes_now(ByteRange range) {
  return {interpreter::bytes_at(range.begin), static_cast<std::size_t>(range.end - range.begin)};
}

/// The first lane that is on and touches the bytes; -1: none does.
std::int64_t touching_lane(interpreter::AccessLanes& lanes, ByteRange range) {
  bool touches = false;
  lanes.for_each_run([&](std::uint64_t begin, std::int64_t bytes) {
    touches = touches || (begin < range.end && range.begin < begin + static_cast<std::uint64_t>(bytes));
  });
  if (!touches) return -1;
  const auto width = static_cast<std::uint64_t>(lanes.bytes());
  for (std::int64_t lane = 0; lane < lanes.count(); ++lane) {
    if (!lanes.is_on(lane)) continue;
    const std::uint64_t begin = lanes.address(lane);
    if (begin < range.end && range.begin < begin + width) return lane;
  }
  return -1;
}

}  // namespace

namespace {

AccessList accesses_of(Engine& engine, ByteRange bytes, std::size_t most, Mark now) {
  AccessList list;
  bool is_open = false;  // the last access has not ended: `after` is not known
  const auto close = [&] {
    if (is_open) list.accesses.back().after = bytes_now(bytes);
    is_open = false;
  };
  const auto witness = [&](const Point& point, interpreter::AccessLanes& lanes) {
    const std::int64_t lane = touching_lane(lanes, bytes);
    if (lane < 0) return;
    ++list.total;
    if (list.accesses.size() >= most) {
      list.is_truncated = true;
      list.accesses.pop_back();
    }
    MemoryAccess access;
    access.kind = lanes.kind();
    access.point = &point;
    access.program = engine.program();
    access.mark = engine.mark();
    access.lane = lane;
    access.before = bytes_now(bytes);
    for (const LoopPosition& loop : Frame(engine).loops()) access.iterations.push_back(loop.iteration.value_or(-1));
    std::reverse(access.iterations.begin(), access.iterations.end());
    list.accesses.push_back(std::move(access));
    is_open = true;
  };
  engine.replay({}, now, close, witness);
  return list;
}

}  // namespace

Expected<AccessList, Problem> find_accesses(Engine& engine, ByteRange bytes, std::size_t most) {
  const Mark now = engine.point() == nullptr ? Mark{~std::uint64_t{0}, 0} : engine.mark();
  return ask_the_past(engine, [&](Engine::ScopedReplay&) { return accesses_of(engine, bytes, most, now); });
}

}  // namespace lockstep::debugger
