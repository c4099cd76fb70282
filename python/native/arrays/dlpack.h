// The parts of DLPack's binary interface that Lockstep reads: the tensor, both managed forms and the exchange table of
// a type (`__dlpack_c_exchange_api__`). Own declarations of the ABI fixed by DLPack 1.x (dmlc/dlpack,
// include/dlpack.h); nothing of it is linked. Not here: making such tensors.
#pragma once

#include <cstdint>

namespace lockstep::python::dlpack {

struct Version {
  std::uint32_t major, minor;
};
struct Device {
  std::int32_t type, id;
};
inline constexpr std::int32_t kCpu = 1, kCudaHost = 3, kRocmHost = 11;

inline constexpr std::uint8_t kUInt = 1;  // a type code

struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct Tensor {
  void* data;
  Device device;
  std::int32_t rank;
  DataType type;
  std::int64_t* shape;
  std::int64_t* strides;  // elements; null: row-major (before 1.2)
  std::uint64_t byte_offset;
};

/// In a capsule named "dltensor".
struct Managed {
  Tensor tensor;
  void* context;
  void (*deleter)(Managed*);
};

/// In a capsule named "dltensor_versioned".
struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  Tensor tensor;
};
inline constexpr std::uint64_t kReadOnly = 1;

/// In a capsule named "dlpack_exchange_api".
struct ExchangeApi {
  Version version;
  ExchangeApi* previous;
  int (*allocate)(Tensor*, ManagedVersioned**, void*, void (*)(void*, const char*, const char*));
  int (*managed_from_object)(void*, ManagedVersioned**);
  int (*object_from_managed)(ManagedVersioned*, void**);
  int (*tensor_from_object)(void*, Tensor*);  // borrows; may be null
  int (*current_stream)(std::int32_t, std::int32_t, void**);
};

}  // namespace lockstep::python::dlpack
