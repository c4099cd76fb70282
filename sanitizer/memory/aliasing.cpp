// Finds arguments that share memory of which the kernel writes some (LS110): a fact of the launch, which explains why
// an input changed. Such launches run coherently, in program order. Invariant: two arguments are named only if some
// byte belongs to an element of both.
#include "sanitizer/core/checkers.h"

#include <algorithm>

#include "sanitizer/core/launch_facts.h"

namespace lockstep::sanitizer {

namespace {

using memory_model::View;

std::string bytes_text(const View& view, const memory_model::Extent& shared) {
  return "bytes " + std::to_string(shared.begin - view.extent.begin) + ".." +
         std::to_string(shared.end - 1 - view.extent.begin) + " of '" + view.name + "'";
}

bool share(const View& a, const View& b) {
  if (a.storage != b.storage || !a.extent.overlaps(b.extent)) return false;
  const auto shared = memory_model::share_a_byte({a.base, size_bytes(a.element), a.shape, a.strides},
                                                 {b.base, size_bytes(b.element), b.shape, b.strides});
  return shared.value_or(false);
}

}  // namespace

Checker::Requirements AliasingChecker::needs(const LaunchContext& context) const {
  Requirements needs;
  const std::size_t count = context.request.arguments.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const View *a = view_of(context, i), *b = view_of(context, j);
      if (a != nullptr && b != nullptr && a->storage == b->storage && a->extent.overlaps(b->extent))
        needs.touches = interpreter::AccessTracking::writes;
    }
  }
  return needs;
}

bool AliasingChecker::end(const LaunchContext& context, interpreter::LaunchReport& report) {
  const auto& effects = context.effects;
  const std::size_t count = context.request.arguments.size();
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i + 1; j < count; ++j) {
      const View *a = view_of(context, i), *b = view_of(context, j);
      if (a == nullptr || b == nullptr || !share(*a, *b)) continue;
      const bool writes_first = may_write(effects, i), writes_second = may_write(effects, j);
      if (!writes_first && !writes_second) continue;
      const memory_model::Extent shared{std::max(a->extent.begin, b->extent.begin),
                                        std::min(a->extent.end, b->extent.end)};
      const std::size_t written = writes_second ? j : i;
      const auto stores = stores_of(context.function, written);
      Finding made = launch_finding(FindingCode::LS110,
                                    "arguments '" + a->name + "' and '" + b->name +
                                        "' overlap: " + bytes_text(*a, shared) + " are " + bytes_text(*b, shared) +
                                        ", and the kernel writes '" + view_of(context, written)->name + "'",
                                    stores.empty() ? nullptr : stores.front(), a->name + "," + b->name);
      report.findings.add(std::move(made));
    }
  }
  return true;
}

}  // namespace lockstep::sanitizer
