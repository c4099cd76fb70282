#include "sanitizer/race/race_report.h"

#include <cstring>

#include "findings/codes.h"
#include "interpreter/access/storage_copy.h"
#include "interpreter/launch/name_op.h"
#include "ir/op_def.h"
#include "ir/opcode.h"
#include "sanitizer/race/race_text.h"

namespace lockstep::sanitizer {

namespace {

/// The value that a plain store writes; null: another kind of access.
const ir::Value* stored_value(const ir::Op& op) {
  return interpreter::touch_kind(op) == interpreter::TouchKind::store ? &interpreter::moved_value(op) : nullptr;
}

std::uint64_t bits_in_memory(std::uint64_t address, std::uint32_t bytes) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, interpreter::bytes_at(address), bytes);
  return bits;
}

std::string_view verb(const RaceSite& site) {
  if (site.kind.is_atomic) return site.kind.writes ? "updates it atomically" : "reads it atomically";
  return site.kind.writes ? "stores to it" : "loads it";
}

}  // namespace

// ---- which race ----

namespace {

FindingCode code_of_blame(const RaceSites& sites, const RaceBlame& blame) {
  const RaceSite& acquired = sites[blame.acquired.site];
  const bool has_release = blame.released.site != 0;
  const RaceSite& released = sites[blame.released.site];
  if (acquired.kind.is_cta || (has_release && released.kind.is_cta)) return FindingCode::LS304;
  if (has_release && !released.kind.is_atomic && acquired.kind.is_atomic)
    return acquired.kind.swaps ? FindingCode::LS305 : FindingCode::LS306;
  const bool is_ticket = acquired.kind.is_atomic && acquired.kind.writes && !acquired.kind.swaps;
  return is_ticket && !acquired.kind.may_spin ? FindingCode::LS311 : FindingCode::LS303;
}

}  // namespace

FindingCode race_code(const RaceSites& sites, const RaceBlames& blames, const RaceEvent& event) {
  const RaceSite &here = sites[event.site], &there = sites[event.other.site];
  if (here.kind.is_atomic && there.kind.is_atomic) return here.bytes != there.bytes ? FindingCode::LS307 : FindingCode::LS304;
  if (here.kind.is_atomic != there.kind.is_atomic) {
    const RaceSite& plain = here.kind.is_atomic ? there : here;
    const RaceSite& atomic = here.kind.is_atomic ? here : there;
    const bool unlocks = here.kind.is_atomic ? event.other.holds_lock : event.unlocks;
    return unlocks && plain.kind.writes && atomic.kind.swaps ? FindingCode::LS305 : FindingCode::LS306;
  }
  if (event.blame != 0 && blames[event.blame].acquired.site != 0) return code_of_blame(sites, blames[event.blame]);
  if (!here.kind.writes || event.other_is_read) return FindingCode::LS309;
  return event.has_read_before ? FindingCode::LS302 : FindingCode::LS301;
}

// ---- words ----

void RaceReport::add_blame_notes(Execution& run, const RaceEvent& event, Finding& finding) const {
  const RaceBlame& blame = blames_[event.blame];
  const auto note = [&](const RaceTouch& touch, std::string_view what, std::string_view fault) {
    if (touch.site == 0) return;
    std::string text = race_element(run.context(), touch.view, touch.address) + " " + std::string(what) + " by " +
                       race_program(run.context(), touch.program);
    if (!fault.empty()) text += ": " + std::string(fault);
    finding.notes.push_back({text, sites_[touch.site].location});
  };
  note(blame.released, "is set here", blame.released.site == 0 ? "" : release_fault(sites_[blame.released.site]));
  note(blame.acquired, "is read here", acquire_fault(sites_[blame.acquired.site]));
}

namespace {

bool are_plain(const RaceSide& main, const RaceSide& other) {
  return !main.site->kind.is_atomic && !other.site->kind.is_atomic;
}

std::string_view act_of(const RaceSide& main, bool other_is_read) {
  if (!main.site->kind.writes) return " reads what ";
  return other_is_read ? " overwrites what was read by " : " overwrites what ";
}

/// "program (1,0,0) reads what program (0,0,0) stored (line 8)".
std::string conflict_text(const RaceSide& main, const RaceSide& other, bool other_is_read) {
  return main.who + std::string(act_of(main, other_is_read)) + other.who + (other_is_read ? "" : " stored") +
         other.line;
}

std::string_view done_to(const RaceSite& site) {
  if (site.kind.is_atomic) return site.kind.writes ? "updated" : "read atomically";
  return site.kind.writes ? "stored" : "loaded";
}

}  // namespace

std::string RaceReport::stores_text(Execution& run, const RaceEvent& event, bool differs) const {
  const ir::Value* value = stored_value(run.op());
  if (value == nullptr) return "";
  const ScalarKind kind = run.kind(*value);
  const std::string now = race_value(kind, run.bits(*value, event.lane));
  if (!differs) return ", both " + now + ": the values are equal in this launch";
  return "; values differ: " + now + " and " + race_value(kind, bits_in_memory(event.address, sites_[event.site].bytes));
}

RaceSides RaceReport::sides_of(Execution& run, const RaceEvent& event) const {
  const LaunchContext& context = run.context();
  const auto side = [&](std::uint32_t site, std::uint32_t program) {
    return RaceSide{&sites_[site], program, race_program(context, program), race_line(sites_[site].location)};
  };
  const RaceSide here = side(event.site, static_cast<std::uint32_t>(run.program()));
  const RaceSide there = side(event.other.site, event.other_program);
  const bool is_swapped = here.site->kind.is_atomic && !there.site->kind.is_atomic;
  return is_swapped ? RaceSides{there, here, true} : RaceSides{here, there, false};
}

std::string RaceReport::message_of(Execution& run, const RaceEvent& event, FindingCode code, bool differs) const {
  const auto [main, other, is_swapped] = sides_of(run, event);
  const std::string on = " on " + race_element(run.context(), run.lanes().provenance(), event.address) + ": ";
  const std::string both = main.who + " and " + other.who + other.line;
  if (code == FindingCode::LS301) return "write-write race" + on + both + " both store to it" + stores_text(run, event, differs);
  if (code == FindingCode::LS302) return "race" + on + both + " each load it, change it and store it; one change is lost";
  if (code == FindingCode::LS307)
    return "mixed-size atomics" + on + std::to_string(main.site->bytes) + " bytes by " + main.who + ", " +
           std::to_string(other.site->bytes) + " by " + other.who + other.line;
  const std::string conflict = conflict_text(main, other, event.other_is_read);
  if (code == FindingCode::LS309) return "read-write race" + on + conflict + "; nothing orders them";
  if (are_plain(main, other))
    return "race" + on + conflict + ", but " + race_flag(*run.context().request.memory, sites_, blames_[event.blame]);
  if (code == FindingCode::LS304)
    return "scope too small" + on + both + " update it with scope cta, which covers no other program";
  if (code == FindingCode::LS305)
    return "lock released by a plain store" + on + main.who + " stores, while " + other.who + " swaps it" + other.line;
  return "atomic/non-atomic conflict" + on + main.who + " " + std::string(verb(*main.site)) + " plainly, " + other.who +
         " " + std::string(verb(*other.site)) + other.line;
}

Finding RaceReport::make(Execution& run, const RaceEvent& event, FindingCode code, bool differs) const {
  const LaunchContext& context = run.context();
  const auto [main, other, is_swapped] = sides_of(run, event);
  const std::int32_t view = run.lanes().provenance();
  Finding made = run.finding(code, message_of(run, event, code, differs));
  made.location = main.site->location;
  interpreter::name_op(made, *main.site->op);
  made.program = race_program_id(context, main.program);
  if (!is_swapped) made.lane = position_of(event.lane, run.lanes().shape());
  if (is_swapped) made.loops.clear();  // of the other access nobody knows
  if (view >= 0) made.argument = context.request.memory->view(memory_model::ViewId{view}).name;
  made.notes.push_back({std::string(done_to(*other.site)) + " here by " + other.who, other.site->location});
  if (event.blame != 0 && are_plain(main, other)) add_blame_notes(run, event, made);
  made.hint = race_hint(code);
  return made;
}

// ---- records ----

std::uint32_t RaceReport::add(Execution& run, const RaceEvent& event) {
  const FindingCode code = race_code(sites_, blames_, event);
  bool differs = true;
  if (const ir::Value* value = stored_value(run.op()); value != nullptr && code == FindingCode::LS301)
    differs = run.bits(*value, event.lane) != bits_in_memory(event.address, sites_[event.site].bytes);
  const Key key{code, std::min(event.site, event.other.site), std::max(event.site, event.other.site),
                run.lanes().provenance()};
  const auto [known, is_new] = numbers_.try_emplace(key, records_.size());
  if (is_new) records_.emplace_back();
  Record& record = records_[known->second];
  if (is_new || (differs && !record.differs)) {
    record.finding = make(run, event, code, differs);
    record.differs = differs;
  }
  ++record.count;
  record.programs.insert(static_cast<std::uint32_t>(run.program()));
  return static_cast<std::uint32_t>(known->second + 1);
}

void RaceReport::take_back(std::uint32_t record) {
  if (records_[record - 1].count > 0) --records_[record - 1].count;
}

void RaceReport::finish(Report& report) {
  for (Record& record : records_) {
    if (record.count == 0) continue;
    record.finding.count = record.count;
    record.finding.programs = record.programs.size();
    if (!record.differs) record.finding.tier = Tier::info;
    report.add(std::move(record.finding));
  }
}

}  // namespace lockstep::sanitizer
