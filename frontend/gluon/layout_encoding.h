// Layouts between Python's objects and the IR's encodings, and the layouts that Triton infers for results. The
// inference takes what a verifier would accept only: callers check shapes and axes first. Source: Triton 3.6,
// gluon_ir.cc (layoutToGluon), Dialect.cpp (inferTransOpEncoding, inferDefaultJoinOpEncoding, ...).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "frontend/semantics/layout.h"
#include "ir/context.h"
#include "ir/layouts/encoding.h"
#include "ir/layouts/encoding_rules.h"

namespace lockstep::frontend {

/// What Triton's verifier finds wrong with it, in the layout itself or in one that it names; nullopt: nothing.
std::optional<ir::EncodingFault> find_layout_fault(ir::Context& context, const Layout& layout);
/// The layout has no fault.
const ir::Encoding* to_encoding(ir::Context& context, const Layout& layout);
/// Of a layout of tensor memory, outside of any context.
ir::Encoding memory_encoding(const Layout& layout);
/// `shape`: of the tensor that has it.
LayoutPtr from_encoding(const ir::Encoding& encoding, const std::vector<std::int64_t>& shape);

// The encoding of a result; null: Triton has none for it. An open encoding stays what it is.
const ir::Encoding* encoding_of_reduction(ir::EncodingTable& table, const ir::Encoding* from, std::uint32_t axis);
/// Null where `from` is no slice along `axis`.
const ir::Encoding* encoding_of_new_axis(ir::EncodingTable& table, const ir::Encoding* from, std::uint32_t axis);
const ir::Encoding* encoding_of_transpose(ir::EncodingTable& table, const ir::Encoding* from,
                                          const std::vector<std::int64_t>& shape, const ir::Extents& order);
const ir::Encoding* encoding_of_join(ir::EncodingTable& table, const ir::Encoding* from,
                                     const std::vector<std::int64_t>& shape);
const ir::Encoding* encoding_of_split(ir::EncodingTable& table, const ir::Encoding* from,
                                      const std::vector<std::int64_t>& shape);
const ir::Encoding* encoding_of_reshape(ir::EncodingTable& table, const ir::Encoding* from,
                                        const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& target);

}  // namespace lockstep::frontend
