// Outputs of which a launch left elements out: a tail that no program came to (LS203), holes (LS204), tiles that two
// programs wrote while others were left out (LS803). An output is what the kernel stores to and never reads. `coverage`
// looks at those that nobody filled before the launch; `tiles` at all others too (writing a part of them may be what a
// kernel is for: information) and tells programs apart. Warnings: several launches may fill one output. Not here: the
// arithmetic (coverage_map.cpp).
#include "checkers/coverage.h"

#include <algorithm>
#include <mutex>

#include "checkers/checkers.h"
#include "checkers/launch_facts.h"
#include "interpreter/companion.h"
#include "ir/opcode.h"

namespace lockstep::checkers {

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
  Finding made = launch_finding("LS803", text + pattern_of(view, found.never).text + " never", place, view.name);
  made.hint = "see how program ids become tiles: ids swapped, or divided by the wrong number of tiles";
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
  const Pattern never = pattern_of(view, found.never);
  const std::string counts =
      std::to_string(found.never.count) + " of " + std::to_string(found.elements) + " elements of '" + view.name + "'";
  Finding made =
      launch_finding(never.is_tail ? "LS203" : "LS204", counts + " are never written: " + never.text, place, view.name);
  made.hint = never.is_tail ? "the grid may be too small: it needs cdiv(size, BLOCK) programs along each dimension"
                            : "a store's mask or stride may leave them out";
  if (view.is_initialised) made.tier = Tier::info;  // what was there before has a value; many kernels fill a part
  return made;
}

/// Whether more bytes were stored than there are written ones, where only one store outside of loops can be the reason.
bool has_surplus(const interpreter::LaunchReport& report, const interpreter::MemoryEffects& effects,
                 const std::vector<const ir::Op*>& stores, const View& view, const Coverage& found) {
  if (effects.written.arguments.size() != 1 || effects.written.is_unknown || !effects.atomic.empty()) return false;
  if (stores.size() != 1 || is_in_loop(*stores.front()) || !view.is_dense) return false;
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

/// What a launch left out, and wrote twice.
/// `is_thorough`: what TilesChecker reports; else what is left of CoverageChecker's.
void look(const LaunchContext& context, interpreter::LaunchReport& report, bool is_thorough) {
  const auto effects = interpreter::effects_of(context.module, context.function);
  if (report.touched == nullptr || report.outcome != interpreter::Outcome::completed) return;
  if (report.findings.has(Tier::error)) return;  // what faulted has left out its part
  const bool tells_programs =
      std::any_of(report.touched->begin(), report.touched->end(), [](const auto& range) { return range.chunk != 0; });
  for (const std::size_t i : effects.written.arguments) {
    if (!is_output(context, effects, i, is_thorough)) continue;
    const View view = view_of(context, i)->completed();
    const auto found = coverage_of(view, *report.touched, tells_programs);
    if (!found || found->never.count == 0 || found->never.count == found->elements) continue;
    const auto stores = stores_of(context.function, i);
    const ir::Op* place = stores.empty() ? nullptr : stores.front();
    const bool is_twice = found->twice.count != 0 || has_surplus(report, effects, stores, view, *found);
    const bool is_for_tiles = view.is_initialised || (is_twice && is_on(context, "tiles"));
    if (is_for_tiles == is_thorough) {
      report.findings.add(is_twice ? twice_finding(context, view, *found, place) : never_finding(view, *found, place));
    }
  }
}

/// Some output has elements that nobody wrote: which programs wrote the others is to be looked at.
bool leaves_gaps(const LaunchContext& context, const interpreter::LaunchReport& report) {
  const auto effects = interpreter::effects_of(context.module, context.function);
  if (report.touched == nullptr || report.outcome != interpreter::Outcome::completed) return false;
  return std::any_of(effects.written.arguments.begin(), effects.written.arguments.end(), [&](std::size_t i) {
    if (!is_output(context, effects, i, true)) return false;
    const auto found = coverage_of(view_of(context, i)->completed(), *report.touched, false);
    return found && found->never.count != 0 && found->never.count != found->elements;
  });
}

bool has_outputs(const LaunchContext& context, const interpreter::MemoryEffects& effects, bool wants_filled) {
  return std::any_of(effects.written.arguments.begin(), effects.written.arguments.end(),
                     [&](std::size_t i) { return is_output(context, effects, i, wants_filled); });
}

}  // namespace

Checker::Needs CoverageChecker::needs(const LaunchContext& context) const {
  std::call_once(once_, [&] { effects_ = interpreter::effects_of(context.module, context.function); });
  Needs needs;
  if (has_outputs(context, effects_, false)) needs.touches = interpreter::Touches::writes;
  return needs;
}

bool CoverageChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  look(context, report, false);
  return true;
}

Checker::Needs TilesChecker::needs(const LaunchContext& context) const {
  Needs needs;
  const auto effects = interpreter::effects_of(context.module, context.function);
  if (!has_outputs(context, effects, true)) return needs;
  needs.touches = interpreter::Touches::writes;
  needs.touches_again = interpreter::Touches::programs;
  needs.may_suspect = true;
  return needs;
}

bool TilesChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  if (!context.is_second && leaves_gaps(context, report)) return false;
  look(context, report, true);
  return true;
}

}  // namespace lockstep::checkers
