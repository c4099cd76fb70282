// The texts of LaneHazards: one finding of each kind for one execution of an op.
#include <algorithm>
#include <cstring>

#include "interpreter/access/storage_copy.h"
#include "ir/op_def.h"
#include "memory_model/describe.h"
#include "sanitizer/core/texts.h"
#include "sanitizer/lanes/lane_hazards.h"

namespace lockstep::sanitizer {

namespace {

/// "lane 3", "lane (3,17) of a tile [64,32]", "one thread", "every thread".
std::string who_text(const ShadowAccess& access, LaneIdentity who, bool names_shape) {
  if (who == kEveryThread) return "every thread";
  if (access.shape.empty()) return "one thread";
  const auto lane = static_cast<std::int64_t>(who & 0xffffffff);
  return "lane " + lane_text(lane, access.shape) + (names_shape ? " of a tile " + shape_text(access.shape) : "");
}

std::uint64_t bits_at(const char* at, std::size_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, std::min(bytes, sizeof bits));
  return bits;
}

FindingCode code_of(Hazard hazard, bool is_carried) {
  switch (hazard) {
    case Hazard::read_after_write: return is_carried ? FindingCode::LS405 : FindingCode::LS401;
    case Hazard::write_after_read: return FindingCode::LS402;
    case Hazard::write_after_write: return FindingCode::LS403;
    case Hazard::duplicate: return FindingCode::LS404;
    case Hazard::pipelined: return FindingCode::LS406;
  }
  return FindingCode::LS401;
}

std::string_view verb_of(interpreter::TouchKind kind) {
  return kind == interpreter::TouchKind::load ? "loads" : kind == interpreter::TouchKind::store ? "stores" : "updates";
}

std::string past_of(interpreter::TouchKind kind) {
  return kind == interpreter::TouchKind::load ? "loaded" : kind == interpreter::TouchKind::store ? "stored" : "updated";
}

std::string hint_of(Hazard hazard, std::string_view model) {
  if (hazard == Hazard::duplicate) return "make the indices different, or use an atomic";
  if (hazard == Hazard::pipelined)
    return "use num_stages=1 on this loop, or carry the value in a variable instead of in memory";
  if (hazard == Hazard::write_after_write)
    return "store every element once, or put tl.debug_barrier() between the two (memory model " + std::string(model) + ")";
  return "put tl.debug_barrier() between the two, or keep the values in a variable (memory model " + std::string(model) +
         ")";
}

}  // namespace

Finding LaneHazards::text_of(Running& now, Hazard hazard, const HazardFound& found) {
  const ShadowAccess &first = now.shadow.access(found.other.access), &second = now.shadow.access(now.number);
  const std::int32_t view = now.run.lanes().provenance();
  const std::string place = place_text(now.run.memory(), view, found.address);
  const bool names_shapes = first.shape != second.shape;
  const auto who = now.shadow.identity(second, found.lane);
  const std::string me = who_text(second, who, names_shapes), other = who_text(first, found.other.who, names_shapes);
  const bool carried = is_carried(first, second);
  const std::string at = (carried ? "in an earlier iteration, " : "") + line_text(first.location);
  std::string text;
  switch (hazard) {
    case Hazard::duplicate: {
      const ScalarKind kind = now.run.kind(interpreter::moved_value(*now.op.op));
      const auto bytes = static_cast<std::size_t>(now.run.lanes().bytes());
      const auto value = [&](std::int64_t lane) {
        return value_text(kind, bits_at(now.values + static_cast<std::size_t>(lane) * bytes, bytes));
      };
      text = "lanes " + lane_text(found.other_lane, second.shape) + " and " + lane_text(found.lane, second.shape) +
             " store different values to " + place + " in one store: " + value(found.other_lane) + " and " +
             value(found.lane);
      break;
    }
    case Hazard::pipelined:
      text = "this load of " + place + " may start before the store of an earlier iteration, " +
             line_text(first.location) + ", that it reads: the loop is pipelined in " +
             std::to_string(now.op.stages != 0 ? now.op.stages : context_.options.num_stages) + " stages";
      break;
    default:
      text = me + " " + std::string(verb_of(now.op.kind)) + " " + place + ", which " + other + " " +
             past_of(first.op->kind) + " (" + at + "), and no barrier is in between";
  }
  Finding finding = now.run.finding(code_of(hazard, carried), std::move(text));
  if (hazard != Hazard::duplicate)
    finding.notes.push_back({past_of(first.op->kind) + " here by " + other, first.location});
  return finding;
}

void LaneHazards::report(Running& now) {
  constexpr std::string_view kModels[] = {"sequential", "tile", "strict"};
  for (std::size_t i = 0; i < kHazards; ++i) {
    if (!now.found[i]) continue;
    const HazardFound& found = *now.found[i];
    const auto hazard = static_cast<Hazard>(i);
    Finding finding = text_of(now, hazard, found);
    const ElementName name = element_of(now.run.memory(), now.run.lanes().provenance(), found.address);
    finding.argument = name.argument;
    finding.element = name.element;
    finding.lane = position_of(found.lane, now.run.lanes().shape());
    finding.count = found.count;
    const auto& sources = now.op.sources;
    const bool is_update = hazard == Hazard::write_after_read && now.is_shared && found.other.who != kEveryThread &&
                           std::find(sources.begin(), sources.end(), now.shadow.access(found.other.access).op->op) !=
                               sources.end();
    finding.hint = is_update ? "lanes share elements that they load and store: if each must add to them, use an "
                               "atomic (tl.atomic_add); no barrier does that"
                             : hint_of(hazard, kModels[static_cast<std::size_t>(context_.options.memory_model)]);
    now.run.report(std::move(finding));
  }
}

/// One thread executes a scalar atomic and waits for no other before it: the atomic releases only that thread's stores.
void LaneHazards::check_release(Execution& run) {
  if (!run.lanes().shape().empty() || run.lanes().active() == 0) return;
  LaneShadow& program = shadow(run);
  std::string lines;
  std::vector<FindingNote> notes;
  const LaneAccess* last = nullptr;
  for (const std::uint32_t number : program.open_stores()) {
    const ShadowAccess& store = program.access(number);
    if (store.shape.empty() || store.op == last) continue;
    const auto storages = storages_of(context_.request, store.op->memory);
    const bool is_loaded = std::any_of(storages.begin(), storages.end(), [&](std::int32_t one) {
      return loaded_.contains(one) || loaded_.contains(-1) || (one < 0 && !loaded_.empty());
    });
    if (!is_loaded) continue;
    last = store.op;
    lines += (lines.empty() ? "" : ", ") + line_text(store.location);
    notes.push_back({"stored here by all lanes", store.location});
  }
  if (notes.empty()) return;
  Finding finding =
      run.finding(FindingCode::LS308, "the release is executed by one thread, while other threads' stores (" + lines +
                               ") may still be running: Triton before 3.9 puts no barrier in front of an atomic (profile " +
                               std::to_string(context_.options.triton_major) + "." +
                               std::to_string(context_.options.triton_minor) + ")");
  finding.notes = std::move(notes);
  finding.argument = element_of(run.memory(), run.lanes().provenance(), run.lanes().address(0)).argument;
  finding.hint = "put tl.debug_barrier() in front of it";
  run.report(std::move(finding));
}

}  // namespace lockstep::sanitizer
