#include "sanitizer/race/race_text.h"

#include <cstdio>

#include "memory_model/describe.h"
#include "support/float_formats.h"

namespace lockstep::sanitizer {

ProgramId race_program_id(const LaunchContext& context, std::uint32_t number) {
  const auto x = static_cast<std::uint64_t>(context.request.grid[0]);
  const auto y = static_cast<std::uint64_t>(context.request.grid[1]);
  return {static_cast<std::int32_t>(number % x), static_cast<std::int32_t>(number / x % y),
          static_cast<std::int32_t>(number / x / y)};
}

std::string race_program(const LaunchContext& context, std::uint32_t number) {
  const ProgramId id = race_program_id(context, number);
  return "program (" + std::to_string(id[0]) + "," + std::to_string(id[1]) + "," + std::to_string(id[2]) + ")";
}

std::string race_element(const memory_model::AddressSpace& memory, std::int32_t view, std::uint64_t address) {
  return view < 0 ? "memory" : memory_model::element_text(memory.view(memory_model::ViewId{view}), address);
}

std::string race_element(const LaunchContext& context, std::int32_t view, std::uint64_t address) {
  return race_element(*context.request.memory, view, address);
}

std::string race_line(const Location& location) {
  const Location place = location.innermost_file();
  return place.is_unknown() ? "" : " (line " + std::to_string(place->line) + ")";
}

std::string race_value(ScalarKind kind, std::uint64_t bits) {
  if (!is_float(kind)) return std::to_string(interpreter::sign_extend(kind, bits));
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", decode_float(kind, bits));
  return text;
}

std::string_view release_fault(const RaceSite& site) {
  if (!site.kind.is_atomic) return "a plain store";
  if (site.kind.is_cta) return "of scope cta";
  if (site.kind.releases) return "";
  return site.kind.acquires ? "without release" : "relaxed";
}

std::string_view acquire_fault(const RaceSite& site) {
  if (!site.kind.is_atomic) return "a plain load";
  if (site.kind.is_cta) return "of scope cta";
  if (site.kind.acquires) return "";
  return site.kind.releases ? "without acquire" : "relaxed";
}

namespace {

std::string how(std::string_view fault) {
  if (fault == "relaxed") return "a relaxed atomic";
  if (fault == "of scope cta") return "an atomic of scope cta";
  if (fault.starts_with("without")) return "an atomic " + std::string(fault);
  return std::string(fault);
}

}  // namespace

std::string race_flag(const memory_model::AddressSpace& memory, const RaceSites& sites, const RaceBlame& blame) {
  const RaceTouch &set = blame.released, &seen = blame.acquired;
  const std::string_view set_fault = set.site != 0 ? release_fault(sites[set.site]) : "";
  const std::string_view seen_fault = acquire_fault(sites[seen.site]);
  std::string text = race_element(memory, seen.view, seen.address);
  if (!set_fault.empty()) text += " is set by " + how(set_fault) + race_line(sites[set.site].location);
  if (!seen_fault.empty())
    text +=
        (set_fault.empty() ? " is read by " : " and read by ") + how(seen_fault) + race_line(sites[seen.site].location);
  return text;
}

std::string_view race_hint(FindingCode code) {
  if (code == FindingCode::LS301) return "give each program elements of its own, or add with tl.atomic_add";
  if (code == FindingCode::LS302) return "tl.atomic_add loads, adds and stores in one";
  if (code == FindingCode::LS303)
    return "release where the flag is set and acquire where it is read; sem=\"acq_rel\", the default, does both";
  if (code == FindingCode::LS304) return "scope=\"gpu\", the default, covers all programs of a launch";
  if (code == FindingCode::LS305) return "release it with tl.atomic_xchg(lock, 0)";
  if (code == FindingCode::LS306) return "make every access to it atomic: tl.atomic_add(p, 0) reads, tl.atomic_xchg(p, v) stores";
  if (code == FindingCode::LS307) return "use one width for all atomics on an element";
  if (code == FindingCode::LS311) return "acquire where the counter is updated; sem=\"acq_rel\", the default, does";
  return "write to another buffer than the one that is read, or make it two launches";
}

}  // namespace lockstep::sanitizer
