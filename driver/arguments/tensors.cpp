// From specifications to memory: allocates, fills or loads every tensor, then makes the views of their bases.
#include <algorithm>
#include <cstring>
#include <set>

#include "driver/arguments/arguments.h"
#include "driver/arguments/fill.h"
#include "driver/files/npy.h"
#include "driver/words/report_argument.h"

namespace lockstep::driver {
namespace {

using memory_model::AddressSpace;
using memory_model::View;
using memory_model::ViewId;

std::vector<std::int64_t> row_major_strides(const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * std::max<std::int64_t>(shape[d], 1);
  return strides;
}

std::int64_t count_of(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

/// A file's elements: still in the file, or read.
struct Loaded {
  std::unique_ptr<const PlainNpy> file;
  Array array;
};

class TensorMaker {
 public:
  TensorMaker(const std::vector<ArgumentText>& arguments, std::uint64_t seed, const TensorLimits& limits,
              AddressSpace& memory, DiagnosticSink& sink)
      : arguments_(arguments), seed_(seed), limits_(limits), memory_(memory), sink_(sink), made_(arguments.size()) {}

  std::optional<std::vector<Tensor>> make();

 private:
  bool names_are_unique();
  bool make_storage(std::size_t position);
  bool load_file(const ArgumentText& argument, TensorSpec& spec, Loaded& loaded);
  bool take_type(const ArgumentText& argument, TensorSpec& spec, ScalarKind element, bool is_unsigned);
  bool make_views();
  bool write_addresses();
  bool make_view(std::size_t position, const Tensor& base);
  const Tensor* find_made(const std::string& name) const;
  bool reserve(const ArgumentText& argument, std::uint64_t bytes, bool is_filled);
  /// The rest of the limit for one file; 0: no limit.
  std::uint64_t left_for_files() const;
  bool refuse_size(const ArgumentText& argument, std::uint64_t limit);
  bool add(std::size_t position, memory_model::StorageId storage, const TensorSpec& spec, std::int64_t offset);
  bool fail(const ArgumentText& argument, DiagnosticCode code, std::string message, std::string hint = "") {
    report_argument(argument, code, std::move(message), std::move(hint), sink_);
    return false;
  }
  const TensorSpec* spec_of(std::size_t position) const { return std::get_if<TensorSpec>(&arguments_[position].value); }

  const std::vector<ArgumentText>& arguments_;
  std::uint64_t seed_, used_bytes_ = 0, filled_bytes_ = 0;
  TensorLimits limits_;
  AddressSpace& memory_;
  DiagnosticSink& sink_;
  std::vector<std::optional<Tensor>> made_;
};

bool TensorMaker::names_are_unique() {
  std::set<std::string> seen;
  bool unique = true;
  for (const ArgumentText& argument : arguments_) {
    if (seen.insert(argument.name).second) continue;
    unique = fail(argument, "LS2014", "'" + argument.name + "' is given twice", "remove one of the two");
  }
  return unique;
}

bool TensorMaker::refuse_size(const ArgumentText& argument, std::uint64_t limit) {
  return fail(argument, "LS2012", "the tensors need more than the limit of " + std::to_string(limit) + " bytes",
              "use smaller tensors or raise --max-memory");
}

bool TensorMaker::reserve(const ArgumentText& argument, std::uint64_t bytes, bool is_filled) {
  if (limits_.all != 0 && bytes > limits_.all - used_bytes_) return refuse_size(argument, limits_.all);
  used_bytes_ += bytes;
  if (!is_filled) return true;
  if (limits_.filled != 0 && bytes > limits_.filled - filled_bytes_) return refuse_size(argument, limits_.filled);
  filled_bytes_ += bytes;
  return true;
}

std::uint64_t TensorMaker::left_for_files() const {
  std::uint64_t left = limits_.all == 0 ? 0 : std::max<std::uint64_t>(1, limits_.all - used_bytes_);
  if (limits_.filled == 0) return left;
  const std::uint64_t unfilled = std::max<std::uint64_t>(1, limits_.filled - filled_bytes_);
  return left == 0 ? unfilled : std::min(left, unfilled);
}

bool is_filled(const TensorSpec& spec) {
  return spec.kind != TensorSpec::Kind::zeros && spec.kind != TensorSpec::Kind::empty;
}

// On success spec has the file's type and shape.
bool TensorMaker::load_file(const ArgumentText& argument, TensorSpec& spec, Loaded& loaded) {
  const std::uint64_t left = left_for_files();
  const bool is_npz = spec.path.ends_with(".npz");
  if (!is_npz) loaded.file = PlainNpy::open(spec.path, left);
  if (loaded.file != nullptr) {
    spec.shape = loaded.file->header().shape;
    return take_type(argument, spec, loaded.file->header().element, loaded.file->header().is_unsigned);
  }
  auto read = is_npz ? read_npz(spec.path, spec.key, left) : read_npy(spec.path, left);
  if (!read) return fail(argument, read.error().code, read.error().message, read.error().hint);
  loaded.array = std::move(*read);
  spec.shape = loaded.array.shape;
  return take_type(argument, spec, loaded.array.element, loaded.array.is_unsigned);
}

bool TensorMaker::take_type(const ArgumentText& argument, TensorSpec& spec, ScalarKind element, bool is_unsigned) {
  if (spec.shape.size() > kMaxRank) return fail(argument, "LS2007", "the array has more than 16 dimensions");
  if (!spec.read_as) {
    spec.element = element;
    spec.is_unsigned = is_unsigned;
    return true;
  }
  spec.element = *spec.read_as;
  if (size_bytes(spec.element) == size_bytes(element)) return true;
  return fail(argument, "LS2008",
              "the file's elements have " + std::to_string(size_bytes(element)) + " bytes, " +
                  std::string(spelling(spec.element)) + " has " + std::to_string(size_bytes(spec.element)),
              "only the bits are read as another type; no value is converted");
}

bool TensorMaker::make_storage(std::size_t position) {
  const ArgumentText& argument = arguments_[position];
  TensorSpec spec = *spec_of(position);
  Loaded loaded;
  if (spec.kind == TensorSpec::Kind::file && !load_file(argument, spec, loaded)) return false;
  const std::int64_t count = count_of(spec.shape);
  const std::uint64_t bytes = static_cast<std::uint64_t>(count) * static_cast<std::uint64_t>(size_bytes(spec.element));
  if (!reserve(argument, bytes, is_filled(spec))) return false;
  const auto storage = memory_.allocate(argument.name, bytes);
  if (!storage) return fail(argument, storage.error().code, storage.error().message, storage.error().hint);
  auto* data =
      reinterpret_cast<std::byte*>(memory_.storage(*storage).extent.begin);  // NOLINT(performance-no-int-to-ptr)
  if (loaded.file != nullptr) {
    const auto read = loaded.file->read_into(data);
    if (!read) return fail(argument, read.error().code, read.error().message, read.error().hint);
  }
  if (!loaded.array.data.empty()) std::memcpy(data, loaded.array.data.data(), loaded.array.data.size());
  fill(spec, argument.name, seed_, data, count);
  spec.strides = row_major_strides(spec.shape);
  return add(position, *storage, spec, 0);
}

bool TensorMaker::add(std::size_t position, memory_model::StorageId storage, const TensorSpec& spec,
                      std::int64_t offset) {
  const ArgumentText& argument = arguments_[position];
  const auto view = memory_.add_view(storage, argument.name, spec.element, offset, spec.shape, spec.strides);
  if (!view) return fail(argument, view.error().code, view.error().message, view.error().hint);
  if (spec.kind == TensorSpec::Kind::empty) memory_.mark_uninitialised(*view);
  made_[position] =
      Tensor{argument.name, *view, argument.text, spec.is_unsigned, spec.is_descriptor, spec.pads_nan, spec.block};
  return true;
}

const Tensor* TensorMaker::find_made(const std::string& name) const {
  for (const std::optional<Tensor>& tensor : made_) {
    if (tensor && tensor->name == name) return &*tensor;
  }
  return nullptr;
}

bool TensorMaker::make_view(std::size_t position, const Tensor& base_tensor) {
  const View& base = memory_.view(base_tensor.view);
  const ArgumentText& argument = arguments_[position];
  TensorSpec spec = *spec_of(position);
  spec.element = base.element;
  spec.is_unsigned = base_tensor.is_unsigned;
  if (!spec.has_shape) {
    if (spec.offset != 0 && (base.shape.size() != 1 || spec.offset < 0 || spec.offset > base.shape[0])) {
      return fail(argument, "LS2009", "a view with this offset needs a shape", "add shape=[...]");
    }
    spec.shape = base.shape;
    spec.strides = base.strides;
    if (spec.offset != 0) {
      spec.shape[0] -= spec.offset;
      spec.offset *= base.strides[0];  // the offset drops elements of the base: x[1:]
    }
  } else if (!spec.has_strides) {
    spec.strides = row_major_strides(spec.shape);
  }
  const memory_model::Storage& storage = memory_.storage(base.storage);
  const auto base_offset = static_cast<std::int64_t>(base.base - storage.extent.begin) / size_bytes(base.element);
  std::int64_t offset = 0;
  if (__builtin_add_overflow(base_offset, spec.offset, &offset))
    return fail(argument, "LS2010", "the offset is out of range");
  if (!base.is_initialised) spec.kind = TensorSpec::Kind::empty;
  return add(position, storage.id, spec, offset);
}

// A view may come before its base and may have a view as its base: repeats until nothing is left or nothing moves.
bool TensorMaker::make_views() {
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
      if (made_[i] || spec_of(i) == nullptr) continue;
      const Tensor* base = find_made(spec_of(i)->base);
      if (base == nullptr) continue;
      if (!make_view(i, *base)) return false;
      moved = true;
    }
  }
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    if (made_[i] || spec_of(i) == nullptr) continue;
    const std::string& base = spec_of(i)->base;
    const auto exists = [&](const ArgumentText& a) { return a.name == base && a.is_tensor(); };
    const bool is_cycle = std::any_of(arguments_.begin(), arguments_.end(), exists);
    return fail(arguments_[i], "LS2009",
                is_cycle ? "the views of '" + base + "' go in a circle" : "there is no tensor '" + base + "' to view",
                is_cycle ? "one of them must be a tensor of its own"
                         : "give " + base + "=zeros:f32[64] or another tensor as well");
  }
  return true;
}

// addresses(...): after every tensor has an address.
bool TensorMaker::write_addresses() {
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const TensorSpec* spec = spec_of(i);
    if (spec == nullptr || spec->kind != TensorSpec::Kind::addresses) continue;
    auto* out =
        reinterpret_cast<std::uint64_t*>(memory_.view(made_[i]->view).base);  // NOLINT(performance-no-int-to-ptr)
    for (const std::string& name : spec->names) {
      const Tensor* tensor = find_made(name);
      if (tensor == nullptr) {
        return fail(arguments_[i], "LS2016", "there is no tensor '" + name + "' to take the address of",
                    "give " + name + "=zeros:f32[64] or another tensor as well");
      }
      *out++ = memory_.view(tensor->view).base;
    }
  }
  return true;
}

std::optional<std::vector<Tensor>> TensorMaker::make() {
  if (!names_are_unique()) return std::nullopt;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    const TensorSpec* spec = spec_of(i);
    if (spec == nullptr || spec->kind == TensorSpec::Kind::view) continue;
    if (!make_storage(i)) return std::nullopt;
  }
  if (!make_views() || !write_addresses()) return std::nullopt;
  std::vector<Tensor> tensors;
  for (std::optional<Tensor>& tensor : made_) {
    if (tensor) tensors.push_back(std::move(*tensor));
  }
  return tensors;
}

}  // namespace

std::optional<std::vector<Tensor>> make_tensors(const std::vector<ArgumentText>& arguments, std::uint64_t seed,
                                                const TensorLimits& limits, AddressSpace& memory,
                                                DiagnosticSink& sink) {
  return TensorMaker(arguments, seed, limits, memory, sink).make();
}

}  // namespace lockstep::driver
