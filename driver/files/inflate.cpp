#include "driver/files/inflate.h"

#ifndef LOCKSTEP_NO_ZLIB
#include <zlib.h>

#include <algorithm>
#endif

namespace lockstep::driver {

#ifdef LOCKSTEP_NO_ZLIB

std::uint32_t crc32(std::string_view bytes) { return portable::crc32(bytes); }
std::optional<std::string> inflate(std::string_view packed, std::uint64_t size) {
  return portable::inflate(packed, size);
}

#else

std::uint32_t crc32(std::string_view bytes) {
  return static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::optional<std::string> inflate(std::string_view packed, std::uint64_t size) {
  std::string out(size, '\0');
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) return std::nullopt;
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 30;  // zlib counts in 32 bits
  std::uint64_t in_done = 0, out_done = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    const std::uint64_t in_now = std::min(kChunk, packed.size() - in_done),
                        out_now = std::min(kChunk, out.size() - out_done);
    stream.next_in =
        reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + in_done));  // NOLINT: zlib's old interface
    stream.avail_in = static_cast<uInt>(in_now);
    stream.next_out = reinterpret_cast<Bytef*>(out.data() + out_done);
    stream.avail_out = static_cast<uInt>(out_now);
    state = ::inflate(&stream, Z_NO_FLUSH);
    in_done += in_now - stream.avail_in;
    out_done += out_now - stream.avail_out;
  }
  inflateEnd(&stream);
  if (state != Z_STREAM_END || out_done != size) return std::nullopt;
  return out;
}

#endif

}  // namespace lockstep::driver
