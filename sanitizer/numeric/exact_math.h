// Ops on floats repeated in f64, without rounding to their formats (the rows' `in_f64`). The precision checker and the
// search for a wrong result's origin (error_origin.h) compute their shadows with them. Invariant: nothing here uses
// lanes' states; an op without an `in_f64` has no answer. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::sanitizer {

/// A float or a tile of floats.
bool is_float_value(const ir::Value& value);

/// "87381.3125" with nine digits, "-inf", "nan".
std::string digits(double value);

/// One lane of an element-wise op of floats on these operands; nullopt: not a known op.
std::optional<double> exact_element(const ir::OpDef& def, std::span<const double> operands);

/// The one op by which a reduction or scan of one operand combines; null: several, or one that exact_element does not
/// have.
const ir::OpDef* combining_op(const ir::Op& op);

/// The lanes of operand 0 from which a reduction's or scan's lane is computed, in the order of the axis.
struct AxisLine {
  std::int64_t first = 0, step = 1, count = 0;
};
AxisLine line_of(const ir::Op& op, std::int64_t lane);

/// Lanes of a and b from which a tt.dot's lane is computed: a[a_first + k * a_step] * b[b_first + k * b_step], k <
/// count.
struct ProductLine {
  std::int64_t a_first = 0, a_step = 1, b_first = 0, b_step = 1, count = 0;
};
ProductLine product_line(const ir::Op& dot, std::int64_t lane);

}  // namespace lockstep::sanitizer
