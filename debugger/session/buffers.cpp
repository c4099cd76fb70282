#include "debugger/session/buffers.h"

#include <algorithm>
#include <charconv>

#include "debugger/engine/names.h"
#include "interpreter/shared_memory/block_state.h"
#include "interpreter/shared_memory/storage.h"

namespace lockstep::debugger {

using interpreter::BlockState;
using interpreter::Slot;
using interpreter::View;

namespace {

const BlockState* block_of(const Engine& engine) { return engine.programs().block(engine.programs().current()); }

/// Bytes of one of the buffers that lie side by side in a storage; all of it where there is one.
std::int64_t bytes_of_one(const Engine& engine, const ir::Op& maker, Slot storage) {
  const std::int64_t all = interpreter::bytes_of_storage(engine.machine(), storage);
  const std::vector<std::int64_t>& shape = maker.result(0)->type().pointee().shape();
  const bool is_ring = shape.size() > 1 && shape.front() > 1 && all % shape.front() == 0;
  return is_ring ? all / shape.front() : all;
}

std::optional<std::int64_t> ring_index_in(std::string_view text) {
  std::int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::string buffer_name(const ir::Op& maker) {
  const std::string name = name_of(*maker.result(0));
  if (!name.empty() && !std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; })) return name;
  return "%" + maker.result(0)->name();
}

std::string buffer_text(const Engine& engine, Slot storage, std::int64_t byte) {
  const ir::Op* maker = interpreter::maker_of(engine.machine(), storage);
  if (maker == nullptr) return "";
  const std::int64_t one = bytes_of_one(engine, *maker, storage);
  const bool is_ring = one != 0 && one < interpreter::bytes_of_storage(engine.machine(), storage);
  return buffer_name(*maker) + (is_ring ? "[" + std::to_string(byte / one) + "]" : "");
}

std::string descriptor_text(const Engine& engine, const Variable& variable) {
  const View view = interpreter::unpack(engine.machine().slots[variable.slot].base);
  const ir::Op* maker = interpreter::maker_of(engine.machine(), view.storage);
  if (maker == nullptr) return "a buffer that is not made yet";
  const bool is_whole = variable.value->type().pointee().shape() == maker->result(0)->type().pointee().shape();
  return "buffer " + (is_whole ? buffer_name(*maker) : buffer_text(engine, view.storage, view.base));
}

std::optional<Expected<BufferPart, Problem>> find_buffer(const Engine& engine, const Frame& frame, std::string_view text) {
  const std::size_t bracket = text.find('[');
  const std::string_view name = text.substr(0, bracket);
  const auto variable = name.starts_with('%') ? frame.find_ssa(name) : frame.find(name);
  if (!variable || !variable->value->type().is_memdesc()) return std::nullopt;
  const View view = interpreter::unpack(engine.machine().slots[variable->slot].base);
  const ir::Op* maker = interpreter::maker_of(engine.machine(), view.storage);
  if (maker == nullptr)
    return Unexpected{Problem{"'" + std::string(name) + "' is not made yet", "step over its ttg.local_alloc first"}};
  const std::vector<std::int64_t>& shape = variable->value->type().pointee().shape();
  BufferPart part{std::string(text), view.storage, view.base, 0};
  const std::int64_t all = interpreter::bytes_of_storage(engine.machine(), view.storage);
  const bool is_whole = shape == maker->result(0)->type().pointee().shape();
  const std::int64_t one = bytes_of_one(engine, *maker, view.storage);
  part.end = is_whole ? all : std::min(all, part.begin + one);
  if (bracket == std::string_view::npos) return part;
  const std::string_view rest = text.substr(bracket + 1);
  const auto index = rest.ends_with(']') ? ring_index_in(rest.substr(0, rest.size() - 1)) : std::nullopt;
  if (!is_whole || one == all || !index || *index < 0 || *index >= all / one)
    return Unexpected{Problem{"'" + std::string(text) + "' is not one of the buffers of " + std::string(name),
                              one == all ? "it is one buffer" : "it has buffers 0 to " + std::to_string(all / one - 1)}};
  part.begin = *index * one;
  part.end = part.begin + one;
  return part;
}

std::optional<std::string> bytes_of(const Engine& engine, const BufferPart& part) {
  const char* bytes = interpreter::bytes_at(engine.machine(), part.storage);
  if (bytes == nullptr) return std::nullopt;
  return std::string(bytes + part.begin, static_cast<std::size_t>(part.end - part.begin));
}

std::string last_writer(const Engine& engine, const BufferPart& part) {
  const BlockState* block = block_of(engine);
  if (block == nullptr) return "";
  const interpreter::Touch* last = nullptr;
  for (std::size_t i = 0; i < block->touch_count; ++i) {
    const interpreter::Touch& touch = block->touches[i];
    const bool is_one = touch.is_used && touch.is_write && touch.view.storage == part.storage && touch.begin < part.end &&
                        part.begin < touch.end;
    if (is_one && (last == nullptr || last->order < touch.order)) last = &touch;
  }
  if (last == nullptr) return "";
  const std::string what = last->queue == interpreter::Queue::none ? "a store" : interpreter::text_of_queue(last->queue);
  const std::string group = interpreter::name_of_group(*block, last->group);
  const Location at = engine.machine().plan->sites[last->site].location.innermost_file();
  return what + (group.empty() ? "" : " of " + group) + (at.is_unknown() ? "" : ", line " + std::to_string(at->line));
}

std::string group_name(const Engine& engine) {
  const BlockState* block = engine.point() == nullptr ? nullptr : block_of(engine);
  if (block == nullptr) return "";
  const auto groups = interpreter::describe_groups(*block);
  if (groups.size() < 2) return "";
  for (const interpreter::GroupLine& group : groups) {
    if (group.number == block->current) return group.name;
  }
  return "";
}

}  // namespace lockstep::debugger
