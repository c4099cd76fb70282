#include "interpreter/evaluators/gather_histogram.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "interpreter/launch/machine.h"
#include "interpreter/plan/plan_builder.h"
#include "interpreter/plan/structure.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

namespace {

/// An i1 as its signed number.
struct Bit {
  std::uint8_t byte = 0;
  operator std::int64_t() const { return -static_cast<std::int64_t>(byte); }
};

/// body(T{}) with the signed integer type of `bytes`.
template <typename Body>
void with_integer(int bytes, Body&& body) {
  switch (bytes) {
    case 1: return body(std::int8_t{});
    case 2: return body(std::int16_t{});
    case 4: return body(std::int32_t{});
    default: return body(std::int64_t{});
  }
}
/// The same for the elements of a tile that are read as numbers.
template <typename Body>
void with_integer_kind(const TileType& type, Body&& body) {
  if (type.kind == ScalarKind::i1) return body(Bit{});
  with_integer(type.element_bytes, body);
}

// ---- gather ----

struct Gather {
  const TileType* source = nullptr;
  const TileType* index = nullptr;
  std::int64_t extent = 1;       // of the axis, in the source
  std::int64_t axis_stride = 1;  // elements
  std::int64_t line_stride = 0;  // from a position of the last dimension to the next; 0: that is the axis
  std::int64_t lines = 1, line = 1;
  std::vector<std::int64_t> line_shape, line_strides;  // of the other dimensions; stride 0: that is the axis
};

/// Offset of the next line of the source; `at` counts lines.
std::int64_t next_line(const Gather& gather, std::vector<std::int64_t>& at, std::int64_t offset) {
  for (std::size_t d = at.size(); d-- > 0;) {
    offset += gather.line_strides[d];
    if (++at[d] < gather.line_shape[d]) return offset;
    offset -= gather.line_strides[d] * gather.line_shape[d];
    at[d] = 0;
  }
  return offset;
}

/// An index outside wraps around the axis; `is_power`: the extent is a power of two, so its low bits say where.
template <bool is_power, typename Value, typename Integer>
void gather_line(Value* out, const Value* source, const Integer* index, const Gather& gather) {
  for (std::int64_t i = 0; i < gather.line; ++i) {
    std::int64_t at = index[i];
    if constexpr (is_power) {
      at &= gather.extent - 1;
    } else {
      at %= gather.extent;
      at += at < 0 ? gather.extent : 0;
    }
    out[i] = source[at * gather.axis_stride + i * gather.line_stride];
  }
}

template <typename Value, typename Integer>
void gather_lines(Value* out, const Value* source, const Integer* index, const Gather& gather) {
  const bool is_power = std::has_single_bit(static_cast<std::uint64_t>(gather.extent));
  std::vector<std::int64_t> at(gather.line_shape.size());
  std::int64_t offset = 0;
  for (std::int64_t l = 0; l < gather.lines; ++l, out += gather.line, index += gather.line) {
    (is_power ? gather_line<true, Value, Integer> : gather_line<false, Value, Integer>)(out, source + offset, index,
                                                                                        gather);
    offset = next_line(gather, at, offset);
  }
}

/// result[i..] = source[.., index[i..], ..] along the axis. An index outside wraps around the axis, as on sm_90
/// (measured).
const Step* step_gather(Machine& machine, const Step* step) {
  const auto& gather = *static_cast<const Gather*>(step->record);
  const Temporary source(machine, make_contiguous(machine, machine.slots[step->operand[0]], *gather.source));
  const Temporary index(machine, make_contiguous(machine, machine.slots[step->operand[1]], *gather.index));
  Tile out = machine.allocate(*step->type);
  out.provenance = source->provenance;
  with_integer(step->type->element_bytes, [&]<typename Value>(Value) {
    with_integer_kind(*gather.index, [&]<typename Integer>(Integer) {
      gather_lines(reinterpret_cast<Value*>(out.data()), reinterpret_cast<const Value*>(source->data()),
                   reinterpret_cast<const Integer*>(index->data()), gather);
    });
  });
  machine.set(step->result, out);
  return machine.finish(step);
}

// ---- histogram ----

/// Counts of values modulo the size of a table, a power of two. Equal neighbours are counted in different tables, so
/// that a count need not wait for the one before; the sum does not depend on the table.
class Counts {
 public:
  explicit Counts(std::uint64_t bins)
      : size_(std::bit_ceil(std::max<std::uint64_t>(bins, 32))), counts_(static_cast<std::size_t>(kTables * size_)) {}

  /// `mask`: a byte per value, 0 or 1; null: all count.
  template <typename Integer>
  void add(const Integer* values, const std::uint8_t* mask, std::int64_t n) {
    const std::uint64_t low = size_ - 1;
    std::int64_t i = 0;
    for (; i + kTables <= n; i += kTables) {
      for (std::int64_t t = 0; t < kTables; ++t) {
        std::uint32_t* table = counts_.data() + t * static_cast<std::int64_t>(size_);
        table[static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i + t])) & low] +=
            mask == nullptr ? 1u : mask[i + t];
      }
    }
    for (; i < n; ++i)
      counts_[static_cast<std::uint64_t>(static_cast<std::int64_t>(values[i])) & low] += mask == nullptr ? 1u : mask[i];
  }
  template <typename Integer>
  void store(Integer* out, std::int64_t bins) const {
    for (std::int64_t i = 0; i < bins; ++i) {
      std::uint32_t sum = 0;
      for (std::int64_t t = 0; t < kTables; ++t)
        sum += counts_[static_cast<std::size_t>(i + t * static_cast<std::int64_t>(size_))];
      out[i] = static_cast<Integer>(sum);
    }
  }

 private:
  static constexpr std::int64_t kTables = 4;
  std::uint64_t size_;
  std::vector<std::uint32_t> counts_;  // a tile has fewer than 2^32 elements
};

/// Counts of the values 0..bins-1, taken modulo the larger of the bins and a warp's 32 lanes as on sm_90 (S-100,
/// measured); others, and masked-off lanes, do not count.
const Step* step_histogram(Machine& machine, const Step* step) {
  const TileType& from = machine.type_of(step->operand[0]);
  const Temporary values(machine, make_contiguous(machine, machine.slots[step->operand[0]], from));
  std::int64_t begin = 0, end = from.count;
  Tile mask = uniform_tile(1);
  if (step->operand_count > 1) {
    const Tile& given = machine.slots[step->operand[1]];
    const TileType& type = machine.type_of(step->operand[1]);
    Box box;
    if (as_box(given, type, box)) {
      begin = box.is_empty ? 0 : box.low[0];
      end = box.is_empty ? 0 : box.high[0];
    } else {
      mask = make_contiguous(machine, given, type);
    }
  }
  const Temporary masked(machine, mask);
  Counts counts(static_cast<std::uint64_t>(step->type->count));
  with_integer_kind(from, [&]<typename Integer>(Integer) {
    const auto* lanes = mask.form == Form::uniform ? nullptr : reinterpret_cast<const std::uint8_t*>(mask.data());
    counts.add(reinterpret_cast<const Integer*>(values->data()) + begin, lanes, end - begin);
  });
  Tile out = machine.allocate(*step->type);
  with_integer(step->type->element_bytes, [&]<typename Integer>(Integer) {
    counts.store(reinterpret_cast<Integer*>(out.data()), step->type->count);
  });
  machine.set(step->result, out);
  return machine.finish(step);
}

}  // namespace

bool evaluate_gather(PlanBuilder& builder, const ir::Op& op) {
  Step* step = builder.append_with_result(step_gather, op);
  if (step == nullptr) return false;
  Gather gather;
  const auto axis = op.integer_attribute("axis", 0);
  gather.source = builder.type(step->operand[0]);
  gather.index = builder.type(step->operand[1]);
  const std::vector<std::int64_t>&source = gather.source->shape, &index = gather.index->shape;
  if (axis < 0 || axis >= gather.source->rank() || source.size() != index.size())
    return builder.error(op, "the axis is not a dimension of the source");
  std::int64_t stride = 1;
  for (std::size_t d = source.size(); d-- > 0; stride *= source[d]) {
    const bool is_axis = d == static_cast<std::size_t>(axis), is_last = d + 1 == source.size();
    if (!is_axis && index[d] > source[d]) return builder.error(op, "the index reaches past the source");
    if (is_axis) {
      gather.extent = source[d];
      gather.axis_stride = stride;
    }
    if (is_last) {
      gather.line = index[d];
      gather.line_stride = is_axis ? 0 : stride;
      continue;
    }
    gather.lines *= index[d];
    gather.line_shape.insert(gather.line_shape.begin(), index[d]);
    gather.line_strides.insert(gather.line_strides.begin(), is_axis ? 0 : stride);
  }
  step->record = builder.record(gather);
  return true;
}

bool evaluate_histogram(PlanBuilder& builder, const ir::Op& op) {
  return builder.append_with_result(step_histogram, op) != nullptr;
}

}  // namespace lockstep::interpreter
