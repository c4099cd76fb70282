// Binding: the values of one launch become the engine's arguments: arrays are registered in an address space (those
// that overlap are one storage), numbers become bits, descriptors are split. Invariant: `alive` or the caller's
// arguments keep references to everything that the launch may touch. Errors are Python exceptions that name the
// argument.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "interpreter/launch/launch.h"
#include "memory_model/view.h"
#include "python/native/arrays/array.h"
#include "python/native/parameters.h"

namespace lockstep::python {

class Binding {
 public:
  Binding(const std::vector<Parameter>& parameters, interpreter::Reach reach);
  ~Binding();
  Binding(const Binding&) = delete;
  Binding& operator=(const Binding&) = delete;

  /// Takes the values for `specs` in order. False: a Python exception is set.
  bool take(const std::vector<ArgumentSpec>& specs, PyObject* const* values);
  /// Registers all arrays, and everything in Options::all_storages if the kernel follows addresses or an argument is a
  /// bare address. False: a Python exception is set.
  bool finish(bool needs_all_storages);

  std::vector<interpreter::Argument> arguments;
  memory_model::AddressSpace memory;
  /// Per IR parameter: an array that must not be written. For read-only arrays.
  bool is_read_only(std::size_t parameter) const;
  /// The memory of all read-only arrays.
  std::vector<memory_model::Extent> read_only_memory() const;
  /// The name of the argument that fills an IR parameter.
  std::string name_of(std::size_t parameter) const;
  /// After a launch: memory of `torch.empty` that the kernel may have written counts as written from now on.
  void note_written(const std::vector<bool>& may_write);
  /// The origin of this argument's memory: "'x' was made, empty, at FILE:LINE"; "" if unknown.
  std::string made_at(const std::string& argument) const;

 private:
  struct Window {
    std::size_t parameter = 0;
    const ArgumentSpec* spec = nullptr;
    Array array;
    memory_model::StorageId storage;
    bool is_unwritten = false;  // Empties
  };

  /// The windows of this thread's last launch: launches are many and small, so their memory is kept.
  static std::vector<Window>& spare_windows();
  bool take_one(const ArgumentSpec& spec, PyObject* value);
  bool take_tuple(const ArgumentSpec& spec, PyObject* value);
  bool take_pointer(const ArgumentSpec& spec, PyObject* value);
  bool take_descriptor(const ArgumentSpec& spec, PyObject* value);
  bool read_descriptor(const ArgumentSpec& spec, PyObject* value);
  bool take_array_as_descriptor(const ArgumentSpec& spec, PyObject* value);
  void set_scalar(std::size_t parameter, std::uint64_t bits) { arguments[parameter].bits = bits; }
  bool register_other_storages();
  void settle_bare(Window& window);
  bool add_view(Window& window);

  const std::vector<Parameter>& parameters_;
  interpreter::Reach reach_;
  std::vector<Window> windows_;
  KeepAlive alive_;
};

}  // namespace lockstep::python
