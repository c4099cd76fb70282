// Requests about bytes and ops: readMemory, writeMemory, disassemble.
#include <charconv>
#include <limits>

#include "debugger/dap/dispatch.h"
#include "debugger/dap/instructions.h"
#include "debugger/dap/json/values.h"
#include "debugger/dap/sources.h"
#include "debugger/dap/transport/base64.h"
#include "debugger/session/edits.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kMostBytes = std::int64_t{1} << 20, kMostInstructions = 10'000;
constexpr std::int64_t kFarthest = std::int64_t{1} << 40;

/// nullopt: not a number, or the offset leaves the address range.
std::optional<std::uint64_t> read_address(Arguments& in) {
  const auto base = parse_address(in.text("memoryReference"));
  const std::int64_t offset = in.integer_or("offset", -kFarthest, kFarthest, 0);
  if (!base) in.fail("'memoryReference' is not an address");
  if (!in.is_good()) return std::nullopt;
  const bool leaves = offset < 0
                          ? *base < static_cast<std::uint64_t>(-offset)
                          : *base > std::numeric_limits<std::uint64_t>::max() - static_cast<std::uint64_t>(offset);
  if (leaves) in.fail("there is no such address");
  return *base + static_cast<std::uint64_t>(offset);
}

bool can_read(const State& state, std::uint64_t address, std::size_t bytes, std::string& out) {
  out.resize(bytes);
  return state.session().scope().read(address, bytes, Age::now, out.data());
}

/// The most readable bytes from `address` on, up to `most`.
std::string readable(const State& state, std::uint64_t address, std::size_t most) {
  std::string bytes;
  if (can_read(state, address, most, bytes)) return bytes;
  std::size_t good = 0, bad = most;
  while (bad - good > 1) {
    const std::size_t middle = good + (bad - good) / 2;
    (can_read(state, address, middle, bytes) ? good : bad) = middle;
  }
  if (good == 0) return "";
  can_read(state, address, good, bytes);
  return bytes;
}

Json instruction_json(const State& state, std::int64_t number) {
  const auto& points = state.engine().kernel().points();
  const auto& ops = state.session().listing().ops();
  Json json = Json::record({{"address", instruction_address(number)}});
  if (number < 0 || number >= static_cast<std::int64_t>(ops.size())) {
    json.set("instruction", "");
    json.set("presentationHint", "invalid");
    return json;
  }
  const ListedOp& op = ops[static_cast<std::size_t>(number)];
  json.set("instruction", std::string(2 * op.indent, ' ') + op.text);
  const Place place = points[op.point].place();
  if (place.is_known()) {
    json.set("location", source_of_file(state, *place.file));
    json.set("line", static_cast<std::int64_t>(place.line) - 1 + state.client.first_line);
  }
  return json;
}

}  // namespace

std::string instruction_address(std::int64_t point) {
  return address_text(static_cast<std::uint64_t>(point + kInstructionBase));
}

std::optional<std::uint64_t> parse_address(const std::string& text) {
  const bool is_hex = text.starts_with("0x") || text.starts_with("0X");
  const char* begin = text.data() + (is_hex ? 2 : 0);
  const char* end = text.data() + text.size();
  std::uint64_t number = 0;
  const auto read = std::from_chars(begin, end, number, is_hex ? 16 : 10);
  if (begin == end || read.ec != std::errc{} || read.ptr != end) return std::nullopt;
  return number;
}

std::optional<std::int64_t> instruction_number(const std::string& reference, std::int64_t offset) {
  const auto address = parse_address(reference);
  if (!address || *address > static_cast<std::uint64_t>(kFarthest)) return std::nullopt;
  return static_cast<std::int64_t>(*address) - kInstructionBase + offset;
}

std::optional<std::uint32_t> point_at(const State& state, const std::string& reference, std::int64_t offset) {
  const auto number = instruction_number(reference, offset);
  const auto count = static_cast<std::int64_t>(state.engine().kernel().points().size());
  if (!number || *number < 0 || *number >= count) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

Answer read_memory(State& state, Arguments& in) {
  const auto address = read_address(in);
  const auto count = static_cast<std::size_t>(in.integer("count", 0, kMostBytes));
  if (!in.is_good()) return refuse(in.problem());
  const std::string bytes = count == 0 ? "" : readable(state, *address, count);
  Json body = Json::record({{"address", address_text(*address)}});
  if (bytes.size() < count) body.set("unreadableBytes", count - bytes.size());
  if (!bytes.empty()) body.set("data", to_base64(bytes));
  return done(std::move(body));
}

Answer write_memory(State& state, Arguments& in) {
  const auto address = read_address(in);
  const auto bytes = from_base64(in.text("data"));
  in.boolean_or("allowPartial", false);
  if (!bytes) in.fail("'data' is no base64");
  if (!in.is_good()) return refuse(in.problem());
  const auto written = write_bytes(state.session(), *address, *bytes);
  if (!written) return refuse(written.error().text());
  const Json changed =
      Json::record({{"memoryReference", address_text(*address)}, {"offset", 0}, {"count", bytes->size()}});
  return then(done(Json::record({{"bytesWritten", bytes->size()}})), [&state, changed] {
    report_edit(state);
    if (state.client.has_memory_events) state.channel.event("memory", changed);
  });
}

Answer disassemble(State& state, Arguments& in) {
  const std::string reference = in.text("memoryReference");
  const std::int64_t offset = in.integer_or("offset", INT32_MIN, INT32_MAX, 0);
  const std::int64_t first = in.integer_or("instructionOffset", INT32_MIN, INT32_MAX, 0);
  const std::int64_t count = in.integer("instructionCount", 0, kMostInstructions);
  in.boolean_or("resolveSymbols", false);
  const auto number = instruction_number(reference, offset);
  if (!number) in.fail("'memoryReference' is not the address of an op");
  if (!in.is_good()) return refuse(in.problem());
  Json::Array instructions;
  for (std::int64_t i = 0; i < count; ++i) instructions.push_back(instruction_json(state, *number + first + i));
  return done(Json::record({{"instructions", std::move(instructions)}}));
}

}  // namespace lockstep::debugger::dap
