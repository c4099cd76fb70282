#include "backend_cuda/layout/boxes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "ir/interfaces/op_kinds.h"
#include "ir/op_def.h"

namespace lockstep::backend_cuda {
namespace {

constexpr std::size_t kMostDimensions = 5;  // of a tensor map
constexpr int kPanelBytes = 128;            // prelude: Panels
constexpr std::int64_t kMostBox = 256;

LaunchNumber launch_number(const LinearTerm& term) {
  LaunchNumber number{term.factor, {}, 0};
  for (const ir::Value* parameter : term.parameters) number.parameters.push_back(static_cast<int>(parameter->index()));
  return number;
}

/// A form without indices as a number of the launch; nullopt: it has indices, or is longer.
std::optional<LaunchNumber> launch_number(const LinearForm& form) {
  LaunchNumber number;
  for (const LinearTerm& term : form) {
    if (term.has_index()) return std::nullopt;
    if (term.parameters.empty()) {
      number.offset += term.factor;
    } else if (number.parameters.empty()) {
      const std::int64_t offset = number.offset;
      number = launch_number(term);
      number.offset = offset;
    } else {
      return std::nullopt;
    }
  }
  return number;
}

class BoxFinder {
 public:
  BoxFinder(const ir::Op& load, const ir::Op& loop) : load_(load), loop_(loop) {}

  std::optional<Box> find() {
    const ir::Type type = load_.result()->type();
    const auto address = linear_address(load_.operand(0), loop_);
    if (!address || !find_strides(address->offset)) return std::nullopt;
    const auto& shape = type.shape();
    const int bytes = size_bytes(*type.element().scalar_kind());
    box_.parameter = address->parameter;
    box_.is_transposed = columns_ == 0;
    box_.rows = shape[static_cast<std::size_t>(1 - columns_)];
    box_.columns = shape[static_cast<std::size_t>(columns_)];
    if (box_.rows > kMostBox || box_.columns * bytes < 32) return std::nullopt;
    box_.map.parameter = static_cast<int>(address->parameter->index());
    box_.map.kind = *type.element().scalar_kind();
    const auto unbounded = [](LaunchNumber stride, std::int64_t box) {
      return MapDimension{{0, {}, kUnbounded}, std::move(stride), static_cast<int>(box)};
    };
    box_.map.dimensions = {unbounded({1, {}, 0}, std::min<std::int64_t>(box_.columns, kPanelBytes / bytes)),
                           unbounded(launch_number(stride_), box_.rows)};
    box_.place.resize(2);
    for (const LinearTerm& term : address->offset) {
      if (term.dimension < 0) place(term);
    }
    const ir::Value* mask = load_.operand_or_null(1);
    if (mask != nullptr && !bound(mask)) return std::nullopt;
    box_.column_extent = box_.map.dimensions[0].extent;
    count_panels();
    return box_.place.size() > kMostDimensions ? std::nullopt : std::optional(std::move(box_));
  }

 private:
  /// One dimension of the tile runs through adjacent elements, the other has a stride.
  bool find_strides(const LinearForm& offset) {
    std::array<const LinearTerm*, 2> along{};
    for (const LinearTerm& term : offset) {
      if (term.dimension < 0) continue;
      const LinearTerm*& found = along[static_cast<std::size_t>(term.dimension)];
      if (found != nullptr) return false;
      found = &term;
    }
    const auto is_one = [](const LinearTerm* term) { return term->factor == 1 && term->parameters.empty(); };
    if (along[0] == nullptr || along[1] == nullptr || is_one(along[0]) == is_one(along[1])) return false;
    columns_ = is_one(along[1]) ? 1 : 0;
    stride_ = *along[static_cast<std::size_t>(1 - columns_)];
    stride_.dimension = -1;
    return stride_.factor > 0;
  }

  /// Adds a term of the tile's offset to the coordinate whose stride divides it.
  void place(const LinearTerm& term) {
    if (term.parameters == stride_.parameters && term.factor % stride_.factor == 0) {
      box_.place[1] = sum_of(box_.place[1], {{term.factor / stride_.factor, {}, term.atom, -1}});
    } else if (term.parameters.empty()) {
      box_.place[0] = sum_of(box_.place[0], {term});
    } else {
      const LaunchNumber stride = launch_number(LinearTerm{1, term.parameters, nullptr, -1});
      auto& dimensions = box_.map.dimensions;
      std::size_t i = 2;
      while (i < dimensions.size() && dimensions[i].stride != stride) ++i;
      if (i == dimensions.size()) {
        dimensions.push_back({{0, {}, kUnbounded}, stride, 1});
        box_.place.emplace_back();
      }
      box_.place[i] = sum_of(box_.place[i], {{term.factor, {}, term.atom, -1}});
    }
  }

  /// Takes bounds of coordinates from a mask; false: it says something else, too.
  bool bound(const ir::Value* mask) {
    const ir::Op* made = mask->defining_op();
    if (made == nullptr) return false;
    if (ir::moves_as(*made, ir::Movement::broadcast)) return bound(made->operand(0));
    if (made->def().arithmetic == ir::Arithmetic::conjunction) return bound(made->operand(0)) && bound(made->operand(1));
    if (!ir::is_integer_comparison(*made) || mask->type().shape().size() != 2) return false;
    enum Predicate : std::int64_t { slt = 2, sgt = 4 };
    const std::int64_t predicate = made->integer_attribute("predicate", 0);
    if (predicate != slt && predicate != sgt) return false;
    const auto less = linear_form(made->operand(predicate == slt ? 0 : 1), loop_);
    const auto more = linear_form(made->operand(predicate == slt ? 1 : 0), loop_);
    return less && more && bound(sum_of(*less, *more, -1));
  }

  void count_panels() {
    const std::int64_t columns = box_.map.dimensions[0].box, panels = box_.columns / columns;
    const bool begins_whole = std::all_of(box_.place[0].begin(), box_.place[0].end(),
                                          [&](const LinearTerm& term) { return term.factor % columns == 0; });
    if (panels < 2 || !begins_whole) return;
    LaunchNumber count = box_.column_extent;
    count.divisor = columns;
    box_.map.dimensions[0].extent = {0, {}, columns};
    box_.map.dimensions.insert(box_.map.dimensions.begin() + 2, {count, {columns, {}, 0}, static_cast<int>(panels)});
    LinearForm place = std::exchange(box_.place[0], {});
    for (LinearTerm& term : place) term.factor /= columns;
    box_.place.insert(box_.place.begin() + 2, std::move(place));
    box_.panel_columns = columns;
  }

  /// `form` < 0 is a coordinate below its extent.
  bool bound(const LinearForm& form) {
    int dimension = -1;
    for (const LinearTerm& term : form) {
      if (term.dimension < 0) continue;
      if (dimension >= 0 || term.factor != 1 || !term.parameters.empty()) return false;
      dimension = term.dimension;
    }
    if (dimension < 0) return false;
    const std::size_t which = dimension == columns_ ? 0 : 1;
    const LinearForm coordinate = sum_of(box_.place[which], {{1, {}, nullptr, dimension}});
    const auto extent = launch_number(sum_of(coordinate, form, -1));
    LaunchNumber& known = box_.map.dimensions[which].extent;
    const bool is_new = known == LaunchNumber{0, {}, kUnbounded};
    if (!extent || (!is_new && known != *extent)) return false;
    known = *extent;
    return true;
  }

  const ir::Op& load_;
  const ir::Op& loop_;
  Box box_;
  int columns_ = 1;    // dimension of the tile along which addresses are adjacent
  LinearTerm stride_;  // of the other
};

}  // namespace

std::optional<Box> find_box(const ir::Op& load, const ir::Op& loop) { return BoxFinder(load, loop).find(); }

}  // namespace lockstep::backend_cuda
