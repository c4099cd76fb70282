// Finds outputs that a launch left incomplete: a tail that no program reached (LS203), holes (LS204), tiles that two
// programs wrote while nobody wrote others (LS803). An output is what the kernel stores to and never reads. `coverage`
// looks at those that nobody filled before the launch; `tiles` at all others too (writing a part of them may be what a
// kernel is for: information) and tells programs apart. Warnings: several launches may fill one output. Not here: the
// arithmetic (coverage_map.cpp).
#include "sanitizer/coverage/coverage.h"

#include <algorithm>

#include "interpreter/instrument/instrumentation_pass.h"
#include "ir/opcode.h"
#include "sanitizer/core/checkers.h"
#include "sanitizer/core/launch_facts.h"
#include "sanitizer/core/touched_facts.h"

namespace lockstep::sanitizer {

namespace {

using memory_model::View;

/// Some view that is read shares bytes with it.
bool is_read_through_another(const LaunchContext& context, const interpreter::MemoryEffects& effects,
                             std::size_t output) {
  const View& own = *view_of(context, output);
  for (std::size_t i = 0; i < context.request.arguments.size(); ++i) {
    const View* other = view_of(context, i);
    if (i == output || other == nullptr || !may_read(effects, i)) continue;
    if (other->storage == own.storage && other->extent.overlaps(own.extent)) return true;
  }
  return false;
}

bool is_output(const LaunchContext& context, const interpreter::MemoryEffects& effects, std::size_t parameter,
               bool wants_filled) {
  const View* view = view_of(context, parameter);
  if (view == nullptr || !effects.written.arguments.contains(parameter) || may_read(effects, parameter)) return false;
  if (view->is_initialised && !wants_filled) return false;
  return !is_read_through_another(context, effects, parameter);
}

/// An output that the launch ought to fill: what programs that it leaves out would store is not missed.
bool is_to_be_whole(const LaunchContext& context, const interpreter::MemoryEffects& effects, std::size_t parameter,
                    bool wants_filled) {
  return context.request.only.empty() && is_output(context, effects, parameter, wants_filled);
}

std::string program_text(std::uint32_t number, const std::array<std::int64_t, 3>& grid) {
  const auto x = static_cast<std::uint32_t>(grid[0]), y = static_cast<std::uint32_t>(grid[1]);
  return "(" + std::to_string(number % x) + "," + std::to_string(number / x % y) + "," +
         std::to_string(number / x / y) + ")";
}

Finding twice_finding(const LaunchContext& context, const View& view, const Coverage& found, const ir::Op* place) {
  const auto& grid = context.request.grid;
  std::string text = "coverage: ";
  if (found.twice.count != 0) {
    text += pattern_of(view, found.twice).text + " written by more than one program (first by " +
            program_text(found.first, grid) + " and " + program_text(found.second, grid) + "), ";
  } else {
    text += "bytes of '" + view.name + "' are written more than once, ";
  }
  Finding made = launch_finding(FindingCode::LS803, text + pattern_of(view, found.never).text + " never", place, view.name);
  made.hint = "check how program ids become tiles: ids may be swapped, or divided by the wrong number of tiles";
  if (found.twice.count != 0) {
    for (std::size_t d = 0, rest = found.second; d < 3; ++d) {
      made.program[d] = static_cast<std::int32_t>(rest % static_cast<std::size_t>(grid[d]));
      rest /= static_cast<std::size_t>(grid[d]);
    }
    made.programs = 1;
  }
  return made;
}

Finding never_finding(const View& view, const Coverage& found, const ir::Op* place) {
  if (found.never.count == found.elements) {
    Finding made = launch_finding(FindingCode::LS203, "nothing of '" + view.name + "' is ever written: no lane of any program "
                                           "stored to its " + std::to_string(found.elements) + " elements",
                                  place, view.name);
    made.hint = "check the mask of the store, and the grid";
    return made;
  }
  const Pattern never = pattern_of(view, found.never);
  const std::string counts =
      std::to_string(found.never.count) + " of " + std::to_string(found.elements) + " elements of '" + view.name + "'";
  Finding made =
      launch_finding(never.is_tail ? FindingCode::LS203 : FindingCode::LS204, counts + " are never written: " + never.text, place, view.name);
  made.hint = never.is_tail ? "the grid may be too small: it needs cdiv(size, BLOCK) programs along each dimension"
                            : "a store's mask or stride may leave them out";
  if (view.is_initialised) made.tier = Tier::info;  // what was there before has a value; many kernels fill a part
  return made;
}

/// Whether the launch stored more bytes than it wrote different ones, and only one store outside of loops can be the
/// reason.
bool has_surplus(const interpreter::LaunchReport& report, const interpreter::MemoryEffects& effects,
                 const std::vector<const ir::Op*>& stores, const View& view, const Coverage& found) {
  if (effects.written.arguments.size() != 1 || effects.written.is_unknown || !effects.atomic.empty()) return false;
  if (report.programs_total == 1 || stores.size() != 1 || is_in_loop(*stores.front()) || !view.is_dense) return false;
  const auto written = static_cast<std::uint64_t>((found.elements - found.never.count) * size_bytes(view.element));
  return report.bytes_written > written;
}

bool is_on(const LaunchContext& context, std::string_view name) {
  const auto& rows = checker_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].name == name) return (context.options.checkers >> i & 1) != 0;
  }
  return false;
}

/// The gaps of an output; null: none, unknown, or all of it (and it was filled before).
const Coverage* gaps_of(const LaunchContext& context, std::size_t output) {
  const View& view = *view_of(context, output);
  const Coverage* found = context.touched->coverage(view);
  if (found == nullptr || found->never.count == 0) return nullptr;
  return found->never.count != found->elements || !view.is_initialised ? found : nullptr;
}

/// Finds elements that a launch left out or wrote twice. `is_thorough`: what TilesChecker reports; else the part of
/// CoverageChecker.
void look(const LaunchContext& context, interpreter::LaunchReport& report, bool is_thorough) {
  const auto& effects = context.effects;
  if (report.touched == nullptr || report.outcome != interpreter::Outcome::completed) return;
  if (has_faulted(report)) return;
  for (const std::size_t i : effects.written.arguments) {
    if (!is_to_be_whole(context, effects, i, is_thorough)) continue;
    const Coverage* found = gaps_of(context, i);
    if (found == nullptr) continue;
    const View view = view_of(context, i)->completed();
    const auto stores = stores_of(context.function, i);
    const ir::Op* place = stores.empty() ? nullptr : stores.front();
    // Two programs may store the two halves of one element, where a pointer's type is narrower than the array's.
    const bool is_shared = found->twice.count != 0 && !context.touched->stored_each_byte_once();
    const bool is_twice =
        is_shared || (!found->tells_programs && has_surplus(report, effects, stores, view, *found));
    const bool is_for_tiles = view.is_initialised || (is_twice && is_on(context, "tiles"));
    if (is_for_tiles == is_thorough) {
      report.findings.add(is_twice ? twice_finding(context, view, *found, place) : never_finding(view, *found, place));
    }
  }
}

/// Some output has unwritten elements, and bytes were stored twice: the checker must find out by which programs.
bool may_be_twice(const LaunchContext& context, const interpreter::LaunchReport& report) {
  if (report.touched == nullptr || report.outcome != interpreter::Outcome::completed) return false;
  if (context.touched->stored_each_byte_once()) return false;
  const auto& written = context.effects.written.arguments;
  return std::any_of(written.begin(), written.end(), [&](std::size_t i) {
    return is_to_be_whole(context, context.effects, i, true) && gaps_of(context, i) != nullptr;
  });
}

bool has_outputs(const LaunchContext& context, const interpreter::MemoryEffects& effects, bool wants_filled) {
  return std::any_of(effects.written.arguments.begin(), effects.written.arguments.end(),
                     [&](std::size_t i) { return is_to_be_whole(context, effects, i, wants_filled); });
}

}  // namespace

bool has_faulted(const interpreter::LaunchReport& report) {
  const auto& all = report.findings.findings();
  return std::any_of(all.begin(), all.end(), [](const Finding& one) {
    const FindingRow& row = row_of(one.code);
    return one.tier == Tier::error && (row.family == FindingClass::bounds || row.family == FindingClass::assertion ||
                                       row.family == FindingClass::progress);
  });
}

std::vector<CoveredOutput> covered_outputs(const LaunchContext& context, const interpreter::LaunchReport& report) {
  std::vector<CoveredOutput> made;
  const TouchedFacts touched(report, false);
  for (const std::size_t i : context.effects.written.arguments) {
    if (!is_output(context, context.effects, i, true)) continue;
    const View& view = *view_of(context, i);
    if (const Coverage* found = touched.coverage(view); found != nullptr)
      made.push_back({view.name, found->elements, found->never.count});
  }
  return made;
}

Checker::Requirements CoverageChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  if (has_outputs(context, context.effects, false)) needs.touches = interpreter::AccessTracking::writes;
  return needs;
}

bool CoverageChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  look(context, report, false);
  return true;
}

Checker::Requirements TilesChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  if (!has_outputs(context, context.effects, true)) return needs;
  needs.touches = interpreter::AccessTracking::writes;
  needs.touches_again = interpreter::AccessTracking::programs;
  needs.may_suspect = needs.of_places = true;
  return needs;
}

bool TilesChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (context.touches != interpreter::AccessTracking::programs && may_be_twice(context, report)) return false;
  look(context, report, true);
  return true;
}

}  // namespace lockstep::sanitizer
