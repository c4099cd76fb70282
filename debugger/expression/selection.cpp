#include "debugger/expression/selection.h"

#include <algorithm>

#include "debugger/expression/walk.h"

namespace lockstep::debugger {
namespace {

constexpr std::size_t kMaxRank = 32;

std::int64_t clamp_bound(std::int64_t bound, std::int64_t extent, std::int64_t low, std::int64_t high) {
  // A bound near INT64_MIN stays where it is: the sum cannot wrap, as extent >= 0.
  if (bound < 0) bound += extent;
  return std::clamp(bound, low, high);
}

struct Cut {
  std::int64_t start = 0, count = 0, step = 1;
};
Cut cut_of(const Subscript& slice, std::int64_t extent) {
  Cut cut;
  // A step beyond the extent takes one element at most, whatever it is: no product below can wrap.
  cut.step = std::clamp(slice.step.value_or(1), -extent - 1, extent + 1);
  const bool is_up = cut.step > 0;
  const std::int64_t low = is_up ? 0 : -1, high = is_up ? extent : extent - 1;
  cut.start = slice.start ? clamp_bound(*slice.start, extent, low, high) : (is_up ? low : high);
  const std::int64_t stop = slice.stop ? clamp_bound(*slice.stop, extent, low, high) : (is_up ? high : low);
  const std::int64_t way = is_up ? stop - cut.start : cut.start - stop;
  const std::int64_t stride = is_up ? cut.step : -cut.step;
  cut.count = way <= 0 ? 0 : (way + stride - 1) / stride;
  return cut;
}

class Selector {
 public:
  Selector(const Selection& from, const std::vector<Subscript>& subscripts) : from_(from), subscripts_(subscripts) {
    out_.offset = from.offset;
  }

  Expected<Selection, std::string> select() {
    std::size_t used = 0, ellipses = 0;
    for (const Subscript& subscript : subscripts_) {
      used += subscript.kind == Subscript::Kind::number || subscript.kind == Subscript::Kind::slice ? 1 : 0;
      ellipses += subscript.kind == Subscript::Kind::ellipsis ? 1 : 0;
    }
    if (ellipses > 1) return Unexpected{std::string("an index has at most one '...'")};
    const std::size_t rank = from_.shape.size();
    if (subscripts_.size() > kMaxRank) return Unexpected{std::string("an index has at most 32 parts")};
    if (used > rank) return Unexpected{std::to_string(used) + " indices for shape " + index_text(from_.shape)};
    for (const Subscript& subscript : subscripts_) {
      if (subscript.kind == Subscript::Kind::ellipsis) {
        for (std::size_t left = rank - used; left > 0; --left) keep();
      } else if (std::string error = take(subscript); !error.empty()) {
        return Unexpected{std::move(error)};
      }
    }
    while (at_ < rank) keep();
    if (out_.shape.size() > kMaxRank) return Unexpected{std::string("a value has at most 32 dimensions")};
    return std::move(out_);
  }

 private:
  void keep() {
    out_.shape.push_back(from_.shape[at_]);
    out_.strides.push_back(from_.strides[at_]);
    ++at_;
  }
  std::string take(const Subscript& subscript) {
    if (subscript.kind == Subscript::Kind::new_axis) {
      out_.shape.push_back(1);
      out_.strides.push_back(0);
      return "";
    }
    const std::int64_t extent = from_.shape[at_], stride = from_.strides[at_];
    if (subscript.kind == Subscript::Kind::number) {
      const std::int64_t number = subscript.number < 0 ? subscript.number + extent : subscript.number;
      if (number < 0 || number >= extent)
        return "index " + std::to_string(subscript.number) + " is out of range for extent " + std::to_string(extent) +
               (from_.shape.size() > 1 ? " of axis " + std::to_string(at_) : "");
      out_.offset += number * stride;
    } else {
      if (subscript.step == 0) return "a slice's step cannot be 0";
      const Cut cut = cut_of(subscript, extent);
      out_.offset += cut.count > 0 ? cut.start * stride : 0;
      out_.shape.push_back(cut.count);
      out_.strides.push_back(cut.count > 1 ? cut.step * stride : stride);
    }
    ++at_;
    return "";
  }

  const Selection& from_;
  const std::vector<Subscript>& subscripts_;
  std::size_t at_ = 0;
  Selection out_;
};

template <typename Element>
void copy_part(const std::vector<Element>& from, const Selection& part, std::vector<Element>& out) {
  if (from.empty()) return;
  out.reserve(static_cast<std::size_t>(element_count(part.shape)));
  walk<1>(part.shape, {part.strides}, [&](const std::array<std::int64_t, 1>& at) {
    out.push_back(from[static_cast<std::size_t>(part.offset + at[0])]);
    return true;
  });
}

}  // namespace

Selection whole(const std::vector<std::int64_t>& shape) {
  Selection all;
  all.shape = shape;
  all.strides.resize(shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = shape.size(); d-- > 0;) {
    all.strides[d] = stride;
    stride *= shape[d];
  }
  return all;
}

Expected<Selection, std::string> select_part(const Selection& from, const std::vector<Subscript>& subscripts) {
  return Selector(from, subscripts).select();
}

Tensor take_part(const Tensor& from, const Selection& part) {
  Tensor out = Tensor::like(from.elements, from.kind, part.shape);
  out.provenance = from.provenance;
  out.is_hex = from.is_hex;
  copy_part(from.integers, part, out.integers);
  copy_part(from.floats, part, out.floats);
  copy_part(from.raw, part, out.raw);
  return out;
}

std::vector<std::int64_t> offsets_of(const Selection& part) {
  std::vector<std::int64_t> offsets;
  offsets.reserve(static_cast<std::size_t>(element_count(part.shape)));
  walk<1>(part.shape, {part.strides}, [&](const std::array<std::int64_t, 1>& at) {
    offsets.push_back(part.offset + at[0]);
    return true;
  });
  return offsets;
}

}  // namespace lockstep::debugger
