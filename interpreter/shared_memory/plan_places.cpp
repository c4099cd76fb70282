#include "interpreter/shared_memory/plan_places.h"

#include <algorithm>
#include <bit>
#include <string>

#include "interpreter/plan/plan_builder.h"
#include "ir/layouts/encoding.h"
#include "ir/layouts/linear_solve.h"
#include "ir/layouts/to_linear.h"

namespace lockstep::interpreter {

namespace {

constexpr std::int64_t kMostBytes = 1 << 24, kMostPlaces = 1 << 18;  // what View (block_layout.h) can name
constexpr std::uint32_t kWordBytes = 4, kColumnBytes = 512;  // of tensor memory: 128 rows

/// By dimension and bit of the coordinate: what it xors into the place, bytes.
using ByteBases = std::vector<std::vector<std::uint32_t>>;

/// The dimensions that the layout speaks of: the last ones of the buffer.
std::vector<std::int64_t> laid_out_shape(ir::Type view) {
  const std::vector<std::int64_t>& own = view.pointee().shape();
  const std::vector<std::int64_t>& whole = view.buffer_shape().empty() ? own : view.buffer_shape();
  const std::size_t rank = std::min<std::size_t>(view.layout()->rank(), whole.size());
  return {whole.end() - static_cast<std::ptrdiff_t>(rank), whole.end()};
}

/// A place in tensor memory as a number of bytes.
std::uint32_t column_place(std::int32_t row, std::int32_t column, std::uint32_t element_bytes) {
  const auto byte = static_cast<std::uint32_t>(column) * element_bytes;
  return byte / kWordBytes * kColumnBytes + static_cast<std::uint32_t>(row) * kWordBytes + byte % kWordBytes;
}

bool refuse(PlanBuilder& builder, const ir::Op& op, ir::Type type, const std::string& what) {
  return builder.unsupported(op, what + " (" + type.to_string() + ") are");
}

/// False: diagnosed.
bool find_bases(PlanBuilder& builder, const ir::Op& op, ir::Type view, ByteBases& out) {
  const ir::Encoding* layout = view.layout();
  const auto kind = view.pointee().element().scalar_kind();
  if (layout == nullptr || !kind || !(layout->is_shared() || layout->is_tensor_memory()))
    return refuse(builder, op, view, "buffers of this type");
  if (const auto* tiles = layout->as<ir::NvmmaSharedEncoding>(); tiles != nullptr && tiles->is_fp4_padded)
    return refuse(builder, op, view, "padded buffers of 4-bit numbers");
  const ir::LinearLayout linear = ir::to_linear_layout(*layout, laid_out_shape(view));
  const ir::LinearLayout places = ir::pseudo_invert(linear);
  const auto bytes = static_cast<std::uint32_t>(size_bytes(*kind));
  const std::vector<std::string> names = places.output_names();
  std::uint32_t piece = layout->is_shared() ? static_cast<std::uint32_t>(linear.input_size("offset")) * bytes : 0;
  if (layout->is_tensor_memory())
    piece = column_place(0, linear.input_size("col") - 1, bytes) / kColumnBytes * kColumnBytes + kColumnBytes;
  for (const ir::LayoutInput& input : places.inputs()) {
    std::vector<std::uint32_t>& bits = out.emplace_back();
    for (const std::vector<std::int32_t>& vector : input.bases) {
      std::int32_t at[3] = {0, 0, 0};  // offset or row, column, block
      for (std::size_t i = 0; i < names.size(); ++i)
        at[names[i] == "block" ? 2 : names[i] == "col" ? 1 : 0] = vector[i];
      if (at[2] != 0 && layout->as<ir::PaddedSharedEncoding>() != nullptr)
        return refuse(builder, op, view, "padded buffers of several blocks of a cluster");
      const std::uint32_t place =
          layout->is_shared() ? static_cast<std::uint32_t>(at[0]) * bytes : column_place(at[0], at[1], bytes);
      bits.push_back(place + static_cast<std::uint32_t>(at[2]) * std::bit_ceil(piece));
    }
  }
  return true;
}

std::uint32_t place_at(const std::vector<std::uint32_t>& bits, std::int64_t coordinate) {
  std::uint32_t place = 0;
  for (std::size_t b = 0; b < bits.size(); ++b) {
    if ((coordinate >> b & 1) != 0) place ^= bits[b];
  }
  return place;
}

/// The dimension whose neighbours lie side by side; else the last one.
std::size_t inner_dimension(const ByteBases& bases, const TileType& tile) {
  const auto bytes = static_cast<std::uint32_t>(tile.element_bytes);
  for (std::size_t d = bases.size(); d-- > 0;) {
    if (tile.shape[d] > 1 && !bases[d].empty() && bases[d][0] == bytes) return d;
  }
  return bases.size() - 1;
}

/// The bits of dimension `d` that count elements side by side, which nothing else moves.
std::size_t run_bits(const ByteBases& bases, const ViewPlaces& view, std::size_t d) {
  const auto bytes = static_cast<std::uint32_t>(view.tile->element_bytes);
  const auto most = static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(view.tile->shape[d])) - 1);
  std::size_t run = 0;
  while (run < most && bases[d][run] == bytes << run) ++run;
  std::uint32_t others = 0;
  for (std::size_t e = 0; e < bases.size(); ++e) {
    for (std::size_t b = e == d ? run : 0; b < bases[e].size(); ++b) others |= bases[e][b];
  }
  const auto crosses = [&](std::uint32_t size) {
    return (others & (size - 1)) != 0 ||
           std::any_of(view.paddings.begin(), view.paddings.end(), [&](const auto& pad) { return pad.first < size; });
  };
  while (run > 0 && crosses(bytes << run)) --run;
  return run;
}

void fill_tables(const ByteBases& bases, std::size_t d, std::size_t run, ViewPlaces& out) {
  const TileType& tile = *out.tile;
  out.run_bytes = static_cast<std::int64_t>(tile.element_bytes) << run;
  for (std::int64_t i = 0; i < tile.shape[d]; i += std::int64_t{1} << run) out.inner.push_back(place_at(bases[d], i));
  std::vector<std::int64_t> index(tile.shape.size(), 0);
  for (std::int64_t rest = tile.count / tile.shape[d]; rest > 0; --rest) {
    std::uint32_t place = 0;
    for (std::size_t e = 0; e < index.size(); ++e) place ^= place_at(bases[e], index[e]);
    out.outer.push_back(place);
    for (std::size_t e = index.size(); e-- > 0;) {
      if (e == d) continue;
      if (++index[e] < tile.shape[e]) break;
      index[e] = 0;
    }
  }
  std::int64_t next = tile.shape[d];
  out.stride[d] = 1;
  for (std::size_t e = tile.shape.size(); e-- > 0;) {
    if (e == d) continue;
    out.stride[e] = next;
    next *= tile.shape[e];
  }
  out.is_row_major = d + 1 == tile.shape.size();
}

/// All runs follow each other.
bool is_one_run(const ViewPlaces& view) {
  if (!view.paddings.empty()) return false;
  std::int64_t next = 0;
  for (const std::uint32_t outer : view.outer) {
    for (const std::uint32_t inner : view.inner) {
      if ((outer ^ inner) != next) return false;
      next += view.run_bytes;
    }
  }
  return true;
}

void add_paddings(ir::Type view, int element_bytes, ViewPlaces& out) {
  const auto* padded = view.layout()->as<ir::PaddedSharedEncoding>();
  if (padded == nullptr) return;
  const auto bytes = static_cast<std::uint32_t>(element_bytes);
  for (std::size_t i = 0; i < padded->intervals.size(); ++i)
    out.paddings.emplace_back(padded->intervals[i] * bytes, padded->paddings[i] * bytes);
}

/// Bytes of one buffer without the dimensions before those of the layout.
std::int64_t laid_out_bytes(PlanBuilder& builder, const ir::Op& op, ir::Type view) {
  ByteBases bases;
  if (!find_bases(builder, op, view, bases)) return 0;
  const ir::Encoding& layout = *view.layout();
  std::int64_t elements = 1;
  for (const std::int64_t extent : laid_out_shape(view)) {
    if (extent < 1 || __builtin_mul_overflow(elements, extent, &elements) || elements > kMostPlaces)
      return refuse(builder, op, view, "buffers of more than 256 KiB for an index"), 0;
  }
  std::uint32_t last = 0;
  for (const auto& bits : bases) {
    for (const std::uint32_t bit : bits) last |= bit;
  }
  if (layout.is_shared() && pieces_of(view) == 1) {
    const std::int64_t bytes =
        ir::allocated_elements(layout, laid_out_shape(view)) * size_bytes(*view.pointee().element().scalar_kind());
    return bytes <= kMostPlaces ? bytes : (refuse(builder, op, view, "buffers of more than 256 KiB for an index"), 0);
  }
  if (last >= kMostPlaces) return refuse(builder, op, view, "buffers of more than 256 KiB for an index"), 0;
  if (layout.is_shared()) return std::int64_t{std::bit_ceil(last + 1)};
  return (last / kColumnBytes + 1) * std::int64_t{kColumnBytes};
}

}  // namespace

std::int64_t pieces_of(ir::Type view) {
  const ir::LinearLayout linear = ir::to_linear_layout(*view.layout(), laid_out_shape(view));
  std::int64_t pieces = 1;
  for (const std::vector<std::int32_t>& vector : linear.bases("block"))
    pieces <<= std::any_of(vector.begin(), vector.end(), [](std::int32_t i) { return i != 0; }) ? 1 : 0;
  return pieces;
}

bool plan_places(PlanBuilder& builder, const ir::Op& op, ir::Type view, ViewPlaces& out) {
  ByteBases bases;
  if (!find_bases(builder, op, view, bases)) return false;
  out.tile = builder.tile_type(view.pointee(), op);
  if (out.tile == nullptr) return false;
  if (out.tile->shape.size() != bases.size() || !out.tile->is_strided())
    return refuse(builder, op, view, "accesses to a ring of buffers at once");
  for (std::size_t d = 0; d < bases.size(); ++d) {
    if (out.tile->shape[d] > std::int64_t{1} << bases[d].size())
      return builder.error(op, "the view is larger than its buffer: " + view.to_string());
  }
  add_paddings(view, out.tile->element_bytes, out);
  const std::size_t d = inner_dimension(bases, *out.tile);
  fill_tables(bases, d, run_bits(bases, out, d), out);
  out.is_one_run = is_one_run(out);
  for (const auto* table : {&out.outer, &out.inner}) {
    for (const std::uint32_t place : *table) out.reach |= place;
  }
  return true;
}

std::int64_t buffer_bytes(PlanBuilder& builder, const ir::Op& op, ir::Type buffer) {
  std::int64_t bytes = laid_out_bytes(builder, op, buffer);
  const std::vector<std::int64_t>& shape = buffer.buffer_shape().empty() ? buffer.pointee().shape() : buffer.buffer_shape();
  for (std::size_t d = buffer.layout() != nullptr ? buffer.layout()->rank() : 0; d < shape.size() && bytes <= kMostBytes; ++d)
    bytes *= shape[shape.size() - 1 - d];
  if (bytes > kMostBytes) return refuse(builder, op, buffer, "buffers of more than 16 MiB"), 0;
  return bytes;
}

std::int64_t ring_bytes(PlanBuilder& builder, const ir::Op& op, ir::Type ring) {
  std::int64_t bytes = laid_out_bytes(builder, op, ring);
  const std::vector<std::int64_t>& shape = ring.pointee().shape();
  const std::size_t rank = ring.layout() != nullptr ? ring.layout()->rank() : 0;
  if (rank >= shape.size()) return bytes / shape[0];
  for (std::size_t d = rank; d + 1 < shape.size(); ++d) bytes *= shape[shape.size() - 1 - d];
  return bytes;
}

bool plan_start(PlanBuilder& builder, const ir::Op& op, ir::Type source, const std::vector<std::int64_t>& start,
                std::uint32_t& out) {
  ByteBases bases;
  if (!find_bases(builder, op, source, bases)) return false;
  if (bases.size() != start.size()) return refuse(builder, op, source, "parts of a ring of buffers");
  out = 0;
  for (std::size_t d = 0; d < start.size(); ++d) out ^= place_at(bases[d], start[d]);
  return true;
}

}  // namespace lockstep::interpreter
