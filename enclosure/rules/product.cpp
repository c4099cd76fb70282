#include "enclosure/rules/product.h"

#include "enclosure/bounds.h"
#include "interpreter/kernels/dot.h"

namespace lockstep::enclosure {

namespace kernels = interpreter::kernels;

struct Multiplier::Parts {
  explicit Parts(const MatrixShape& s)
      : shape(s),
        recipe({ScalarKind::f64, kernels::DotPrecision::ieee, s.m, s.n, s.k}, ScalarKind::f64, ScalarKind::f64),
        left(recipe.prepared_bytes(kernels::Side::left) / 8),
        right(recipe.prepared_bytes(kernels::Side::right) / 8),
        scratch(recipe.scratch_bytes() / 8) {}
  MatrixShape shape;
  kernels::DotRecipe recipe;
  Doubles left, right, scratch;

  kernels::PreparedOperand ready(kernels::Side side, const double* data, std::int64_t columns,
                                 const Doubles& memory) const {
    const kernels::DotOperand operand{data, ScalarKind::f64, columns, 1};
    if (recipe.is_ready(side, operand)) return kernels::DotRecipe::as_it_lies(operand);
    return recipe.prepare(side, operand, reinterpret_cast<char*>(memory.data()));
  }
};

Multiplier::Multiplier(const MatrixShape& shape) : parts_(std::make_unique<Parts>(shape)) {}
Multiplier::~Multiplier() = default;

void Multiplier::multiply(const double* a, const double* b, double* c, bool adds) const {
  const kernels::PreparedOperand left = parts_->ready(kernels::Side::left, a, parts_->shape.k, parts_->left);
  const kernels::PreparedOperand right = parts_->ready(kernels::Side::right, b, parts_->shape.n, parts_->right);
  const double zero = 0;
  const kernels::DotStart start = adds ? kernels::DotStart{c, false} : kernels::DotStart{&zero, true};
  parts_->recipe.run(c, start, left, right, reinterpret_cast<char*>(parts_->scratch.data()));
}

}  // namespace lockstep::enclosure
