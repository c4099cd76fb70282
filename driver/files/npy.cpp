#include "driver/files/npy.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "driver/arguments/failure.h"
#include "driver/files/file.h"
#include "driver/files/npy_header.h"

namespace lockstep::driver {
namespace {

void reverse_elements(std::vector<std::byte>& data, std::size_t size) {
  for (auto it = data.begin(); it != data.end(); it += static_cast<std::ptrdiff_t>(size)) {
    std::reverse(it, it + static_cast<std::ptrdiff_t>(size));
  }
}

// The file's first index moves fastest; an odometer walks C order and keeps the matching source offset.
std::vector<std::byte> to_c_order(const std::vector<std::byte>& source, const std::vector<std::int64_t>& shape,
                                  std::size_t size) {
  std::vector<std::byte> result(source.size());
  std::vector<std::size_t> step(shape.size()), index(shape.size(), 0);
  std::size_t stride = size;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    step[d] = stride;
    stride *= static_cast<std::size_t>(shape[d]);
  }
  std::size_t from = 0;
  for (std::size_t to = 0; to < result.size(); to += size) {
    std::memcpy(result.data() + to, source.data() + from, size);
    for (std::size_t d = shape.size(); d-- > 0;) {
      from += step[d];
      if (++index[d] < static_cast<std::size_t>(shape[d])) break;
      from -= step[d] * index[d];
      index[d] = 0;
    }
  }
  return result;
}

}  // namespace

std::unique_ptr<const PlainNpy> PlainNpy::open(const std::string& path, std::uint64_t max_bytes) {
  constexpr std::size_t kHeaderAllowance = std::size_t{128} << 10;
  std::unique_ptr<PlainNpy> file(new PlainNpy(path, ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
  struct stat facts{};
  if (file->descriptor_ < 0 || fstat(file->descriptor_, &facts) != 0 || !S_ISREG(facts.st_mode)) return nullptr;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  std::string head(std::min<std::uint64_t>(size, kHeaderAllowance), '\0');
  if (pread(file->descriptor_, head.data(), head.size(), 0) != static_cast<ssize_t>(head.size())) return nullptr;
  const auto header = parse_npy_header(head);
  if (!header || header->is_big_endian || header->is_fortran_order) return nullptr;
  if (size - header->data_offset != header->data_bytes || (max_bytes != 0 && header->data_bytes > max_bytes))
    return nullptr;
  file->header_ = *header;
  return file;
}

PlainNpy::~PlainNpy() {
  if (descriptor_ >= 0) close(descriptor_);
}

Expected<void, Status> PlainNpy::read_into(std::byte* to) const {
  std::uint64_t offset = header_.data_offset, left = header_.data_bytes;
  while (left != 0) {
    const ssize_t got = pread(descriptor_, to, left, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0)
      return fail("LS2101", "cannot read '" + path_ + "': " + (got < 0 ? std::strerror(errno) : "it ended"));
    to += got;
    offset += static_cast<std::uint64_t>(got);
    left -= static_cast<std::uint64_t>(got);
  }
  return {};
}

Expected<Array, Status> parse_npy(std::string_view bytes, std::uint64_t max_bytes) {
  const auto header = parse_npy_header(bytes);
  if (!header) return Unexpected{header.error()};
  const std::size_t present = bytes.size() - header->data_offset;
  if (present != header->data_bytes) {
    return fail("LS2106", "the .npy file holds " + std::to_string(present) + " bytes of data, but its header promises " +
                              std::to_string(header->data_bytes));
  }
  if (max_bytes != 0 && present > max_bytes) {
    return fail(
        "LS2107",
        "the array needs " + std::to_string(present) + " bytes, more than the limit of " + std::to_string(max_bytes),
        "raise --max-memory");
  }
  Array array;
  array.element = header->element;
  array.is_unsigned = header->is_unsigned;
  array.shape = header->shape;
  array.data.resize(present);
  if (present != 0) std::memcpy(array.data.data(), bytes.data() + header->data_offset, present);
  const auto size = static_cast<std::size_t>(size_bytes(array.element));
  if (header->is_big_endian && size > 1) reverse_elements(array.data, size);
  if (header->is_fortran_order && array.shape.size() > 1) array.data = to_c_order(array.data, array.shape, size);
  return array;
}

Expected<Array, Status> read_npy(const std::string& path, std::uint64_t max_bytes) {
  const auto bytes = read_file(path, max_bytes);
  if (!bytes) return Unexpected{bytes.error()};
  return name_file(parse_npy(*bytes, max_bytes), path);
}

Expected<Array, Status> read_npz(const std::string& path, const std::string& key, std::uint64_t max_bytes) {
  const auto bytes = read_file(path, max_bytes);
  if (!bytes) return Unexpected{bytes.error()};
  return name_file(parse_npz(*bytes, key, max_bytes), path);
}

Expected<void, Status> write_npy(const std::string& path, const Array& array) {
  return write_file(path, make_npy_header(array.element, array.is_unsigned, array.shape),
                    {reinterpret_cast<const char*>(array.data.data()), array.data.size()});
}

}  // namespace lockstep::driver
