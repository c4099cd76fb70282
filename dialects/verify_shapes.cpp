// Shape rules.
#include <algorithm>

#include "dialects/verify_hooks.h"
#include "ir/layouts/encoding.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"
#include "ir/verify/verifier.h"

namespace lockstep::dialects {
namespace {

using ir::Op;
using ir::Type;
using ir::VerifyContext;
using Shape = std::vector<std::int64_t>;


std::string text_of(const Shape& shape) {
  std::string out;
  for (const std::int64_t extent : shape) out += (out.empty() ? "" : "x") + std::to_string(extent);
  return "[" + out + "]";
}

/// Of a broadcast: along the axes that grow, the result's threads may hold anything. Until 3.8, Triton demands the same
/// encoding; since 3.9 only this.
bool is_same_layout_but_for_copies(Type from, Type to) {
  if (from.encoding() == to.encoding()) return true;
  if (from.layout() == nullptr || to.layout() == nullptr) return false;
  if (!from.layout()->is_distributed() || !to.layout()->is_distributed()) return false;
  if (ir::find_shape_fault(*from.layout(), from.shape()) || ir::find_shape_fault(*to.layout(), to.shape())) return false;
  ir::LinearLayout grown = ir::to_linear_layout(*to.layout(), to.shape());
  std::vector<std::string> dimensions;
  for (std::size_t d = 0; d < from.shape().size(); ++d) {
    dimensions.push_back("dim" + std::to_string(d));
    if (from.shape()[d] != to.shape()[d]) grown = grown.cut_output(dimensions[d], 1);
  }
  const auto plain = [&](const ir::LinearLayout& layout) {
    return layout.without_copies("register").transpose_outputs(dimensions);
  };
  return plain(ir::to_linear_layout(*from.layout(), from.shape())) == plain(grown);
}

bool expect_shape(VerifyContext& context, const Op& op, Type type, const Shape& expected) {
  if (type.shape() == expected) return true;
  return context.error(op, kBrokenOp,
                       "the result of '" + std::string(op.spelling()) + "' must have the shape " + text_of(expected) +
                           ", but is " + type.to_string());
}

/// The encoding of a tile whose axis was reduced: the slice of the source's.
ir::Attribute without_axis(ir::Context& context, Type source, std::size_t axis) {
  const ir::Encoding* layout = source.layout();
  if (layout == nullptr) return source.encoding();
  return context.encoding_attribute(
      context.encodings().get(ir::SliceEncoding{static_cast<std::uint32_t>(axis), layout}));
}

/// Attribute `axis` as an index below `limit`; false if it is none.
bool axis_of(VerifyContext& context, const Op& op, std::size_t limit, std::size_t& axis) {
  const std::int64_t value = op.integer_attribute("axis", -1);
  axis = static_cast<std::size_t>(value);
  if (value >= 0 && axis < limit) return true;
  return context.error(op, kBrokenOp,
                       "axis " + std::to_string(value) + " of '" + std::string(op.spelling()) + "' must be in [0, " +
                           std::to_string(limit) + ")");
}

}  // namespace

bool verify_make_range(VerifyContext& context, const Op& op) {
  const std::int64_t start = op.integer_attribute("start", 0);
  const std::int64_t end = op.integer_attribute("end", 0);
  if (end <= start)
    return context.error(op, kBrokenOp,
                         "the range from " + std::to_string(start) + " to " + std::to_string(end) + " is empty");
  if (!op.result()->type().element().is_integer(32))
    return context.error(op, kBrokenOp, "tt.make_range gives i32 elements");
  return expect_shape(context, op, op.result()->type(), {end - start});
}

bool verify_expand_dims(VerifyContext& context, const Op& op) {
  Shape shape = op.operand(0)->type().shape();
  std::size_t axis = 0;
  if (!axis_of(context, op, shape.size() + 1, axis)) return false;
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(axis), 1);
  if (!expect_shape(context, op, op.result()->type(), shape)) return false;
  const Type result = op.result()->type();
  if (without_axis(context.context(), result, axis) == op.operand(0)->type().encoding()) return true;
  return context.error(op, kBrokenOp,
                       "the layout of the source of 'tt.expand_dims' must be the slice of the result's, " +
                           result.to_string());
}

bool verify_broadcast(VerifyContext& context, const Op& op) {
  const Shape& from = op.operand(0)->type().shape();
  const Shape& to = op.result()->type().shape();
  if (from.size() != to.size()) {
    return context.error(op, kBrokenOp,
                         "tt.broadcast keeps the number of axes: " + text_of(from) + " cannot become " + text_of(to));
  }
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i] == to[i] || from[i] == 1) continue;
    return context.error(op, kBrokenOp,
                         "axis " + std::to_string(i) + " of extent " + std::to_string(from[i]) +
                             " cannot be broadcast to " + std::to_string(to[i]));
  }
  if (is_same_layout_but_for_copies(op.operand(0)->type(), op.result()->type())) return true;
  return context.error(op, kBrokenOp, "tt.broadcast keeps the layout");
}

bool verify_trans(VerifyContext& context, const Op& op) {
  const Shape& from = op.operand(0)->type().shape();
  Shape expected;
  std::vector<bool> seen(from.size(), false);
  for (const std::int64_t axis : op.attribute("order")->values) {
    if (axis < 0 || axis >= static_cast<std::int64_t>(from.size()) || seen[static_cast<std::size_t>(axis)]) {
      return context.error(op, kBrokenOp, "order of tt.trans must name each axis once");
    }
    seen[static_cast<std::size_t>(axis)] = true;
    expected.push_back(from[static_cast<std::size_t>(axis)]);
  }
  if (expected.size() != from.size()) return context.error(op, kBrokenOp, "order of tt.trans must name each axis once");
  return expect_shape(context, op, op.result()->type(), expected);
}

bool verify_reshape(VerifyContext& context, const Op& op) {
  const std::int64_t from = op.operand(0)->type().element_count();
  const std::int64_t to = op.result()->type().element_count();
  if (from == to) return true;
  return context.error(
      op, kBrokenOp,
      "tt.reshape keeps the number of elements: " + std::to_string(from) + " cannot become " + std::to_string(to));
}

bool verify_join(VerifyContext& context, const Op& op) {
  Shape shape = op.operand(0)->type().shape();
  shape.push_back(2);
  return expect_shape(context, op, op.result()->type(), shape);
}

bool verify_split(VerifyContext& context, const Op& op) {
  Shape shape = op.operand(0)->type().shape();
  if (shape.empty() || shape.back() != 2)
    return context.error(op, kBrokenOp, "the last axis of tt.split's operand must have extent 2");
  shape.pop_back();
  return expect_shape(context, op, op.result()->type(), shape);
}

bool verify_cat(VerifyContext& context, const Op& op) {
  const Type from = op.operand(0)->type();
  const Type to = op.result()->type();
  if (from.shape().size() == to.shape().size() && 2 * from.element_count() == to.element_count()) return true;
  return context.error(op, kBrokenOp,
                       "tt.cat of two tiles " + text_of(from.shape()) + " cannot give " + text_of(to.shape()));
}

namespace {
std::string spelling_of(const Op& op) { return std::string(op.spelling()); }
}  // namespace

bool verify_gather(VerifyContext& context, const Op& op) {
  const Shape& source = op.operand(0)->type().shape();
  const Shape& indices = op.operand(1)->type().shape();
  std::size_t axis = 0;
  if (!axis_of(context, op, source.size(), axis)) return false;
  if (source.size() != indices.size())
    return context.error(op, kBrokenOp, spelling_of(op) + "'s indices need as many axes as its source");
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (i == axis || source[i] == indices[i]) continue;
    return context.error(op, kBrokenOp,
                         spelling_of(op) + "'s source " + text_of(source) + " and indices " + text_of(indices) +
                             " differ beside the axis");
  }
  return true;
}

bool verify_histogram(VerifyContext& context, const Op& op) {
  if (op.operand(0)->type().shape().size() == 1 && op.result()->type().shape().size() == 1) return true;
  return context.error(op, kBrokenOp, spelling_of(op) + " takes and gives tiles of one axis");
}

bool verify_unsplat(VerifyContext& context, const Op& op) {
  if (op.operand(0)->type().element_count() == 1) return true;
  return context.error(op, kBrokenOp, "tt.unsplat takes a tile of one element");
}

namespace {

bool verify_ranks(VerifyContext& context, const Op& op) {
  const std::size_t rank = op.operand(0)->type().shape().size();
  const bool same = op.operand(1)->type().shape().size() == rank && op.operand(2)->type().shape().size() == rank;
  if (same && (rank == 2 || rank == 3)) return true;
  return context.error(op, kBrokenOp, "'" + std::string(op.spelling()) + "' takes tiles of two axes, or all of three");
}

bool expect_extent(VerifyContext& context, const Op& op, const std::string& what, std::int64_t a, std::int64_t b) {
  if (a == b) return true;
  return context.error(
      op, kBrokenOp,
      "'" + std::string(op.spelling()) + "': " + what + " differ: " + std::to_string(a) + " and " + std::to_string(b));
}

}  // namespace

bool verify_dot(VerifyContext& context, const Op& op) {
  if (!verify_ranks(context, op)) return false;
  const Shape& a = op.operand(0)->type().shape();
  const Shape& b = op.operand(1)->type().shape();
  const Shape& c = op.operand(2)->type().shape();
  const std::size_t last = a.size() - 1;
  if (last == 2 && (a[0] != b[0] || a[0] != c[0]))
    return context.error(op, kBrokenOp, "'tt.dot': the numbers of matrices differ");
  const bool a_float = op.operand(0)->type().element().is_float();
  if (a_float != op.operand(1)->type().element().is_float() || a_float != op.operand(2)->type().element().is_float()) {
    return context.error(op, kBrokenOp, "'tt.dot' mixes integers and floats");
  }
  return expect_extent(context, op, "the columns of a and the rows of b", a[last], b[last - 1]) &&
         expect_extent(context, op, "the rows of a and of c", a[last - 1], c[last - 1]) &&
         expect_extent(context, op, "the columns of b and of c", b[last], c[last]);
}

bool verify_dot_scaled(VerifyContext& context, const Op& op) {
  if (!verify_ranks(context, op)) return false;
  for (std::size_t i = 0; i < op.operand_count(); ++i) {
    const Type element = op.operand(i)->type().element();
    const bool fits = element.is_float() || (i != 2 && element.is_integer(8));
    if (!fits) return context.error(op, kBrokenOp, "'tt.dot_scaled' takes floats and i8, not " + element.to_string());
  }
  const auto packing = [&op](std::string_view element, std::string_view along_k) {
    constexpr std::int64_t kE2M1 = 4;
    const bool packed = op.integer_attribute(element, 0) == kE2M1;
    const bool in_k = op.integer_attribute(along_k, 1) != 0;
    return std::pair<std::int64_t, std::int64_t>(packed && in_k ? 2 : 1,
                                                 packed && !in_k ? 2 : 1);  // factors on K and on M/N
  };
  const auto [a_k, a_m] = packing("a_elem_type", "lhs_k_pack");
  const auto [b_k, b_n] = packing("b_elem_type", "rhs_k_pack");
  const Shape& a = op.operand(0)->type().shape();
  const Shape& b = op.operand(1)->type().shape();
  const Shape& c = op.operand(2)->type().shape();
  const std::size_t last = a.size() - 1;
  return expect_extent(context, op, "the columns of a and the rows of b", a[last] * a_k, b[last - 1] * b_k) &&
         expect_extent(context, op, "the rows of a and of c", a[last - 1] * a_m, c[last - 1]) &&
         expect_extent(context, op, "the columns of b and of c", b[last] * b_n, c[last]);
}

namespace {

/// Sources of equal shape with the axis in range.
bool verify_sources(VerifyContext& context, const Op& op, std::size_t& axis) {
  if (op.operand_count() == 0)
    return context.error(op, kBrokenOp, "'" + std::string(op.spelling()) + "' needs at least one tile");
  const Shape& shape = op.operand(0)->type().shape();
  for (const ir::Value* value : op.operands()) {
    if (value->type().shape() == shape) continue;
    return context.error(op, kBrokenOp, "the tiles of '" + std::string(op.spelling()) + "' have different shapes");
  }
  return axis_of(context, op, shape.size(), axis);
}

bool expect_results(VerifyContext& context, const Op& op, const std::vector<Type>& expected) {
  std::vector<ir::Value*> results;
  for (std::size_t i = 0; i < op.result_count(); ++i) results.push_back(op.result(i));
  return context.expect_types(op, results, expected, "LS1112", "results of '" + std::string(op.spelling()) + "'");
}

/// The combining region: `arguments` of the element types in turn, and a return of `returned`.
bool verify_combiner(VerifyContext& context, const Op& op, std::size_t rounds, bool grouped,
                     std::string_view terminator) {
  std::vector<Type> elements;
  for (const ir::Value* value : op.operands()) elements.push_back(value->type().element());
  std::vector<Type> expected;
  for (std::size_t i = 0; i < elements.size() * rounds; ++i)
    expected.push_back(elements[grouped ? i / rounds : i % elements.size()]);
  if (op.region().empty())
    return context.error(op, "LS1106", "the region of '" + std::string(op.spelling()) + "' is empty");
  std::vector<ir::Value*> arguments;
  for (const auto& argument : op.region().front().arguments()) arguments.push_back(argument.get());
  if (!context.expect_types(op, arguments, expected, "LS1112",
                            "arguments of the region of '" + std::string(op.spelling()) + "'"))
    return false;
  for (const auto& block : op.region().blocks()) {
    const Op* last = block->terminator();
    if (last == nullptr || last->def().successor_count != 0) continue;
    if (last->spelling() != terminator)
      return context.error(*last, "LS1107", "the region must end with '" + std::string(terminator) + "'");
  }
  return true;
}

bool verify_returned(VerifyContext& context, const Op& op, const std::vector<Type>& expected) {
  for (const auto& block : op.region().blocks()) {
    const Op* last = block->terminator();
    if (last == nullptr || last->def().successor_count != 0) continue;
    if (!context.expect_types(*last, last->operands(), expected, "LS1112",
                              "values of '" + std::string(last->spelling()) + "'"))
      return false;
  }
  return true;
}

}  // namespace

bool verify_reduce(VerifyContext& context, const Op& op) {
  std::size_t axis = 0;
  if (!verify_sources(context, op, axis) || !verify_combiner(context, op, 2, false, "tt.reduce.return")) return false;
  std::vector<Type> results;
  std::vector<Type> elements;
  for (const ir::Value* value : op.operands()) {
    Shape shape = value->type().shape();
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(axis));
    elements.push_back(value->type().element());
    results.push_back(shape.empty() ? elements.back()
                                    : context.context().tensor(shape, elements.back(),
                                                               without_axis(context.context(), value->type(), axis)));
  }
  return verify_returned(context, op, elements) && expect_results(context, op, results);
}

bool verify_scan(VerifyContext& context, const Op& op) {
  std::size_t axis = 0;
  if (!verify_sources(context, op, axis) || !verify_combiner(context, op, 2, false, "tt.scan.return")) return false;
  std::vector<Type> results;
  std::vector<Type> elements;
  for (const ir::Value* value : op.operands()) {
    results.push_back(value->type());
    elements.push_back(value->type().element());
  }
  return verify_returned(context, op, elements) && expect_results(context, op, results);
}

bool verify_map_elementwise(VerifyContext& context, const Op& op) {
  const std::int64_t pack = op.integer_attribute("pack", 1);
  if (pack < 1 || pack > 1024) return context.error(op, kBrokenOp, "pack of tt.map_elementwise must be in [1, 1024]");
  if (op.operand_count() == 0) return context.error(op, kBrokenOp, "'tt.map_elementwise' needs at least one tile");
  const Shape& shape = op.operand(0)->type().shape();
  for (const ir::Value* value : op.operands()) {
    if (value->type().shape() != shape)
      return context.error(op, kBrokenOp, "the tiles of 'tt.map_elementwise' have different shapes");
  }
  const auto rounds = static_cast<std::size_t>(pack);
  if (!verify_combiner(context, op, rounds, true, "tt.map_elementwise.return")) return false;
  std::vector<Type> returned;
  for (std::size_t i = 0; i < op.result_count(); ++i) {
    if (op.result(i)->type().shape() != shape)
      return context.error(op, kBrokenOp, "a result of 'tt.map_elementwise' has another shape");
    returned.insert(returned.end(), rounds, op.result(i)->type().element());
  }
  return verify_returned(context, op, returned);
}

}  // namespace lockstep::dialects
