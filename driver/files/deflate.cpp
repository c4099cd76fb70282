#include "driver/files/deflate.h"

#include <zlib.h>

#include "support/check.h"

namespace lockstep::driver {

std::string deflate(std::string_view bytes) {
  uLongf size = compressBound(static_cast<uLong>(bytes.size()));
  std::string packed(size, '\0');
  const int result = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()), 9);
  LOCKSTEP_CHECK(result == Z_OK, "zlib packs what lies in memory");
  packed.resize(size);
  return packed;
}

}  // namespace lockstep::driver
