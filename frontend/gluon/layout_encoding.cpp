#include "frontend/gluon/layout_encoding.h"

#include <algorithm>
#include <numeric>

#include "ir/layouts/from_linear.h"
#include "ir/layouts/linear_layout.h"
#include "ir/layouts/shape_rules.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::frontend {

namespace {

ir::Extents extents(const LayoutField& field) {
  ir::Extents values;
  for (const LayoutField& item : field.items) values.push_back(static_cast<std::uint32_t>(item.number));
  return values;
}

std::uint32_t unsigned_of(const LayoutField& field) { return static_cast<std::uint32_t>(field.number); }

/// "block" of (M, N), where a field of None stands for 1 and 1.
std::uint32_t part_of_split(const LayoutField& field, std::size_t i) {
  return field.items.size() == 2 ? unsigned_of(field.items[i]) : 1;
}

ir::EncodingParameters parameters_of_memory(const Layout& layout) {
  const std::vector<LayoutField>& f = layout.fields;
  switch (layout.kind) {
    case LayoutKind::nvmma_shared:
      return ir::NvmmaSharedEncoding{unsigned_of(f[0]),    f[3].number != 0, unsigned_of(f[1]),
                                     f[4].number != 0,     unsigned_of(f[2]), bases_of(f[5])};
    case LayoutKind::swizzled_shared:
      return ir::SwizzledSharedEncoding{unsigned_of(f[0]), unsigned_of(f[1]), unsigned_of(f[2]), extents(f[3]),
                                        bases_of(f[4])};
    case LayoutKind::padded_shared: {
      ir::PaddedSharedEncoding padded;
      for (const LayoutField& pair : f[0].items) {
        padded.intervals.push_back(unsigned_of(pair.items[0]));
        padded.paddings.push_back(unsigned_of(pair.items[1]));
      }
      padded.offsets = bases_of(f[1]);
      padded.blocks = bases_of(f[2]);
      return padded;
    }
    case LayoutKind::shared_linear: return ir::SharedLinearEncoding{bases_of(f[0]), bases_of(f[1]), unsigned_of(f[2])};
    case LayoutKind::tensor_memory: {
      ir::TensorMemoryEncoding memory;
      memory.block_m = unsigned_of(f[0].items[0]);
      memory.block_n = unsigned_of(f[0].items[1]);
      memory.col_stride = unsigned_of(f[1]);
      memory.cta_split_m = part_of_split(f[2], 0);
      memory.cta_split_n = part_of_split(f[2], 1);
      memory.has_two_ctas = f[3].number != 0;
      return memory;
    }
    default: return ir::TensorMemoryScalesEncoding{part_of_split(f[0], 0), part_of_split(f[0], 1), {}, false};
  }
}

/// Parents are interned on the way.
ir::EncodingParameters parameters_of(ir::Context& context, const Layout& layout) {
  const std::vector<LayoutField>& f = layout.fields;
  switch (layout.kind) {
    case LayoutKind::automatic: return ir::OpenEncoding{false};
    case LayoutKind::coalesced: return ir::OpenEncoding{true};
    case LayoutKind::blocked:
      return ir::BlockedEncoding{extents(f[0]), extents(f[1]), extents(f[2]), extents(f[3]), bases_of(f[4])};
    case LayoutKind::slice: return ir::SliceEncoding{unsigned_of(f[0]), to_encoding(context, *f[1].layout)};
    case LayoutKind::linear:
      return ir::LinearEncoding{bases_of(f[0]), bases_of(f[1]), bases_of(f[2]), bases_of(f[3]), false};
    case LayoutKind::dot_operand:
      return ir::DotOperandEncoding{unsigned_of(f[0]), to_encoding(context, *f[1].layout), unsigned_of(f[2])};
    case LayoutKind::nvidia_mma: {
      ir::NvidiaMmaEncoding mma;
      mma.version_major = unsigned_of(f[0].items[0]);
      mma.version_minor = unsigned_of(f[0].items[1]);
      mma.warps_per_cta = extents(f[1]);
      mma.instr_shape = extents(f[2]);
      mma.cga = bases_of(f[3]);
      return mma;
    }
    default: return parameters_of_memory(layout);
  }
}

LayoutField number(std::uint32_t value) { return LayoutField::of_number(value); }
LayoutField numbers(const ir::Extents& values) { return LayoutField::of_numbers({values.begin(), values.end()}); }
LayoutField bases(const ir::Bases& values) { return LayoutField::of_bases(values); }

LayoutField split_of(std::uint32_t m, std::uint32_t n) {
  return m == 1 && n == 1 ? LayoutField::none() : numbers({m, n});
}

LayoutPtr from_memory_encoding(const ir::Encoding& encoding, const std::vector<std::int64_t>& shape) {
  if (const auto* e = encoding.as<ir::NvmmaSharedEncoding>())
    return make_layout(LayoutKind::nvmma_shared,
                       {number(e->swizzling_byte_width), number(e->element_bit_width), number(e->rank),
                        LayoutField::of_bool(e->is_transposed), LayoutField::of_bool(e->is_fp4_padded), bases(e->cga)});
  if (const auto* e = encoding.as<ir::SwizzledSharedEncoding>())
    return make_layout(LayoutKind::swizzled_shared, {number(e->vec), number(e->per_phase), number(e->max_phase),
                                                     numbers(e->order), bases(e->cga)});
  if (const auto* e = encoding.as<ir::PaddedSharedEncoding>()) {
    LayoutField pairs = LayoutField::of_numbers({});
    for (std::size_t i = 0; i < e->intervals.size(); ++i)
      pairs.items.push_back(numbers({e->intervals[i], e->paddings[i]}));
    return make_layout(LayoutKind::padded_shared,
                       {pairs, bases(e->offsets), bases(e->blocks), LayoutField::of_numbers(shape)});
  }
  if (const auto* e = encoding.as<ir::SharedLinearEncoding>())
    return make_layout(LayoutKind::shared_linear, {bases(e->offsets), bases(e->blocks), number(e->alignment)});
  if (const auto* e = encoding.as<ir::TensorMemoryEncoding>())
    return make_layout(LayoutKind::tensor_memory,
                       {numbers({e->block_m, e->block_n}), number(e->col_stride),
                        split_of(e->cta_split_m, e->cta_split_n), LayoutField::of_bool(e->has_two_ctas)});
  const auto* scales = encoding.as<ir::TensorMemoryScalesEncoding>();
  return scales == nullptr ? nullptr
                           : make_layout(LayoutKind::tensor_memory_scales,
                                         {split_of(scales->cta_split_m, scales->cta_split_n)});
}

const ir::Encoding* linear_encoding(ir::EncodingTable& table, const ir::LinearLayout& layout) {
  return table.get(ir::LinearEncoding{layout.bases("register"), layout.bases("lane"), layout.bases("warp"),
                                      layout.bases("block"), false});
}

template <typename T>
std::vector<T> permuted(const std::vector<T>& values, const ir::Extents& order) {
  std::vector<T> result;
  for (const std::uint32_t axis : order) result.push_back(values[axis]);
  return result;
}

ir::Bases permuted_bases(const ir::Bases& bases, const ir::Extents& order) {
  ir::Bases result;
  for (const auto& basis : bases) result.push_back(permuted(basis, order));
  return result;
}

/// An order of axes, after the axes were permuted.
ir::Extents permuted_order(const ir::Extents& axes, const ir::Extents& order) {
  ir::Extents result;
  for (const std::uint32_t axis : axes)
    result.push_back(static_cast<std::uint32_t>(std::find(order.begin(), order.end(), axis) - order.begin()));
  return result;
}

std::uint32_t alignment_of(const ir::Encoding& encoding) {
  if (const auto* e = encoding.as<ir::SharedLinearEncoding>()) return e->alignment;
  if (const auto* e = encoding.as<ir::NvmmaSharedEncoding>()) return 128 * std::max(e->swizzling_byte_width / 16, 1U);
  return 16;
}

const ir::Encoding* reshaped_buffer(ir::EncodingTable& table, const ir::Encoding* from,
                                    const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& target) {
  if (const auto* e = from->as<ir::NvmmaSharedEncoding>(); e != nullptr && e->cga.empty()) {
    const bool keeps_inner =
        e->is_transposed ? shape.front() == target.front() : shape.back() == target.back();
    if (keeps_inner) {
      ir::NvmmaSharedEncoding changed = *e;
      changed.rank = static_cast<std::uint32_t>(target.size());
      return table.get(changed);
    }
  }
  if (from->as<ir::PaddedSharedEncoding>() != nullptr || ir::find_shape_fault(*from, shape)) return nullptr;
  const ir::LinearLayout layout = ir::reshape_dimensions(ir::to_linear_layout(*from, shape), target);
  return table.get(ir::SharedLinearEncoding{layout.bases("offset"), layout.bases("block"), alignment_of(*from)});
}

const ir::Encoding* transposed_buffer(ir::EncodingTable& table, const ir::Encoding* from, const ir::Extents& order) {
  if (const auto* e = from->as<ir::NvmmaSharedEncoding>()) {
    if (order != ir::Extents{1, 0}) return nullptr;
    ir::NvmmaSharedEncoding changed = *e;
    changed.is_transposed = !e->is_transposed;
    changed.cga = permuted_bases(e->cga, order);
    return table.get(changed);
  }
  if (const auto* e = from->as<ir::SwizzledSharedEncoding>())
    return table.get(ir::SwizzledSharedEncoding{e->vec, e->per_phase, e->max_phase, permuted_order(e->order, order),
                                                permuted_bases(e->cga, order)});
  if (const auto* e = from->as<ir::PaddedSharedEncoding>())
    return table.get(ir::PaddedSharedEncoding{e->intervals, e->paddings, permuted_bases(e->offsets, order),
                                              permuted_bases(e->blocks, order)});
  const auto* e = from->as<ir::SharedLinearEncoding>();
  return e == nullptr ? nullptr
                      : table.get(ir::SharedLinearEncoding{permuted_bases(e->offsets, order),
                                                           permuted_bases(e->blocks, order), e->alignment});
}

bool is_open(const ir::Encoding* encoding) { return encoding->as<ir::OpenEncoding>() != nullptr; }

}  // namespace

std::optional<ir::EncodingFault> find_layout_fault(ir::Context& context, const Layout& layout) {
  if (layout.kind == LayoutKind::slice || layout.kind == LayoutKind::dot_operand) {
    if (auto fault = find_layout_fault(context, *layout.field("parent").layout)) return fault;
  }
  return ir::find_encoding_fault(parameters_of(context, layout));
}

const ir::Encoding* to_encoding(ir::Context& context, const Layout& layout) {
  return context.encodings().get(parameters_of(context, layout));
}

ir::Encoding memory_encoding(const Layout& layout) { return ir::Encoding(parameters_of_memory(layout)); }

LayoutPtr from_encoding(const ir::Encoding& encoding, const std::vector<std::int64_t>& shape) {
  if (const auto* e = encoding.as<ir::OpenEncoding>())
    return e->is_coalesced ? make_layout(LayoutKind::coalesced, {}) : auto_layout();
  if (const auto* e = encoding.as<ir::BlockedEncoding>())
    return make_layout(LayoutKind::blocked, {numbers(e->size_per_thread), numbers(e->threads_per_warp),
                                             numbers(e->warps_per_cta), numbers(e->order), bases(e->cga)});
  if (const auto* e = encoding.as<ir::SliceEncoding>()) {
    std::vector<std::int64_t> above = shape;
    above.insert(above.begin() + std::min<std::ptrdiff_t>(e->dim, static_cast<std::ptrdiff_t>(shape.size())), 1);
    return make_layout(LayoutKind::slice, {number(e->dim), LayoutField::of_layout(from_encoding(*e->parent, above))});
  }
  if (const auto* e = encoding.as<ir::LinearEncoding>())
    return make_layout(LayoutKind::linear, {bases(e->registers), bases(e->lanes), bases(e->warps), bases(e->blocks),
                                            LayoutField::of_numbers(shape)});
  if (const auto* e = encoding.as<ir::DotOperandEncoding>())
    return make_layout(LayoutKind::dot_operand,
                       {number(e->operand), LayoutField::of_layout(from_encoding(*e->parent, shape)),
                        number(e->k_width)});
  if (const auto* e = encoding.as<ir::NvidiaMmaEncoding>())
    return make_layout(LayoutKind::nvidia_mma, {numbers({e->version_major, e->version_minor}),
                                                numbers(e->warps_per_cta), numbers(e->instr_shape), bases(e->cga)});
  return from_memory_encoding(encoding, shape);
}

const ir::Encoding* encoding_of_reduction(ir::EncodingTable& table, const ir::Encoding* from, std::uint32_t axis) {
  return is_open(from) ? from : table.get(ir::SliceEncoding{axis, from});
}

const ir::Encoding* encoding_of_new_axis(ir::EncodingTable&, const ir::Encoding* from, std::uint32_t axis) {
  if (is_open(from)) return from;
  const auto* slice = from->as<ir::SliceEncoding>();
  return slice != nullptr && slice->dim == axis ? slice->parent : nullptr;
}

const ir::Encoding* encoding_of_transpose(ir::EncodingTable& table, const ir::Encoding* from,
                                          const std::vector<std::int64_t>& shape, const ir::Extents& order) {
  if (is_open(from)) return from;
  if (from->is_shared()) return transposed_buffer(table, from, order);
  if (const auto* e = from->as<ir::BlockedEncoding>())
    return table.get(ir::BlockedEncoding{permuted(e->size_per_thread, order), permuted(e->threads_per_warp, order),
                                         permuted(e->warps_per_cta, order), permuted_order(e->order, order),
                                         permuted_bases(e->cga, order)});
  if (ir::find_shape_fault(*from, shape)) return nullptr;
  return linear_encoding(table, ir::permute_dimensions(ir::to_linear_layout(*from, shape), order));
}

const ir::Encoding* encoding_of_join(ir::EncodingTable& table, const ir::Encoding* from,
                                     const std::vector<std::int64_t>& shape) {
  if (is_open(from)) return from;
  const auto rank = static_cast<std::uint32_t>(shape.size());
  std::vector<std::int64_t> joined = shape;
  joined.push_back(2);
  if (const auto* slice = from->as<ir::SliceEncoding>(); slice != nullptr && slice->dim == rank) {
    const ir::Encoding* split = encoding_of_split(table, slice->parent, joined);
    if (split != nullptr && ir::to_linear_layout(*split, shape) == ir::to_linear_layout(*from, shape))
      return slice->parent;
  }
  if (const auto* e = from->as<ir::BlockedEncoding>()) {
    ir::BlockedEncoding wider = *e;
    wider.size_per_thread.push_back(2);
    wider.threads_per_warp.push_back(1);
    wider.warps_per_cta.push_back(1);
    wider.order.insert(wider.order.begin(), rank);
    for (auto& basis : wider.cga) basis.push_back(0);
    return table.get(wider);
  }
  if (ir::find_shape_fault(*from, shape)) return nullptr;
  const ir::LinearLayout layout = ir::to_linear_layout(*from, shape);
  ir::LinearEncoding wider{layout.bases("register"), layout.bases("lane"), layout.bases("warp"), layout.bases("block"),
                           false};
  for (ir::Bases* input : {&wider.registers, &wider.lanes, &wider.warps, &wider.blocks}) {
    for (auto& basis : *input) basis.push_back(0);
  }
  std::vector<std::int32_t> first(shape.size() + 1, 0);
  first.back() = 1;
  wider.registers.insert(wider.registers.begin(), std::move(first));
  return table.get(wider);
}

const ir::Encoding* encoding_of_split(ir::EncodingTable& table, const ir::Encoding* from,
                                      const std::vector<std::int64_t>& shape) {
  if (is_open(from)) return from;
  const auto last = static_cast<std::uint32_t>(shape.size() - 1);
  if (const auto* e = from->as<ir::BlockedEncoding>()) {
    const bool is_whole = std::all_of(e->cga.begin(), e->cga.end(), [](const auto& basis) { return basis.back() == 0; });
    if (e->size_per_thread.back() == 2 && e->threads_per_warp.back() == 1 && e->warps_per_cta.back() == 1 && is_whole)
      return table.get(ir::SliceEncoding{last, from});
  }
  if (ir::find_shape_fault(*from, shape)) return nullptr;
  const ir::LinearLayout layout = ir::to_linear_layout(*from, shape);
  ir::LinearEncoding half{layout.bases("register"), layout.bases("lane"), layout.bases("warp"), layout.bases("block"),
                          false};
  std::vector<std::int32_t> first(shape.size(), 0);
  first.back() = 1;
  const auto found = std::find(half.registers.begin(), half.registers.end(), first);
  if (found == half.registers.end()) return nullptr;
  half.registers.erase(found);
  for (ir::Bases* input : {&half.registers, &half.lanes, &half.warps, &half.blocks}) {
    for (auto& basis : *input) basis.pop_back();
  }
  return table.get(half);
}

const ir::Encoding* encoding_of_reshape(ir::EncodingTable& table, const ir::Encoding* from,
                                        const std::vector<std::int64_t>& shape,
                                        const std::vector<std::int64_t>& target) {
  if (is_open(from) || shape == target) return from;
  if (from->is_shared()) return reshaped_buffer(table, from, shape, target);
  if (ir::find_shape_fault(*from, shape)) return nullptr;
  const ir::LinearLayout layout = ir::reshape_dimensions(ir::to_linear_layout(*from, shape), target);
  const ir::Encoding* blocked =
      from->as<ir::BlockedEncoding>() != nullptr ? ir::blocked_form(table, layout) : nullptr;
  return blocked != nullptr ? blocked : linear_encoding(table, layout);
}

}  // namespace lockstep::frontend
