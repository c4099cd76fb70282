// Source: VerifyTensorLayoutsTrait, VerifyMemDescLayoutsTrait and MemDescType::verify of
// Triton 3.6 and 3.9.
#include "ir/verify/verify_layouts.h"

#include "ir/attribute.h"
#include "ir/layouts/encoding.h"

namespace lockstep::ir {
namespace {

bool is_one_bit(std::int64_t extent) { return extent > 0 && (extent & (extent - 1)) == 0; }

std::string buffer_fault(Type type) {
  const Encoding* layout = type.layout();
  const std::vector<std::int64_t>& shape = type.pointee().shape();
  if (layout == nullptr || (!layout->is_shared() && !layout->is_tensor_memory()))
    return "a buffer needs a layout of shared or tensor memory";
  if (layout->rank() != shape.size() && layout->rank() + 1 != shape.size()) {
    return "its layout has " + std::to_string(layout->rank()) + " dimensions, so it must have as many, or one more, not " +
           std::to_string(shape.size());
  }
  // The dimension before those of the layout counts buffers.
  for (std::size_t i = shape.size() - layout->rank(); i < shape.size(); ++i) {
    if (!is_one_bit(shape[i])) return "its extents must be powers of two";
  }
  return "";
}

std::string tile_fault(Type type) {
  const Encoding* layout = type.layout();
  if (layout == nullptr) return "";
  if (layout->as<OpenEncoding>() != nullptr) return "";
  if (!layout->is_distributed()) return "a tile needs a layout of registers, not of memory";
  if (layout->rank() == type.shape().size()) return "";
  return "its layout has " + std::to_string(layout->rank()) + " dimensions, but the tile has " +
         std::to_string(type.shape().size());
}

}  // namespace

std::string layout_fault(Type type) {
  if (type.is_memdesc()) return buffer_fault(type);
  return type.is_tensor() ? tile_fault(type) : "";
}

}  // namespace lockstep::ir
