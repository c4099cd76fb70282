// Class statements of a module: named tuples and aggregates, which kernels may use. Other classes are opaque.
#pragma once

#include "frontend/eval/evaluate_expression.h"

namespace lockstep::frontend {

Value define_class(const Evaluation& in, const ast::ClassDef& node);

}  // namespace lockstep::frontend
