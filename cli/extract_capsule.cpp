// `lockstep replay --extract`: writes a capsule as plain files and the command line that runs them. File names come
// from an argument's letters and digits, never from the capsule's member names.
#include <cstdio>
#include <filesystem>

#include "cli/listings/capsule_listing.h"
#include "driver/files/save.h"
#include "driver/launch/outputs.h"
#include "support/float_formats.h"

namespace lockstep::cli {
namespace {

namespace fs = std::filesystem;
using driver::ManifestArgument;

std::string plain(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    text += is_plain ? c : '_';
  }
  return text.substr(0, 80);
}

std::string shape_text(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += (text.empty() ? "" : ",") + std::to_string(number);
  return "[" + text + "]";
}

class Extraction {
 public:
  Extraction(const driver::PreparedLaunch& session, fs::path folder)
      : session_(session), capsule_(*session.capsule()), manifest_(capsule_.manifest()), folder_(std::move(folder)) {}

  Expected<std::string, Status> write() {
    make_folders();
    write_member("kernel.ttir", manifest_.ttir);
    for (std::size_t i = 0; i < manifest_.sources.size(); ++i) {
      const std::string stem = plain(fs::path(manifest_.sources[i].path).stem().string());
      write_member("source/" + std::to_string(i) + "-" + stem + ".py", manifest_.sources[i].text);
    }
    for (std::size_t i = 0; i < manifest_.storages.size(); ++i) write_storage(i);
    if (manifest_.has_outputs) write_outputs();
    put("command", command());
    if (problem_) return Unexpected{*problem_};
    return folder_.string() + ": " + std::to_string(files_) + " files\n" + command();
  }

 private:
  void make_folders() {
    std::error_code error;
    for (const char* name : {"", "source", "after"}) fs::create_directories(folder_ / name, error);
    if (error) fail({"LS2110", "cannot make the folder '" + folder_.string() + "': " + error.message(), ""});
  }

  void fail(const Status& status) {
    if (!problem_) problem_ = status;
  }

  void put(const std::string& name, const std::string& content) {
    if (problem_) return;
    const auto written = driver::write_text((folder_ / name).string(), content);
    if (!written) return fail(written.error());
    ++files_;
  }

  void write_member(const std::string& name, const driver::ManifestMember& member) {
    if (problem_) return;
    const auto content = capsule_.content(member);
    if (!content) return fail(content.error());
    put(name, *content);
  }

  /// The type that all tensors of a storage share at whole elements; null: they do not, or there is none.
  const driver::DtypeName* shared_type(std::size_t storage) const {
    const driver::DtypeName* type = nullptr;
    for (const ManifestArgument& one : manifest_.arguments) {
      if (one.kind == ManifestArgument::Kind::scalar || one.storage != storage) continue;
      if (type != nullptr && type->kind != one.type.kind) return nullptr;
      if (one.offset % static_cast<std::uint64_t>(size_bytes(one.type.kind)) != 0) return nullptr;
      type = &one.type;
    }
    return type;
  }

  /// A storage as one row of elements, of bytes where its tensors have several types.
  void write_storage(std::size_t number) {
    if (problem_) return;
    const driver::DtypeName* type = shared_type(number);
    auto content = capsule_.content(manifest_.storages[number].before);
    if (!content) return fail(content.error());
    driver::Array array;
    array.element = type == nullptr ? ScalarKind::i8 : type->kind;
    array.is_unsigned = type == nullptr || type->is_unsigned;
    const auto size = static_cast<std::size_t>(size_bytes(array.element));
    array.shape = {static_cast<std::int64_t>(content->size() / size)};
    const auto* data = reinterpret_cast<const std::byte*>(content->data());
    array.data.assign(data, data + content->size() / size * size);
    save("storage" + std::to_string(number) + ".npy", array);
  }

  void write_outputs() {
    if (problem_) return;
    const auto outputs = driver::recorded_outputs(capsule_, session_.tensors(), session_.memory());
    if (!outputs) return fail(outputs.error());
    std::size_t next = 0;
    for (const ManifestArgument& one : manifest_.arguments) {
      if (one.kind == ManifestArgument::Kind::scalar) continue;
      const std::string& bytes = (*outputs)[next++];
      driver::Array array{one.type.kind, one.type.is_unsigned, one.shape, {}};
      const auto* data = reinterpret_cast<const std::byte*>(bytes.data());
      array.data.assign(data, data + bytes.size());
      save("after/" + std::to_string(next) + "-" + plain(one.name) + ".npy", array);
    }
  }

  void save(const std::string& name, const driver::Array& array) {
    const auto written = driver::write_npy((folder_ / name).string(), array);
    if (!written) return fail(written.error());
    ++files_;
  }

  /// A command line cannot express several types in a storage, addresses and outputs.
  std::string command() const {
    for (std::size_t i = 0; i < manifest_.storages.size(); ++i) {
      if (shared_type(i) == nullptr || !manifest_.storages[i].addresses.empty())
        return "# storage " + std::to_string(i) +
               " has tensors of several types, or addresses: run the capsule itself\n";
    }
    std::string text = "lockstep run kernel.ttir --grid '" + std::to_string(manifest_.grid[0]) + ", " +
                       std::to_string(manifest_.grid[1]) + ", " + std::to_string(manifest_.grid[2]) + "' --as " +
                       session_.options().target_gpu;
    for (std::size_t i = 0; i < manifest_.storages.size(); ++i) text += " " + storage_text(i);
    const std::vector<driver::TtirParameter> parameters = session_.ttir_parameters();
    for (std::size_t i = 0; i < manifest_.arguments.size(); ++i)
      text += " " + argument_text(manifest_.arguments[i], parameters[i].name);
    return text + "\n";
  }

  std::string storage_text(std::size_t number) const {
    const std::string name = "storage" + std::to_string(number);
    const ScalarKind kind = shared_type(number)->kind;
    return name + "=@" + name + ".npy:" + std::string(spelling(kind));
  }

  static std::string argument_text(const ManifestArgument& one, const std::string& name) {
    const std::string type(spelling(one.type.kind));
    if (one.kind == ManifestArgument::Kind::scalar) return name + "=" + scalar_text(one) + ":" + type;
    const auto offset = one.offset / static_cast<std::uint64_t>(size_bytes(one.type.kind));
    return "'" + name + "=" + (one.kind == ManifestArgument::Kind::descriptor ? "desc" : "view") + "(storage" +
           std::to_string(one.storage) + ", offset=" + std::to_string(offset) + ", shape=" + shape_text(one.shape) +
           ", strides=" + shape_text(one.strides) + (one.pads_nan ? ", padding=nan" : "") + ")'";
  }

  static std::string scalar_text(const ManifestArgument& one) {
    if (one.type.kind == ScalarKind::i1) return one.bits == 0 ? "false" : "true";
    if (!is_float(one.type.kind)) {
      const int unused = 64 - bit_width(one.type.kind);
      return std::to_string(static_cast<std::int64_t>(one.bits << unused) >> unused);
    }
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", decode_float(one.type.kind, one.bits));
    return text;
  }

  const driver::PreparedLaunch& session_;
  const driver::Capsule& capsule_;
  const driver::Manifest& manifest_;
  fs::path folder_;
  std::optional<Status> problem_;
  std::size_t files_ = 0;
};

}  // namespace

Expected<std::string, Status> extract_capsule(const driver::PreparedLaunch& session, const std::string& folder) {
  return Extraction(session, folder).write();
}

}  // namespace lockstep::cli
