// Empties: memory from torch.empty and its relatives without a known write, and where each tensor's memory was made, as
// reported by the package (lockstep.pretend.uninitialised). Invariant: memory counts as unwritten only while every sign
// agrees: it is noted, its bytes look unchanged, and the tensor's version is 0. Used under the interpreter's lock.
#pragma once

#include <Python.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>

namespace lockstep::python {

class Empties {
 public:
  static Empties& instance();

  /// [address, address + bytes) was just allocated, and is unwritten.
  void note(std::uint64_t address, std::uint64_t bytes);
  void forget(std::uint64_t address) { known_.erase(address); }
  /// Memory from here on was allocated, empty or not, by the program's line `site` ("FILE:LINE").
  void note_site(std::uint64_t address, std::string site) { sites_[address] = std::move(site); }
  void forget_site(std::uint64_t address) { sites_.erase(address); }
  bool is_empty() const { return known_.empty(); }
  /// The tensor's storage [begin, end) is unwritten memory. Forgets memory that turns out to be written.
  bool is_unwritten(PyObject* tensor, std::uint64_t begin, std::uint64_t end);
  /// "" without a note.
  std::string site_of(std::uint64_t begin) const;

 private:
  struct Known {
    std::uint64_t bytes = 0, fingerprint = 0;
  };
  std::unordered_map<std::uint64_t, Known> known_;
  std::unordered_map<std::uint64_t, std::string> sites_;
};

}  // namespace lockstep::python
