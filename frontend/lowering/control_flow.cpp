// Entering and leaving code that runs only under a condition.
#include "frontend/lowering/control_flow.h"

#include <fmt/format.h>

#include "frontend/semantics/value_text.h"

namespace lockstep::frontend {

SubRegion enter_sub_region(LoweringContext& in) {
  SubRegion region{in.scope, in.definitions, in.emit.block()};
  in.definitions.clear();
  return region;
}

void leave_sub_region(LoweringContext& in, SubRegion&& region) {
  in.emit.to_end(*region.block);
  const ir::Op* owner = region.block->parent_op();
  in.emit.set_location(owner != nullptr ? owner->location() : Location());
  in.scope = std::move(region.live_in);
  in.definitions = std::move(region.previous_definitions);
}

bool is_plain_condition(LoweringContext& in, const Value& test) {
  if (!test.is_wrapped_tensor()) return true;
  in.report.error(codes::kControlFlow,
                  fmt::format("the condition is {}, which was annotated tl.constexpr", describe(test)),
                  std::string(kLeaveAnnotationOut));
  return false;
}

}  // namespace lockstep::frontend
