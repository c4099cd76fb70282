#include "driver/files/manifest.h"

#include <algorithm>
#include <limits>
#include <set>

#include <nlohmann/json.hpp>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {
namespace {

using Tree = nlohmann::json;

constexpr std::size_t kMaxEntries = 4096;         // arguments, storages, sources
constexpr std::size_t kMaxAddresses = 1'000'000;  // of one storage
constexpr std::size_t kMaxDepth = 32, kMaxText = 4096, kMaxFacts = 1000;
constexpr std::uint64_t kMaxStorageBytes = std::uint64_t{1} << 48;
constexpr std::int64_t kMaxExtent = std::int64_t{1} << 48, kVersion = 1;
constexpr std::int64_t kMaxGrid = std::numeric_limits<std::int32_t>::max();

/// Checks that all keys of objects differ, and that nesting is at most kMaxDepth.
class KeyWatch {
 public:
  bool take(int depth, Tree::parse_event_t event, const Tree& parsed) {
    if (static_cast<std::size_t>(depth) > kMaxDepth) is_bad_ = true;
    if (event == Tree::parse_event_t::object_start) seen_.emplace_back();
    if (event == Tree::parse_event_t::object_end && !seen_.empty()) seen_.pop_back();
    if (event == Tree::parse_event_t::key && !seen_.empty() && !seen_.back().insert(parsed.get<std::string>()).second)
      is_bad_ = true;
    return true;
  }
  bool is_bad() const { return is_bad_; }

 private:
  std::vector<std::set<std::string>> seen_;
  bool is_bad_ = false;
};

/// Reads values by key; keeps the first error and returns defaults afterwards.
class JsonReader {
 public:
  bool is_good() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  void fail(const std::string& what) {
    if (problem_.empty()) problem_ = what;
  }

  /// Null: there is none.
  static const Tree* find(const Tree& object, const char* key) {
    if (!object.is_object()) return nullptr;
    const auto found = object.find(key);
    return found == object.end() ? nullptr : &*found;
  }
  const Tree& at(const Tree& object, const char* key) {
    static const Tree kNothing;
    const Tree* found = find(object, key);
    if (found == nullptr) fail(std::string("'") + key + "' is missing");
    return found == nullptr ? kNothing : *found;
  }
  std::string text(const Tree& object, const char* key) {
    const Tree& value = at(object, key);
    if (!value.is_string() || value.get_ref<const std::string&>().size() > kMaxText) {
      fail(std::string("'") + key + "' is not a text of at most 4096 bytes");
      return {};
    }
    return value.get<std::string>();
  }
  std::string optional_text(const Tree& object, const char* key) {
    return find(object, key) == nullptr ? "" : text(object, key);
  }
  bool boolean(const Tree& object, const char* key) {
    const Tree& value = at(object, key);
    if (!value.is_boolean()) fail(std::string("'") + key + "' is not true or false");
    return value.is_boolean() && value.get<bool>();
  }
  std::int64_t number(const Tree& value, const std::string& what, std::int64_t low, std::int64_t high) {
    const bool fits = value.is_number_unsigned() ? value.get<std::uint64_t>() <= static_cast<std::uint64_t>(high)
                                                 : value.is_number_integer();
    const std::int64_t read = fits ? value.get<std::int64_t>() : low;
    if (fits && read >= low && read <= high) return read;
    fail("'" + what + "' is not an integer from " + std::to_string(low) + " to " + std::to_string(high));
    return low;
  }
  std::int64_t integer(const Tree& object, const char* key, std::int64_t low, std::int64_t high) {
    return number(at(object, key), key, low, high);
  }
  std::vector<std::int64_t> integers(const Tree& object, const char* key, std::int64_t low, std::int64_t high,
                                     std::size_t at_most) {
    const Tree& list = array(object, key, at_most);
    std::vector<std::int64_t> numbers;
    for (const Tree& one : list) numbers.push_back(number(one, key, low, high));
    return numbers;
  }
  /// An empty array if there is none.
  const Tree& array(const Tree& object, const char* key, std::size_t at_most) {
    static const Tree kEmpty = Tree::array();
    const Tree& value = at(object, key);
    if (value.is_array() && value.size() <= at_most) return value;
    fail(std::string("'") + key + "' is not a list of at most " + std::to_string(at_most) + " entries");
    return kEmpty;
  }

 private:
  std::string problem_;
};

class ManifestReader {
 public:
  Expected<Manifest, Status> read(const Tree& json) {
    if (!check_format(json)) return Unexpected{status_};
    read_facts(json);
    manifest_.ttir = member(in_.at(json, "ttir"));
    for (const Tree& one : in_.array(json, "storages", kMaxEntries)) read_storage(one);
    for (const Tree& one : in_.array(json, "arguments", kMaxEntries)) read_argument(one);
    for (const Tree& one : in_.array(json, "sources", kMaxEntries)) read_source(one);
    check_addresses();
    check_names();
    if (!in_.is_good()) return Unexpected{Status{"LS2121", "the capsule's manifest: " + in_.problem(), ""}};
    return std::move(manifest_);
  }

 private:
  bool check_format(const Tree& json) {
    const Tree* format = JsonReader::find(json, "format");
    if (format == nullptr || !format->is_string() || format->get<std::string>() != "lockstep-capsule") {
      status_ = {"LS2121", "the manifest is not a capsule's: its format is not \"lockstep-capsule\"", ""};
      return false;
    }
    const std::int64_t version = in_.integer(json, "version", 1, kMaxGrid);
    if (!in_.is_good()) {
      status_ = {"LS2121", "the capsule's manifest: " + in_.problem(), ""};
    } else if (version > kVersion) {
      status_ = {"LS2122",
                 "the capsule has format version " + std::to_string(version) + ", this Lockstep reads up to " +
                     std::to_string(kVersion),
                 "use a newer Lockstep"};
    }
    return status_.code.is_none();
  }

  void read_facts(const Tree& json) {
    manifest_.kernel = in_.text(json, "kernel");
    const std::vector<std::int64_t> grid = in_.integers(json, "grid", 0, kMaxGrid, 3);
    if (grid.size() != 3) in_.fail("'grid' does not have three extents");
    std::copy(grid.begin(), grid.end(), manifest_.grid.begin());
    manifest_.has_outputs = in_.boolean(json, "has_outputs");
    manifest_.recorded_by = in_.optional_text(json, "recorded_by");
    if (const Tree* target = JsonReader::find(json, "target")) {
      manifest_.arch = in_.text(*target, "arch");
      manifest_.num_warps = static_cast<int>(in_.integer(*target, "num_warps", 1, 64));
      manifest_.num_stages = static_cast<int>(in_.integer(*target, "num_stages", 0, 1000));
    }
    if (const Tree* options = JsonReader::find(json, "options")) {
      manifest_.debug = in_.boolean(*options, "debug");
      manifest_.fp_fusion = in_.boolean(*options, "fp_fusion");
    }
    for (const char* group : {"versions", "constants"}) add_facts(json, group);
  }

  void add_facts(const Tree& json, const char* group) {
    const Tree* facts = JsonReader::find(json, group);
    if (facts == nullptr) return;
    if (!facts->is_object() || facts->size() > kMaxFacts) return in_.fail(std::string("'") + group + "' is no object");
    for (const auto& [name, value] : facts->items()) {
      std::string text =
          value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', true, Tree::error_handler_t::replace);
      manifest_.facts.emplace_back(name, text.substr(0, kMaxText));
      if (std::string_view(group) == "constants") manifest_.constants.emplace_back(name, constant(value, text));
    }
  }

  /// A value other than a number, a truth value or null is its text.
  static ConstantValue constant(const Tree& value, const std::string& text) {
    using Kind = ConstantValue::Kind;
    constexpr auto kLargest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    if (value.is_null()) return {};
    if (value.is_boolean()) return {Kind::boolean, value.get<bool>() ? 1 : 0, 0, ""};
    if (value.is_number_float()) return {Kind::floating, 0, value.get<double>(), ""};
    const bool fits =
        value.is_number_integer() && (!value.is_number_unsigned() || value.get<std::uint64_t>() <= kLargest);
    if (fits) return {Kind::integer, value.get<std::int64_t>(), 0, ""};
    return {Kind::string, 0, 0, text.substr(0, kMaxText)};
  }

  ManifestMember member(const Tree& json) {
    ManifestMember one;
    one.file = in_.text(json, "file");
    one.bytes = static_cast<std::uint64_t>(in_.integer(json, "bytes", 0, static_cast<std::int64_t>(kMaxStorageBytes)));
    one.sha256 = in_.text(json, "sha256");
    return one;
  }

  void read_storage(const Tree& json) {
    ManifestStorage storage;
    storage.before = member(in_.at(json, "before"));
    if (const Tree* after = JsonReader::find(json, "after")) {
      storage.after = member(*after);
      if (storage.after->bytes != storage.before.bytes) in_.fail("a storage has another size after the launch");
      if (!manifest_.has_outputs) in_.fail("a storage has outputs and 'has_outputs' is false");
    }
    if (JsonReader::find(json, "unwritten") != nullptr) storage.is_unwritten = in_.boolean(json, "unwritten");
    if (JsonReader::find(json, "addresses") != nullptr) {
      for (const Tree& one : in_.array(json, "addresses", kMaxAddresses)) read_address(one, storage);
    }
    manifest_.storages.push_back(std::move(storage));
  }

  void read_address(const Tree& json, ManifestStorage& storage) {
    if (!json.is_array() || json.size() != 3)
      return in_.fail("an entry of 'addresses' is not [offset, storage, offset]");
    const auto most = static_cast<std::int64_t>(kMaxStorageBytes);
    ManifestAddress one;
    one.offset = static_cast<std::uint64_t>(in_.number(json[0], "addresses", 0, most));
    one.storage = static_cast<std::size_t>(in_.number(json[1], "addresses", 0, kMaxEntries));
    one.target = static_cast<std::uint64_t>(in_.number(json[2], "addresses", 0, most));
    if (storage.before.bytes < 8 || one.offset > storage.before.bytes - 8)
      in_.fail("an entry of 'addresses' lies outside of its storage");
    storage.addresses.push_back(one);
  }

  // Checks all entries at the end, because they may name later storages.
  void check_addresses() {
    for (const ManifestStorage& storage : manifest_.storages) {
      for (const ManifestAddress& one : storage.addresses) {
        if (one.storage >= manifest_.storages.size() || one.target > manifest_.storages[one.storage].before.bytes)
          in_.fail("points nowhere");
      }
    }
  }

  void read_argument(const Tree& json) {
    ManifestArgument one;
    one.name = in_.text(json, "name");
    const std::string kind = in_.text(json, "kind"), type = in_.text(json, "type");
    const auto dtype = find_dtype(type);
    if (!dtype) in_.fail("argument " + printable(one.name) + " has an unknown type '" + printable(type) + "'");
    if (dtype) one.type = *dtype;
    if (kind == "scalar") {
      one.bits = read_bits(json, one.type.kind);
    } else if (kind == "pointer" || kind == "descriptor") {
      one.kind = kind == "pointer" ? ManifestArgument::Kind::pointer : ManifestArgument::Kind::descriptor;
      read_window(json, one);
    } else {
      in_.fail("argument " + printable(one.name) + " is of an unknown kind");
    }
    manifest_.arguments.push_back(std::move(one));
  }

  std::uint64_t read_bits(const Tree& json, ScalarKind kind) {
    const std::string text = in_.text(json, "bits");
    std::uint64_t bits = 0;
    bool is_hex = text.size() > 2 && text.size() <= 18 && text.starts_with("0x");
    for (std::size_t i = 2; is_hex && i < text.size(); ++i) {
      const std::size_t digit = std::string_view("0123456789abcdef").find(text[i]);
      is_hex = digit != std::string_view::npos;
      bits = bits << 4 | (digit & 15);
    }
    const int width = bit_width(kind);
    if (!is_hex || (width < 64 && bits >> width != 0))
      in_.fail("'bits' is not the scalar in hexadecimal digits (0x...)");
    return bits;
  }

  void read_window(const Tree& json, ManifestArgument& one) {
    one.storage = static_cast<std::size_t>(in_.integer(json, "storage", 0, kMaxEntries));
    one.offset =
        static_cast<std::uint64_t>(in_.integer(json, "offset", 0, static_cast<std::int64_t>(kMaxStorageBytes)));
    one.shape = in_.integers(json, "shape", 0, kMaxExtent, kMaxRank);
    one.strides = in_.integers(json, "strides", -kMaxExtent, kMaxExtent, kMaxRank);
    if (one.kind == ManifestArgument::Kind::descriptor) one.pads_nan = in_.text(json, "padding") == "nan";
    if (one.shape.size() != one.strides.size()) in_.fail("a tensor has another number of strides than extents");
    if (one.storage >= manifest_.storages.size() || one.offset > manifest_.storages[one.storage].before.bytes)
      in_.fail("argument " + printable(one.name) + " lies in no storage");
  }

  void read_source(const Tree& json) {
    ManifestSource source;
    source.path = in_.text(json, "path");
    source.first_line = static_cast<std::uint32_t>(in_.integer(json, "first_line", 1, 1 << 24));
    source.text = member(in_.at(json, "text"));
    manifest_.sources.push_back(std::move(source));
  }

  void check_names() {
    std::set<std::string> seen;
    for (const ManifestArgument& one : manifest_.arguments) {
      if (one.name.empty() || !seen.insert(one.name).second || printable(one.name) != one.name)
        in_.fail("an argument's name is empty, used twice, or not plain text");
    }
  }

  static std::string printable(const std::string& name) {
    std::string text;
    for (const char c : name.substr(0, 200)) text += c > ' ' && c <= '~' ? c : '?';
    return text;
  }

  JsonReader in_;
  Manifest manifest_;
  Status status_;
};

}  // namespace

Expected<Manifest, Status> parse_manifest(std::string_view json) {
  KeyWatch watch;
  const auto callback = [&](int depth, Tree::parse_event_t event, Tree& parsed) {
    return watch.take(depth, event, parsed);
  };
  const Tree parsed = Tree::parse(json.begin(), json.end(), callback, false);
  if (parsed.is_discarded() || !parsed.is_object())
    return Unexpected{Status{"LS2121", "the capsule's manifest is not a JSON object", ""}};
  if (watch.is_bad())
    return Unexpected{Status{"LS2121", "the capsule's manifest has a key twice, or is nested too deeply", ""}};
  return ManifestReader().read(parsed);
}

}  // namespace lockstep::driver
