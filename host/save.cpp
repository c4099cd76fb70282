#include "host/save.h"

#include <cstring>

namespace lockstep::host {
namespace {

using memory_model::View;

bool is_row_major(const View& view) {
  std::int64_t expected = 1;
  for (std::size_t d = view.shape.size(); d-- > 0;) {
    if (view.shape[d] > 1 && view.strides[d] != expected) return false;
    expected *= view.shape[d];
  }
  return true;
}

// An odometer over C order that keeps the element's offset from the base.
void gather_strided(const View& view, std::byte* out, std::int64_t count) {
  const auto size = static_cast<std::int64_t>(size_bytes(view.element));
  const auto* base = reinterpret_cast<const std::byte*>(view.base);  // NOLINT(performance-no-int-to-ptr)
  std::vector<std::int64_t> index(view.shape.size(), 0);
  std::int64_t slot = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(out + i * size, base + slot * size, static_cast<std::size_t>(size));
    for (std::size_t d = view.shape.size(); d-- > 0;) {
      slot += view.strides[d];
      if (++index[d] < view.shape[d]) break;
      slot -= view.strides[d] * index[d];
      index[d] = 0;
    }
  }
}

std::string shape_text(const std::vector<std::int64_t>& shape) {
  std::string text = "[";
  for (std::size_t d = 0; d < shape.size(); ++d) text += (d == 0 ? "" : ",") + std::to_string(shape[d]);
  return text + "]";
}

bool types_agree(const Array& array, ScalarKind wanted) {
  if (array.element == wanted) return true;
  const bool is_in_numpy =
      is_integer(wanted) || wanted == ScalarKind::f16 || wanted == ScalarKind::f32 || wanted == ScalarKind::f64;
  return !is_in_numpy && array.is_unsigned && size_bytes(array.element) == size_bytes(wanted);
}

}  // namespace

Expected<Array, Status> gather(const View& view, bool is_unsigned, std::uint64_t max_bytes) {
  const auto count = static_cast<std::uint64_t>(view.element_count());
  const auto size = static_cast<std::uint64_t>(size_bytes(view.element));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || (max_bytes != 0 && bytes > max_bytes)) {
    return Unexpected{Status{"LS2111",
                             "'" + view.name + "' has too many elements to be taken out: " + std::to_string(count),
                             "raise --max-memory"}};
  }
  Array array;
  array.element = view.element;
  array.is_unsigned = is_unsigned;
  array.shape = view.shape;
  array.data.resize(bytes);
  if (bytes == 0) return array;
  if (is_row_major(view)) {
    const auto* base = reinterpret_cast<const std::byte*>(view.base);  // NOLINT(performance-no-int-to-ptr)
    std::memcpy(array.data.data(), base, bytes);
  } else {
    gather_strided(view, array.data.data(), view.element_count());
  }
  return array;
}

Expected<Array, Status> read_expected(const std::string& path, const std::string& key, const View& view,
                                      std::uint64_t max_bytes) {
  auto array = path.ends_with(".npz") ? read_npz(path, key, max_bytes) : read_npy(path, max_bytes);
  if (!array) return array;
  if (!types_agree(*array, view.element)) {
    return Unexpected{Status{"LS2112",
                             path + " holds " + std::string(spelling(array->element)) + ", '" + view.name + "' holds " +
                                 std::string(spelling(view.element)),
                             "save the reference in the same type (bf16 and f8 as unsigned integers of their bits)"}};
  }
  if (array->shape != view.shape) {
    return Unexpected{Status{
        "LS2112",
        path + " has shape " + shape_text(array->shape) + ", '" + view.name + "' has shape " + shape_text(view.shape),
        "save the reference with the tensor's shape"}};
  }
  array->element = view.element;
  return array;
}

}  // namespace lockstep::host
