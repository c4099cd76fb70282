#include "frontend/gluon/settle_layouts.h"

#include "ir/passes/passes.h"

namespace lockstep::frontend {

bool settle_layouts(Compilation& compilation) {
  ir::passes::inline_calls(compilation.module);
  return true;
}

}  // namespace lockstep::frontend
