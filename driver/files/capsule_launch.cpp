// From a capsule to memory and bound parameters.
#include <algorithm>
#include <cstring>

#include "driver/files/capsule.h"
#include "driver/files/save.h"
#include "support/diagnostics/report_status.h"

namespace lockstep::driver {
namespace {

using memory_model::AddressSpace;
using memory_model::StorageId;

std::byte* to_bytes(memory_model::Address address) {
  return reinterpret_cast<std::byte*>(address);  // NOLINT: storages of our own
}

/// Words of `content` that were addresses in the recording, and did not change there, become the addresses here.
void relocate(const ManifestStorage& storage, const std::string& recorded, std::string& content,
              const std::vector<std::uint64_t>& begins) {
  for (const ManifestAddress& one : storage.addresses) {
    if (std::memcmp(content.data() + one.offset, recorded.data() + one.offset, 8) != 0) continue;
    const std::uint64_t address = begins[one.storage] + one.target;
    std::memcpy(content.data() + one.offset, &address, sizeof address);
  }
}

class Maker {
 public:
  Maker(const Capsule& capsule, AddressSpace& memory, DiagnosticSink& sink)
      : capsule_(capsule), manifest_(capsule.manifest()), memory_(memory), sink_(sink) {}

  std::optional<std::vector<Tensor>> make() {
    if (!allocate() || !fill()) return std::nullopt;
    std::vector<Tensor> tensors;
    for (const ManifestArgument& one : manifest_.arguments) {
      if (one.kind == ManifestArgument::Kind::scalar) continue;
      auto tensor = lay(one);
      if (!tensor) return std::nullopt;
      tensors.push_back(std::move(*tensor));
    }
    return tensors;
  }

 private:
  bool fail(const Status& status) {
    report_status(sink_, status);
    return false;
  }

  bool allocate() {
    for (const ManifestStorage& storage : manifest_.storages) {
      auto id = memory_.allocate("", storage.before.bytes);
      if (!id) return fail(id.error());
      ids_.push_back(*id);
      begins_.push_back(memory_.storage(*id).extent.begin);
    }
    return true;
  }

  bool fill() {
    for (std::size_t i = 0; i < ids_.size(); ++i) {
      auto content = capsule_.content(manifest_.storages[i].before);
      if (!content) return fail(content.error());
      const std::string recorded = manifest_.storages[i].addresses.empty() ? "" : *content;
      relocate(manifest_.storages[i], recorded, *content, begins_);
      if (!content->empty()) std::memcpy(to_bytes(begins_[i]), content->data(), content->size());
    }
    return true;
  }

  // A view of few bytes may have any number of elements, by strides of 0.
  bool has_sane_size(const ManifestArgument& one) {
    constexpr std::int64_t kSlack = std::int64_t{1} << 30;
    const auto storage = static_cast<std::int64_t>(manifest_.storages[one.storage].before.bytes);
    std::int64_t left = (4 * storage + kSlack) / size_bytes(one.type.kind);
    for (const std::int64_t extent : one.shape) left = extent == 0 ? left : left / extent;
    return left > 0 || fail({"LS2012", "the capsule's argument " + one.name + " has far more elements than its storage",
                             "lay a kernel's strides of 0 in the kernel"});
  }

  std::optional<Tensor> lay(const ManifestArgument& one) {
    if (!has_sane_size(one)) return std::nullopt;
    auto view = memory_.add_view_at(ids_[one.storage], one.name, one.type.kind, begins_[one.storage] + one.offset,
                                    one.shape, one.strides);
    if (!view) {
      fail(view.error());
      return std::nullopt;
    }
    if (manifest_.storages[one.storage].is_unwritten) memory_.mark_uninitialised(*view);
    Tensor tensor;
    tensor.name = one.name;
    tensor.view = *view;
    tensor.allocated_by = "the capsule";
    tensor.is_unsigned = one.type.is_unsigned;
    tensor.is_descriptor = one.kind == ManifestArgument::Kind::descriptor;
    tensor.pads_nan = one.pads_nan;
    return tensor;
  }

  const Capsule& capsule_;
  const Manifest& manifest_;
  AddressSpace& memory_;
  DiagnosticSink& sink_;
  std::vector<StorageId> ids_;
  std::vector<std::uint64_t> begins_;
};

/// Whether an argument fits that parameter.
bool fits(const ManifestArgument& argument, const TtirParameter& parameter) {
  const std::string element(spelling(argument.type.kind));
  switch (argument.kind) {
    case ManifestArgument::Kind::scalar: return !parameter.is_descriptor && parameter.type == element;
    case ManifestArgument::Kind::pointer:
      return parameter.type.starts_with("!tt.ptr<" + element + ">") ||
             parameter.type.starts_with("!tt.ptr<" + element + ",") ||
             (element == "i64" && parameter.type.starts_with("!tt.ptr<!tt.ptr<"));
    case ManifestArgument::Kind::descriptor:
      return parameter.is_descriptor && parameter.element == argument.type.kind &&
             parameter.block.size() == argument.shape.size();
  }
  return false;
}

}  // namespace

std::optional<std::vector<Tensor>> make_capsule_tensors(const Capsule& capsule, AddressSpace& memory,
                                                        DiagnosticSink& sink) {
  return Maker(capsule, memory, sink).make();
}

std::optional<std::vector<BoundParameter>> bind_capsule(const Capsule& capsule,
                                                        std::span<const TtirParameter> parameters,
                                                        const std::vector<Tensor>& tensors, const AddressSpace& memory,
                                                        DiagnosticSink& sink) {
  const std::vector<ManifestArgument>& arguments = capsule.manifest().arguments;
  if (arguments.size() != parameters.size()) {
    report_status(sink, {"LS2123",
                         "the capsule has " + std::to_string(arguments.size()) + " arguments, its kernel has " +
                             std::to_string(parameters.size()) + " parameters",
                         ""});
    return std::nullopt;
  }
  std::vector<BoundParameter> bound;
  std::size_t next = 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const ManifestArgument& argument = arguments[i];
    if (!fits(argument, parameters[i])) {
      report_status(sink, {"LS2123",
                           "the capsule's argument " + argument.name + " (" + argument.type.short_name +
                               ") does not fit the kernel's parameter of type " + parameters[i].type,
                           ""});
      return std::nullopt;
    }
    BoundParameter one;
    one.name = argument.name;
    one.type = parameters[i].type;
    one.bits = argument.bits;
    one.is_pointer = argument.kind == ManifestArgument::Kind::pointer;
    one.is_descriptor = argument.kind == ManifestArgument::Kind::descriptor;
    one.pads_nan = argument.pads_nan;
    if (argument.kind != ManifestArgument::Kind::scalar) {
      one.view = tensors[next++].view;
      one.bits = memory.view(one.view).base;
    }
    bound.push_back(std::move(one));
  }
  return bound;
}

Expected<std::vector<std::string>, Status> recorded_outputs(const Capsule& capsule, const std::vector<Tensor>& tensors,
                                                            const AddressSpace& memory) {
  const Manifest& manifest = capsule.manifest();
  std::vector<std::uint64_t> begins;
  std::vector<std::string> contents;
  for (std::size_t i = 0; i < manifest.storages.size(); ++i)
    begins.push_back(memory.storage({static_cast<std::int32_t>(i)}).extent.begin);
  for (const ManifestStorage& storage : manifest.storages) {
    const auto before = capsule.content(storage.before);
    auto after = storage.after ? capsule.content(*storage.after) : before;
    if (!before || !after) return Unexpected{before ? after.error() : before.error()};
    relocate(storage, *before, *after, begins);
    contents.push_back(std::move(*after));
  }
  std::vector<std::string> outputs;
  std::size_t next = 0;
  for (const ManifestArgument& one : manifest.arguments) {
    if (one.kind == ManifestArgument::Kind::scalar) continue;
    // The same window on the recorded bytes instead of the memory.
    memory_model::View view = memory.view(tensors[next++].view);
    const auto here = reinterpret_cast<std::uint64_t>(contents[one.storage].data());  // NOLINT
    const std::uint64_t begin = view.base - one.offset;
    view.extent = {view.extent.begin - begin + here, view.extent.end - begin + here};
    view.base = here + one.offset;
    const auto array = gather(view, one.type.is_unsigned, 0);
    if (!array) return Unexpected{array.error()};
    outputs.emplace_back(reinterpret_cast<const char*>(array->data.data()), array->data.size());
  }
  return outputs;
}

}  // namespace lockstep::driver
