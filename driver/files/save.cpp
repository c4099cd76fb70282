#include "driver/files/save.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "driver/files/npy_header.h"
#include "memory_model/touched.h"

namespace lockstep::driver {
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

// An odometer over C order with the element's offset from the base.
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

/// A file that is written in pieces, with holes between them.
class PieceFile {
 public:
  explicit PieceFile(const std::string& path)
      : descriptor_(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)) {}
  ~PieceFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  PieceFile(const PieceFile&) = delete;
  PieceFile& operator=(const PieceFile&) = delete;
  bool is_open() const { return descriptor_ >= 0; }

  /// False: errno says why.
  bool write(const void* from, std::uint64_t bytes, std::uint64_t offset) {
    const auto* next = static_cast<const char*>(from);
    while (bytes != 0) {
      const ssize_t put = pwrite(descriptor_, next, bytes, static_cast<off_t>(offset));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return false;
      next += put;
      offset += static_cast<std::uint64_t>(put);
      bytes -= static_cast<std::uint64_t>(put);
    }
    return true;
  }
  bool finish(std::uint64_t bytes) {
    const bool is_done = ftruncate(descriptor_, static_cast<off_t>(bytes)) == 0;
    return close(std::exchange(descriptor_, -1)) == 0 && is_done;
  }

 private:
  int descriptor_;
};

Expected<void, Status> cannot_write(const std::string& path, int reason) {
  return Unexpected{
      Status{"LS2110", "cannot write '" + path + "': " + std::strerror(reason), "check the folder and the free space"}};
}

bool write_rows(PieceFile& file, const memory_model::AddressSpace& memory, const View& view, bool is_unsigned) {
  const std::string header = make_npy_header(view.element, is_unsigned, view.shape);
  const auto bytes = static_cast<std::uint64_t>(view.element_count() * size_bytes(view.element));
  const memory_model::Extent extent{view.base, view.base + bytes};
  std::optional<std::vector<memory_model::Extent>> ranges;
  if (memory.storage(view.storage).is_owned) ranges = memory_model::touched_ranges(extent);
  if (!ranges) ranges.emplace({extent});
  if (!file.write(header.data(), header.size(), 0)) return false;
  for (const memory_model::Extent& range : *ranges) {
    const auto* from = reinterpret_cast<const void*>(range.begin);  // NOLINT(performance-no-int-to-ptr)
    if (!file.write(from, range.bytes(), header.size() + (range.begin - extent.begin))) return false;
  }
  return file.finish(header.size() + bytes);
}

}  // namespace

Expected<void, Status> save_npy(const std::string& path, const memory_model::AddressSpace& memory,
                                          const View& view, bool is_unsigned) {
  std::error_code ignored;
  const bool is_special = std::filesystem::exists(path, ignored) && !std::filesystem::is_regular_file(path, ignored);
  if (is_special || !is_row_major(view)) {
    const auto array = gather(view, is_unsigned, 0);
    return array ? write_npy(path, *array) : Expected<void, Status>{Unexpected{array.error()}};
  }
  PieceFile file(path);
  if (!file.is_open() || !write_rows(file, memory, view, is_unsigned)) return cannot_write(path, errno);
  return {};
}

Expected<Array, Status> gather(const View& view, bool is_unsigned, std::uint64_t max_bytes) {
  const auto count = static_cast<std::uint64_t>(view.element_count());
  const auto size = static_cast<std::uint64_t>(size_bytes(view.element));
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(count, size, &bytes) || (max_bytes != 0 && bytes > max_bytes)) {
    return Unexpected{Status{"LS2111",
                             "'" + view.name + "' has too many elements to extract: " + std::to_string(count),
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

}  // namespace lockstep::driver
