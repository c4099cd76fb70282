#include "backend_cuda/device/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <system_error>
#include <utility>
#include <vector>

#include "support/log.h"
#include "support/sha256.h"

namespace lockstep::backend_cuda {
namespace {

namespace fs = std::filesystem;

// An entry: this, the key, the value's length (8 bytes, little endian), its SHA-256, the value.
constexpr std::string_view kMagic = "LSKERN01";
constexpr std::size_t kKey = 64, kLength = 8;
constexpr std::size_t kHeader = kMagic.size() + kKey + kLength + sizeof(Sha256);
constexpr std::string_view kEnding = ".kernel";
constexpr std::string_view kUnfinished = ".kernel-";  // and six letters
constexpr auto kAbandoned = std::chrono::hours(1);

class File {
 public:
  explicit File(int descriptor) : descriptor_(descriptor) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool read(char* to, std::size_t bytes) const {
    while (bytes > 0) {
      const ssize_t done = ::read(descriptor_, to, bytes);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      to += done;
      bytes -= static_cast<std::size_t>(done);
    }
    return true;
  }
  bool write(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(done));
    }
    return true;
  }

 private:
  int descriptor_;
};

bool is_key(std::string_view text) {
  return text.size() == kKey && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

bool is_entry(const std::string& name) {
  return name.size() == kKey + kEnding.size() && is_key(std::string_view(name).substr(0, kKey)) &&
         std::string_view(name).substr(kKey) == kEnding;
}

bool is_unfinished(const std::string& name) {
  return name.size() == kUnfinished.size() + 6 && name.rfind(kUnfinished, 0) == 0;
}

std::string header_of(std::string_view key, std::string_view value) {
  std::string header(kMagic);
  header += key;
  for (std::size_t i = 0; i < kLength; ++i) {
    header += static_cast<char>(static_cast<std::uint64_t>(value.size()) >> (8 * i) & 255);
  }
  for (const std::uint8_t byte : sha256(value)) header += static_cast<char>(byte);
  return header;
}

// Every missing folder on the way is for its owner only, as the XDG rules ask.
bool make_folder(const fs::path& folder) {
  std::error_code error;
  if (fs::is_directory(folder, error)) return true;
  const fs::path parent = folder.parent_path();
  if (!parent.empty() && parent != folder && !make_folder(parent)) return false;
  return mkdir(folder.c_str(), 0700) == 0 || errno == EEXIST;
}

struct Entry {
  fs::path path;
  std::string key;
  fs::file_time_type used;
  std::uint64_t bytes = 0;
};

// Other processes remove files meanwhile: a missing file does not count.
std::vector<Entry> entries_of(const fs::path& folder) {
  std::vector<Entry> entries;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    std::error_code gone;
    if (!is_entry(name) && !is_unfinished(name)) continue;
    if (!fs::is_regular_file(it->symlink_status(gone)) || gone) continue;
    Entry entry{it->path(), name.substr(0, kKey), fs::last_write_time(it->path(), gone), 0};
    if (gone) continue;
    if (is_unfinished(name)) {
      if (fs::file_time_type::clock::now() - entry.used > kAbandoned) fs::remove(entry.path, gone);
      continue;
    }
    entry.bytes = fs::file_size(entry.path, gone);
    if (!gone) entries.push_back(std::move(entry));
  }
  return entries;
}

std::uint64_t bytes_of(const std::vector<Entry>& entries) {
  std::uint64_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.bytes;
  return bytes;
}

std::optional<fs::path> folder_by_environment() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  const std::string chosen = variable("LOCKSTEP_CACHE_DIR");
  if (chosen == "off") return std::nullopt;
  if (!chosen.empty()) return fs::path(chosen);
  const fs::path xdg = variable("XDG_CACHE_HOME");
  if (xdg.is_absolute()) return xdg / "lockstep";  // a relative one is to be ignored, says its specification
  const std::string home = variable("HOME");
  return home.empty() ? std::nullopt : std::optional(fs::path(home) / ".cache" / "lockstep");
}

std::uint64_t limit_by_environment() {
  const char* text = std::getenv("LOCKSTEP_CACHE_BYTES");
  if (text == nullptr || *text == '\0') return KernelCache::kDefaultLimit;
  std::uint64_t limit = 0;
  const char* end = text + std::strlen(text);
  const auto read = std::from_chars(text, end, limit);
  if (read.ec == std::errc() && read.ptr == end) return limit;
  log::warn("LOCKSTEP_CACHE_BYTES='" + std::string(text) + "' is not a number of bytes; the limit is 1 GiB");
  return KernelCache::kDefaultLimit;
}

}  // namespace

std::optional<KernelCache> KernelCache::from_environment() {
  const std::optional<fs::path> folder = folder_by_environment();
  if (!folder) return std::nullopt;
  return KernelCache(*folder, limit_by_environment());
}

fs::path KernelCache::file_of(std::string_view key) const {
  return folder_ / (std::string(key) + std::string(kEnding));
}

std::optional<std::string> KernelCache::find(std::string_view key) const {
  if (!is_key(key)) return std::nullopt;
  const File file(open(file_of(key).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  struct stat facts{};
  if (!file.is_open() || fstat(file.descriptor(), &facts) != 0 || !S_ISREG(facts.st_mode)) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(facts.st_size);
  if (size < kHeader || size > std::max(limit_, kDefaultLimit)) return std::nullopt;
  std::string header(kHeader, '\0');
  std::string value(size - kHeader, '\0');
  if (!file.read(header.data(), header.size()) || !file.read(value.data(), value.size())) return std::nullopt;
  if (header != header_of(key, value)) return std::nullopt;
  futimens(file.descriptor(), nullptr);  // where that is forbidden, age counts from writing
  return value;
}

void KernelCache::keep(std::string_view key, std::string_view value) const {
  if (!is_key(key) || value.size() > limit_ || limit_ - value.size() < kHeader) return;
  if (!make_folder(folder_)) return;
  std::string name = (folder_ / kUnfinished).string() + "XXXXXX";
  bool is_whole = false;
  {
    const File file(mkostemp(name.data(), O_CLOEXEC));
    if (!file.is_open()) return;
    is_whole = file.write(header_of(key, value)) && file.write(value);
  }
  std::error_code error;
  const fs::path target = file_of(key);
  // A folder with the target's name blocks the rename: it is not ours, and stays.
  if (is_whole) fs::rename(name, target, error);
  if (!is_whole || error) {
    fs::remove(name, error);
    return;
  }
  make_room(key);
}

void KernelCache::make_room(std::string_view newest) const {
  std::vector<Entry> entries = entries_of(folder_);
  std::uint64_t bytes = bytes_of(entries);
  if (bytes <= limit_) return;
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return std::pair(a.used, a.key) < std::pair(b.used, b.key); });
  for (const Entry& entry : entries) {
    if (bytes <= limit_) return;
    if (entry.key == newest) continue;
    std::error_code error;
    fs::remove(entry.path, error);  // if another process was first, it is gone all the same
    if (!error) bytes -= entry.bytes;
  }
}

CacheFacts KernelCache::facts() const {
  const std::vector<Entry> entries = entries_of(folder_);
  return {entries.size(), bytes_of(entries)};
}

CacheFacts KernelCache::clear() const {
  CacheFacts removed;
  for (const Entry& entry : entries_of(folder_)) {
    std::error_code error;
    if (!fs::remove(entry.path, error) || error) continue;
    ++removed.entries;
    removed.bytes += entry.bytes;
  }
  return removed;
}

}  // namespace lockstep::backend_cuda
