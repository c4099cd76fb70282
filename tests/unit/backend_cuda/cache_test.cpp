// The disk cache: what was kept comes back whole or not at all, whatever happens to the files, and whoever else uses
// the folder. No test needs NVRTC.
#include "backend_cuda/device/cache.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>
#include <vector>

#include "support/sha256.h"

namespace lockstep::backend_cuda {
namespace {

namespace fs = std::filesystem;

class Cache : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::path(testing::TempDir()) / "lockstep_cache_XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    root = name;
  }
  void TearDown() override {
    fs::permissions(root, fs::perms::owner_all);
    fs::remove_all(root);
  }
  KernelCache cache(std::uint64_t limit = KernelCache::kDefaultLimit) const {
    return KernelCache(root / "a" / "lockstep", limit);
  }
  static std::string key(int number) { return sha256_text("key " + std::to_string(number)); }
  static std::string value(int number) {
    std::mt19937 random(static_cast<unsigned>(number));
    std::string bytes(64 + random() % 4000, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    return bytes;
  }
  fs::path file(const std::string& name) const { return root / "a" / "lockstep" / (name + ".kernel"); }
  static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static void write(const fs::path& path, const std::string& bytes) { std::ofstream(path, std::ios::binary) << bytes; }
  static void set_age(const fs::path& path, int minutes) {
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::minutes(minutes));
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(root / "a" / "lockstep")) found.push_back(entry.path().filename());
    return found;
  }

  fs::path root;
};

TEST_F(Cache, WhatWasKeptComesBack) {
  EXPECT_EQ(cache().find(key(1)), std::nullopt);
  const std::string odd("\0binary\n\xff", 9);
  cache().keep(key(1), odd);
  cache().keep(key(2), "");
  EXPECT_EQ(cache().find(key(1)), odd);
  EXPECT_EQ(cache().find(key(2)), "");
  EXPECT_EQ(cache().find(key(3)), std::nullopt);
  cache().keep(key(1), "another");
  EXPECT_EQ(cache().find(key(1)), "another");
  EXPECT_EQ(cache().facts().entries, 2u);
  EXPECT_EQ(names().size(), 2u) << "a temporary was left";
}

TEST_F(Cache, FolderAndFilesAreTheOwnersOnly) {
  cache().keep(key(1), "value");
  struct stat facts{};
  for (const fs::path& folder : {root / "a", root / "a" / "lockstep"}) {
    ASSERT_EQ(stat(folder.c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700u) << folder;
  }
  ASSERT_EQ(stat(file(key(1)).c_str(), &facts), 0);
  EXPECT_EQ(facts.st_mode & 0777, 0600u);
}

TEST_F(Cache, NamesThatAreNoKeysAreRefused) {
  for (const std::string& name : {std::string("../../escape"), std::string(64, 'g'), std::string(), key(1) + "0"}) {
    cache().keep(name, "value");
    EXPECT_EQ(cache().find(name), std::nullopt) << name;
  }
  EXPECT_FALSE(fs::exists(root / "a"));
}

TEST_F(Cache, EveryFlippedBitIsAMiss) {
  const std::string kept = "a small cubin";
  cache().keep(key(1), kept);
  const std::string whole = read(file(key(1)));
  for (std::size_t i = 0; i < 8 * whole.size(); ++i) {
    std::string odd = whole;
    odd[i / 8] = static_cast<char>(odd[i / 8] ^ (1 << (i % 8)));
    write(file(key(1)), odd);
    ASSERT_EQ(cache().find(key(1)), std::nullopt) << "bit " << i;
  }
  cache().keep(key(1), kept);
  EXPECT_EQ(cache().find(key(1)), kept) << "what is odd is replaced";
}

TEST_F(Cache, EveryOtherLengthIsAMiss) {
  cache().keep(key(1), "a small cubin");
  const std::string whole = read(file(key(1)));
  for (std::size_t length = 0; length < whole.size(); ++length) {
    write(file(key(1)), whole.substr(0, length));
    ASSERT_EQ(cache().find(key(1)), std::nullopt) << length << " bytes";
  }
  write(file(key(1)), whole + '\0');
  EXPECT_EQ(cache().find(key(1)), std::nullopt);
}

TEST_F(Cache, AnEntryUnderAnotherNameIsAMiss) {
  cache().keep(key(1), "one");
  fs::copy_file(file(key(1)), file(key(2)));
  EXPECT_EQ(cache().find(key(2)), std::nullopt);
}

TEST_F(Cache, WhatIsNoFileIsAMiss) {
  cache().keep(key(1), "one");
  fs::create_directory(file(key(2)));
  cache().keep(key(2), "two");
  EXPECT_EQ(cache().find(key(2)), std::nullopt);
  ASSERT_EQ(mkfifo(file(key(3)).c_str(), 0600), 0);
  EXPECT_EQ(cache().find(key(3)), std::nullopt) << "and nobody waits for a pipe";
  fs::create_symlink(file(key(1)), file(key(4)));
  EXPECT_EQ(cache().find(key(4)), std::nullopt);
  EXPECT_EQ(cache().facts().entries, 1u);
}

TEST_F(Cache, AFolderThatCannotBeMadeOrWrittenIsNoError) {
  const KernelCache below_a_file(root / "file" / "lockstep", 1000);
  write(root / "file", "");
  below_a_file.keep(key(1), "value");
  EXPECT_EQ(below_a_file.find(key(1)), std::nullopt);
  EXPECT_EQ(below_a_file.facts().entries, 0u);
  EXPECT_EQ(below_a_file.clear().entries, 0u);
  cache().keep(key(1), "value");
  fs::permissions(root / "a" / "lockstep", fs::perms::owner_read | fs::perms::owner_exec);
  cache().keep(key(2), "value");
  EXPECT_EQ(cache().find(key(1)), "value");
  if (geteuid() != 0) {  // root may write everywhere
    EXPECT_EQ(cache().find(key(2)), std::nullopt);
    EXPECT_EQ(cache().clear().entries, 0u);
  }
  fs::permissions(root / "a" / "lockstep", fs::perms::owner_all);
}

// A limit on the size of files fails a write half-way, as a full disk does.
TEST_F(Cache, AFullDiskLeavesNothingBehind) {
  cache().keep(key(1), "value");
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit few_bytes{500, 500};
    setrlimit(RLIMIT_FSIZE, &few_bytes);
    cache().keep(key(1), std::string(10000, 'x'));
    cache().keep(key(2), std::string(10000, 'x'));
    _exit(cache().find(key(2)).has_value() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(cache().find(key(1)), "value");
  EXPECT_EQ(names().size(), 1u);
}

TEST_F(Cache, WhatWasUsedLongestAgoGoesFirst) {
  const std::string bytes(1000, 'x');
  const KernelCache small = cache(4000);
  for (int i = 0; i < 3; ++i) {
    small.keep(key(i), bytes);
    set_age(file(key(i)), 10 * (9 - i));  // 0 is the oldest
  }
  EXPECT_EQ(small.find(key(0)), bytes);  // now 1 is
  small.keep(key(3), bytes);
  EXPECT_EQ(small.facts().entries, 3u);
  EXPECT_EQ(small.find(key(1)), std::nullopt);
  for (const int i : {0, 2, 3}) EXPECT_EQ(small.find(key(i)), bytes) << i;
  small.keep(key(4), std::string(4000, 'y'));
  EXPECT_EQ(small.find(key(4)), std::nullopt) << "larger than all the room";
  EXPECT_EQ(small.facts().entries, 3u);
}

TEST_F(Cache, OnlyItsOwnFilesAreRemoved) {
  cache().keep(key(1), "one");
  const fs::path folder = root / "a" / "lockstep";
  const std::string strange = std::string(63, 'a') + "g.kernel";
  for (const std::string& name : {std::string("notes.txt"), strange, std::string(".kernel-abcdef")}) {
    write(folder / name, "mine");
  }
  write(folder / ".kernel-oldone", "what a process left that was killed");
  set_age(folder / ".kernel-oldone", 120);
  const CacheFacts removed = cache().clear();
  EXPECT_EQ(removed.entries, 1u);
  EXPECT_GT(removed.bytes, 3u);
  EXPECT_FALSE(fs::exists(folder / ".kernel-oldone"));
  EXPECT_EQ(names().size(), 3u);
}

// Processes with two threads each keep, read, corrupt and drop the same keys. A wrong answer ends a process with 1.
TEST_F(Cache, ManyProcessesUseOneFolder) {
  constexpr int kProcesses = 8, kKeys = 12, kRounds = 150;
  const auto work = [&](unsigned seed) {
    std::mt19937 random(seed);
    const KernelCache mine = cache(20000);  // room for about half of the keys
    for (int round = 0; round < kRounds; ++round) {
      const int number = static_cast<int>(random() % kKeys);
      if (const auto found = mine.find(key(number)); found && *found != value(number)) return false;
      mine.keep(key(number), value(number));
      if (round % 50 == 49) mine.clear();
      if (round % 7 == 0) {
        std::error_code error;
        fs::resize_file(file(key(number)), random() % 300, error);
      }
    }
    return true;
  };
  std::vector<pid_t> children;
  for (int process = 0; process < kProcesses; ++process) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      bool is_right = true;
      std::thread other([&] { is_right = work(static_cast<unsigned>(process)); });
      const bool mine_is_right = work(static_cast<unsigned>(100 + process));
      other.join();
      _exit(is_right && mine_is_right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  for (const std::string& name : names()) EXPECT_EQ(name.find(".kernel-"), std::string::npos) << name;
  cache(20000).keep(key(99), "the last one");
  EXPECT_LE(cache().facts().bytes, 20000u);
}

class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  ~Environment() { old_ ? setenv(name_, old_->c_str(), 1) : unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(CacheFolder, FollowsTheEnvironment) {
  const Environment home("HOME", "/home/somebody"), xdg("XDG_CACHE_HOME", nullptr);
  {
    const Environment chosen("LOCKSTEP_CACHE_DIR", "off");
    EXPECT_FALSE(KernelCache::from_environment().has_value());
  }
  {
    const Environment chosen("LOCKSTEP_CACHE_DIR", "/somewhere/else"), bytes("LOCKSTEP_CACHE_BYTES", "12345");
    EXPECT_EQ(KernelCache::from_environment()->folder(), "/somewhere/else");
    EXPECT_EQ(KernelCache::from_environment()->limit(), 12345u);
  }
  const Environment unset("LOCKSTEP_CACHE_DIR", nullptr), no_limit("LOCKSTEP_CACHE_BYTES", nullptr);
  EXPECT_EQ(KernelCache::from_environment()->folder(), "/home/somebody/.cache/lockstep");
  EXPECT_EQ(KernelCache::from_environment()->limit(), std::uint64_t{1} << 30);
  {
    const Environment absolute("XDG_CACHE_HOME", "/var/cache");
    EXPECT_EQ(KernelCache::from_environment()->folder(), "/var/cache/lockstep");
    const Environment relative("XDG_CACHE_HOME", "cache"), odd("LOCKSTEP_CACHE_BYTES", "12 monkeys");
    EXPECT_EQ(KernelCache::from_environment()->folder(), "/home/somebody/.cache/lockstep");
    EXPECT_EQ(KernelCache::from_environment()->limit(), KernelCache::kDefaultLimit);
  }
  const Environment no_home("HOME", nullptr);
  EXPECT_FALSE(KernelCache::from_environment().has_value());
}

}  // namespace
}  // namespace lockstep::backend_cuda
