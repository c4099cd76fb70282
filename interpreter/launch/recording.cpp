#include "interpreter/launch/recording.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <system_error>
#include <type_traits>

#include "ir/text/printer.h"
#include "support/log.h"

namespace lockstep::interpreter {
namespace {

constexpr std::string_view kMagic = "lockstep launch 1\n";
constexpr std::uint64_t kMaxBytes = std::uint64_t{16} << 20;
constexpr int kMaxLaunchesOfKernel = 16;

/// One order of fields for reading and writing: `archive(field)` for each, in turn.
template <typename Archive, typename Record>
void fields(Archive& archive, Record& launch) {
  archive(launch.text);
  archive(launch.function);
  archive(launch.target);
  for (auto& extent : launch.grid) archive(extent);
  archive(launch.reach);
  archive(launch.asserts_are_errors);
  archive.list(launch.storages, [&](auto& bytes) { archive(bytes); });
  archive.list(launch.views, [&](auto& view) {
    archive(view.storage);
    archive(view.name);
    archive(view.element);
    archive(view.offset_bytes);
    archive(view.shape);
    archive(view.strides);
    archive(view.has_footprint);
    archive(view.is_initialised);
  });
  archive.list(launch.arguments, [&](auto& argument) {
    archive(argument.kind);
    archive(argument.bits);
    archive(argument.view.index);
    archive(argument.pads_nan);
  });
}

class Writer {
 public:
  template <typename T>
  void operator()(const T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      put(static_cast<std::uint64_t>(value));
    } else {
      put(value.size());
      out_.append(reinterpret_cast<const char*>(value.data()), value.size() * sizeof(typename T::value_type));
    }
  }
  template <typename List, typename Each>
  void list(const List& values, Each each) {
    put(values.size());
    for (const auto& value : values) each(value);
  }
  const std::string& out() const { return out_; }

 private:
  void put(std::uint64_t number) {
    char bytes[8];
    std::memcpy(bytes, &number, sizeof bytes);
    out_.append(bytes, sizeof bytes);
  }
  std::string out_{kMagic};
};

/// After missing data, everything read is zero or empty and is_good() is false.
class Reader {
 public:
  explicit Reader(std::string_view in) : in_(in) {
    good_ = in_.substr(0, kMagic.size()) == kMagic;
    if (good_) in_.remove_prefix(kMagic.size());
  }
  bool is_good() const { return good_ && in_.empty(); }

  template <typename T>
  void operator()(T& value) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
      value = static_cast<T>(take());
    } else {
      using Item = typename T::value_type;
      const std::uint64_t count = take();
      if (count > in_.size() / sizeof(Item)) good_ = false;
      if (!good_) return;
      value.resize(count);
      if (count != 0) std::memcpy(value.data(), in_.data(), count * sizeof(Item));
      in_.remove_prefix(count * sizeof(Item));
    }
  }
  template <typename List, typename Each>
  void list(List& values, Each each) {
    for (std::uint64_t left = take(); left > 0 && good_; --left) each(values.emplace_back());
  }

 private:
  std::uint64_t take() {
    std::uint64_t number = 0;
    good_ = good_ && in_.size() >= sizeof number;
    if (!good_) return 0;
    std::memcpy(&number, in_.data(), sizeof number);
    in_.remove_prefix(sizeof number);
    return number;
  }
  std::string_view in_;
  bool good_ = false;
};

std::string hash_name(std::string_view content) {
  std::uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : content) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  char name[32];
  std::snprintf(name, sizeof name, "%016llx.launch", static_cast<unsigned long long>(hash));
  return name;
}

bool is_one_too_many(const std::string& text) {
  static std::mutex guard;
  static std::map<std::string, int> launches;
  const std::lock_guard locked(guard);
  return ++launches[text] > kMaxLaunchesOfKernel;
}

/// Storages in the launch's memory, by their position in the recording; false: they are too large.
bool take_storages(const memory_model::AddressSpace& memory, RecordedLaunch& made,
                   std::map<std::int32_t, std::size_t>& positions) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < memory.storage_count(); ++i) {
    const memory_model::StorageId id{static_cast<std::int32_t>(i)};
    const memory_model::Storage& storage = memory.storage(id);
    if (storage.id != id) continue;
    total += storage.extent.bytes();
    if (total > kMaxBytes) return false;
    positions[id.index] = made.storages.size();
    auto& bytes = made.storages.emplace_back(storage.extent.bytes());
    if (!bytes.empty()) {
      std::memcpy(bytes.data(), reinterpret_cast<const void*>(storage.extent.begin), bytes.size());
    }
  }
  return true;
}

void take_views(const memory_model::AddressSpace& memory, const std::map<std::int32_t, std::size_t>& positions,
                RecordedLaunch& made) {
  for (std::size_t i = 0; i < memory.view_count(); ++i) {
    const memory_model::View& view = memory.view({static_cast<std::int32_t>(i)});
    const memory_model::Storage& storage = memory.storage(view.storage);
    made.views.push_back({positions.at(storage.id.index), view.name, view.element,
                          static_cast<std::int64_t>(view.base - storage.extent.begin), view.shape, view.strides,
                          view.has_footprint, view.is_initialised});
  }
}

void write(const std::string& folder, const std::string& content) {
  const std::filesystem::path path = std::filesystem::path(folder) / hash_name(content);
  std::error_code failure;
  if (std::filesystem::exists(path, failure)) return;
  std::filesystem::create_directories(folder, failure);
  const std::string part = path.string() + "." + std::to_string(getpid());
  std::ofstream file(part, std::ios::binary);
  file << content;
  file.close();
  if (file) std::filesystem::rename(part, path, failure);
  if (!file || failure) log::warn("LOCKSTEP_RECORD: cannot write " + path.string());
}

}  // namespace

const std::string& recording_folder() {
  static const std::string path = [] {
    const char* value = std::getenv("LOCKSTEP_RECORD");
    return std::string(value == nullptr ? "" : value);
  }();
  return path;
}

void record_launch(const std::string& folder, const ir::Module& module, const ir::Op& function,
                   const TargetProfile& profile, const RunRequest& request) {
  RecordedLaunch made;
  made.text = ir::print_module(module);
  made.function = ir::symbol_name(function);
  if (is_one_too_many(made.text + made.function)) return;
  made.target = profile.name();
  made.grid = request.grid;
  made.reach = request.reach;
  made.asserts_are_errors = request.asserts_are_errors;
  made.arguments = request.arguments;
  std::map<std::int32_t, std::size_t> positions;
  if (!take_storages(*request.memory, made, positions)) return;
  take_views(*request.memory, positions, made);
  Writer writer;
  fields(writer, std::as_const(made));
  write(folder, writer.out());
}

std::optional<RecordedLaunch> read_recording(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string content{std::istreambuf_iterator<char>(file), {}};
  Reader reader(content);
  RecordedLaunch made;
  fields(reader, made);
  return reader.is_good() ? std::optional(std::move(made)) : std::nullopt;
}

std::optional<RunRequest> restore(const RecordedLaunch& recorded, memory_model::AddressSpace& memory) {
  std::vector<memory_model::StorageId> storages;
  for (const auto& bytes : recorded.storages) {
    const auto made = memory.allocate("storage" + std::to_string(storages.size()), bytes.size());
    if (!made) return std::nullopt;
    storages.push_back(*made);
    if (!bytes.empty()) {
      std::memcpy(reinterpret_cast<void*>(memory.storage(*made).extent.begin), bytes.data(), bytes.size());
    }
  }
  std::vector<memory_model::ViewId> views;
  for (const RecordedView& view : recorded.views) {
    if (view.storage >= storages.size() || view.element > ScalarKind::pointer) return std::nullopt;
    const memory_model::StorageId storage = storages[view.storage];
    const auto base = memory.storage(storage).extent.begin + static_cast<std::uint64_t>(view.offset_bytes);
    const auto made = view.has_footprint
                          ? memory.add_view_at(storage, view.name, view.element, base, view.shape, view.strides)
                          : memory.add_bare_view(storage, view.name, view.element, base, view.shape, view.strides);
    if (!made) return std::nullopt;
    if (!view.is_initialised) memory.mark_uninitialised(*made);
    views.push_back(*made);
  }
  RunRequest request;
  request.grid = recorded.grid;
  request.reach = recorded.reach;
  request.asserts_are_errors = recorded.asserts_are_errors;
  request.memory = &memory;
  request.arguments = recorded.arguments;
  for (Argument& argument : request.arguments) {
    if (argument.kind == Argument::Kind::scalar) continue;
    const auto position = static_cast<std::size_t>(argument.view.index);
    if (position >= views.size()) return std::nullopt;
    argument.view = views[position];
  }
  return request;
}

}  // namespace lockstep::interpreter
