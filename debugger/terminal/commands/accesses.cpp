// Commands that ask about the past: who touched an element, what it was made from.
#include <algorithm>
#include <map>
#include <utility>

#include "debugger/expression/show.h"
#include "debugger/questions/accesses.h"
#include "debugger/questions/slice.h"
#include "debugger/session/overview.h"
#include "debugger/session/padding_text.h"
#include "debugger/session/places.h"
#include "debugger/terminal/terminal.h"

namespace lockstep::debugger {

namespace {

constexpr std::size_t kMostAccesses = 40;  // lines of `who`
constexpr std::size_t kMostRanges = 12;    // of an argument, in `why`
constexpr std::size_t kMostAnswerLines = 40;     // of source, in `why`

std::string_view verb_of(interpreter::TouchKind kind) {
  switch (kind) {
    case interpreter::TouchKind::load: return "read";
    case interpreter::TouchKind::store: return "stored";
    case interpreter::TouchKind::atomic: return "updated atomically";
  }
  return "";
}

/// An element of memory or of a tile as its number.
std::string number_text(ScalarKind kind, const std::string& bytes, const Scope& scope) {
  if (bytes.size() != static_cast<std::size_t>(size_bytes(kind))) return "?";
  return element_text(decode_tensor(kind, {}, bytes), 0, scope);
}

/// The view of an argument that the bytes lie in; null: of none.
const memory_model::View* view_at(const memory_model::AddressSpace& memory, std::uint64_t address) {
  const auto storage = memory.find_storage(address);
  if (!storage) return nullptr;
  for (const memory_model::ViewId id : memory.views_of(*storage)) {
    const memory_model::View& view = memory.view(id);
    if (view.extent.begin <= address && address < view.extent.end) return &view;
  }
  return nullptr;
}

std::string element_name(const memory_model::View& view, std::uint64_t address) {
  const auto slot =
      (static_cast<std::int64_t>(address) - static_cast<std::int64_t>(view.base)) / size_bytes(view.element);
  const auto index = memory_model::find_index(view.shape, view.strides, slot);
  return view.name + (index ? index_text(*index) : "[...]");
}

/// "x[17,0] to x[17,32]" of bytes that one argument's elements fill.
std::string range_text(ByteRange range, const memory_model::AddressSpace& memory) {
  const memory_model::View* view = view_at(memory, range.begin);
  if (view == nullptr) return std::to_string(range.end - range.begin) + " bytes of no argument";
  const std::string first = element_name(*view, range.begin);
  const std::string last = element_name(*view, range.end - static_cast<std::uint64_t>(size_bytes(view->element)));
  return first == last ? first : first + " to " + last;
}

/// Of a load what it was filled with, of others how much of them that is.
std::string padding_of(const SliceStep& step, const Scope& scope) {
  if (interpreter::touches_memory(*step.point->op)) return "  (" + origins_text(step.origins, scope) + ")";
  return ", " + std::to_string(step.origins.padding()) + " of " + std::to_string(step.origins.lanes) + " padding";
}

}  // namespace

std::string Terminal::element_at(std::uint64_t address) const {
  const memory_model::View* view = view_at(session_.engine().memory(), address);
  return view == nullptr ? "memory of no argument" : element_name(*view, address);
}

std::string Terminal::range_at(ByteRange range) const { return range_text(range, session_.engine().memory()); }

std::string Terminal::value_at(std::uint64_t address, const std::string& bytes) const {
  const memory_model::View* view = view_at(session_.engine().memory(), address);
  return view == nullptr ? "?" : number_text(view->element, bytes, session_.scope());
}

Expected<Target, Problem> Terminal::memory_target(const char* command, Words words) const {
  if (words.empty()) return Unexpected{Problem{std::string(command) + " what?", std::string(command) + " out[17,3]"}};
  const auto expression = parse_expression(words);
  if (!expression) return Unexpected{Problem{expression.error().message, ""}};
  auto target = resolve_target(*expression, session_.scope());
  if (!target) return Unexpected{Problem{target.error().message, ""}};
  if (!target->is_memory)
    return Unexpected{Problem{"'" + target->text + "' is a variable: only memory has a past that is kept",
                              std::string(command) + " takes an element of an argument, out[17,3]"}};
  if (target->bytes.empty()) return Unexpected{Problem{"'" + target->text + "' has no elements", ""}};
  return std::move(*target);
}

Terminal::Done Terminal::do_who(Words words) {
  const auto target = memory_target("who", words);
  if (!target) return Unexpected{target.error()};
  const ByteRange bytes{target->bytes.front().begin, target->bytes.back().end};
  const auto found = find_accesses(session_.engine(), bytes, kMostAccesses);
  if (!found) return Unexpected{found.error()};
  const AccessList& list = *found;
  if (list.accesses.empty()) {
    screen_.line("nobody has touched " + target->text + " up to here");
    return std::monostate{};
  }
  const ScalarKind kind = target->window.kind;
  const bool is_element = bytes.end - bytes.begin == static_cast<std::uint64_t>(size_bytes(kind));
  for (const MemoryAccess& access : list.accesses) {
    std::string line = std::string(verb_of(access.kind)) + " by program " +
                       program_text(session_.engine().program_id(access.program)) + " at " +
                       place_text(access.point->place());
    for (const std::int64_t iteration : access.iterations)
      line += iteration < 0 ? "" : ", the " + ordinal_text(static_cast<std::uint64_t>(iteration) + 1) + " iteration";
    line += ", lane " + std::to_string(access.lane);
    if (is_element) {
      line += ": " + number_text(kind, access.before, session_.scope());
      if (access.kind != interpreter::TouchKind::load)
        line += " -> " + number_text(kind, access.after, session_.scope());
    }
    screen_.line(line);
  }
  if (list.is_truncated)
    screen_.line("... " + std::to_string(list.total) + " in all; the last one shown is the last of them");
  return std::monostate{};
}

/// Lines of the kernel that took part, in the order of time, with what they made of it first.
void Terminal::show_slice_steps(const Slice& slice) {
  std::size_t shown = 0;
  const SliceStep* before = nullptr;
  std::string gathered;  // of the line's reductions
  for (const SliceStep& step : slice.steps) {
    if (step.brings_together && step.origins.lanes != 0)
      gathered += "    " + std::string(step.point->op->spelling()) + " of " +
                  origins_text(step.origins, session_.scope()) + "\n";
    const bool is_last_of_line = &step == &slice.steps.back() ||
                                 !(&step)[1].point->place().same_line(step.point->place()) ||
                                 (&step)[1].program != step.program;
    if (!is_last_of_line) continue;
    if (++shown > kMostAnswerLines) {
      gathered.clear();
      continue;
    }
    if (before == nullptr || before->program != step.program)
      screen_.line("program " + program_text(session_.engine().program_id(step.program)));
    before = &step;
    std::string line = "  " + place_text(step.point->place()) + "  " + std::string(step.point->op->spelling());
    if (!step.first_value.empty())
      line += "  lane " + std::to_string(step.lanes.first()) + ": " +
              number_text(step.kind, step.first_value, session_.scope());
    if (step.lanes.count() > 1) line += "  and " + std::to_string(step.lanes.count() - 1) + " more lanes";
    if (step.has_nan) line += "  NaN";
    if (!step.brings_together && step.origins.lanes > 0) line += padding_of(step, session_.scope());
    screen_.line(line);
    screen_.put(std::exchange(gathered, ""));
  }
  if (shown > kMostAnswerLines) screen_.line("  ... " + std::to_string(shown - kMostAnswerLines) + " more");
}

Terminal::Done Terminal::do_why(Words words) {
  const auto target = memory_target("why", words);
  if (!target) return Unexpected{target.error()};
  if (target->bytes.size() != 1)
    return Unexpected{Problem{"'" + target->text + "' is several pieces of memory", "why takes one element or a row"}};
  const auto found = find_slice(session_.engine(), {target->bytes.front().begin, target->bytes.front().end});
  if (!found) return Unexpected{found.error()};
  const Slice& slice = *found;
  if (slice.steps.empty()) {
    screen_.line("no program has written " + target->text + " up to here");
    return std::monostate{};
  }
  show_slice_steps(slice);
  screen_.line("made from");
  for (std::size_t i = 0; i < slice.inputs.size() && i < kMostRanges; ++i)
    screen_.line("  " + range_text(slice.inputs[i], session_.engine().memory()));
  if (slice.inputs.size() > kMostRanges)
    screen_.line("  ... " + std::to_string(slice.inputs.size() - kMostRanges) + " more pieces of memory");
  const ir::Block& entry = session_.engine().kernel().function().region().front();
  for (const std::uint32_t scalar : slice.scalars) screen_.line("  " + name_of(*entry.argument(scalar)));
  if (slice.uses_program_id) screen_.line("  the program's id");
  if (slice.is_truncated) screen_.line("  (of the steps only the latest " + std::to_string(kMostSteps) + " were kept)");
  return std::monostate{};
}

}  // namespace lockstep::debugger
