#include "python/native/arrays/empties.h"

#include <algorithm>
#include <cstring>

#include "python/native/names.h"
#include "python/native/reference.h"

namespace lockstep::python {
namespace {

constexpr std::uint64_t kSamples = 4096;  // words of the memory that a fingerprint looks at

/// Of the memory's words, at equal distances if there are many.
std::uint64_t fingerprint_of(std::uint64_t address, std::uint64_t bytes) {
  const auto* memory = reinterpret_cast<const char*>(address);  // NOLINT(performance-no-int-to-ptr)
  const std::uint64_t words = bytes / sizeof(std::uint64_t), step = std::max<std::uint64_t>(words / kSamples, 1);
  std::uint64_t hash = bytes;
  const auto mix = [&](const char* from, std::size_t size) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, size);
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (std::uint64_t i = 0; i < words; i += step) mix(memory + i * sizeof(std::uint64_t), sizeof(std::uint64_t));
  mix(memory + words * sizeof(std::uint64_t), bytes % sizeof(std::uint64_t));
  return hash;
}

/// 0 if no op of torch has written to it. -1: it has no version.
long version_of(PyObject* tensor) {
  const Reference version(PyObject_GetAttr(tensor, names().version));
  const long number = version ? PyLong_AsLong(version.get()) : -1;
  if (PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  return -1;
}

}  // namespace

Empties& Empties::instance() {
  static auto* made = new Empties;  // tensors may end after the interpreter's modules
  return *made;
}

void Empties::note(std::uint64_t address, std::uint64_t bytes) {
  if (bytes != 0) known_[address] = {bytes, fingerprint_of(address, bytes)};
}

bool Empties::is_unwritten(PyObject* tensor, std::uint64_t begin, std::uint64_t end) {
  const auto found = known_.find(begin);
  if (found == known_.end() || found->second.bytes != end - begin) return false;
  if (version_of(tensor) == 0 && fingerprint_of(begin, end - begin) == found->second.fingerprint) return true;
  known_.erase(found);
  return false;
}

std::string Empties::site_of(std::uint64_t begin) const {
  const auto found = sites_.find(begin);
  return found == sites_.end() ? "" : found->second;
}

}  // namespace lockstep::python
