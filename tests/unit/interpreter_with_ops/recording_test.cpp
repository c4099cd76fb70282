// A recorded launch, read back and made again, does what the first one did.
#include "interpreter/launch/recording.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "dialects/registry.h"
#include "launch_fixture.h"

namespace lockstep::interpreter {
namespace {

const char* const kBody = R"(    %i = tt.make_range {end = 4 : i32, start = 0 : i32} : tensor<4xi32>
    %s = tt.splat %n : i32 -> tensor<4xi32>
    %p = tt.splat %x : !tt.ptr<i32> -> tensor<4x!tt.ptr<i32>>
    %q = tt.addptr %p, %i : tensor<4x!tt.ptr<i32>>, tensor<4xi32>
    %v = tt.load %q : tensor<4x!tt.ptr<i32>>
    %w = arith.addi %v, %s : tensor<4xi32>
    tt.store %q, %w : tensor<4x!tt.ptr<i32>>
)";

struct Folder {
  std::filesystem::path path;
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "lockstep-recording-XXXXXX").string();
    path = mkdtemp(name.data()) == nullptr ? "" : name;
  }
  ~Folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(path)) found.push_back(entry.path());
    return found;
  }
};

std::string read(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// The launch of kBody on a window of a tensor, recorded.
std::filesystem::path record(Harness& harness, const Folder& folder) {
  const std::size_t x = harness.tensor<std::int32_t>({9, 8, 7, 6, 5, 4});
  (void)x;
  harness.scalar(100);
  const auto request = harness.request({2, 1, 1}, 1);
  const auto function = harness.module().kernels().at(0);
  record_launch(folder.path.string(), harness.module(), *function, {}, request);
  record_launch(folder.path.string(), harness.module(), *function, {}, request);
  const auto files = folder.files();
  EXPECT_EQ(files.size(), 1u) << "equal launches are one file";
  return files.empty() ? "" : files.front();
}

TEST(Recording, a_launch_can_be_made_again) {
  const Folder folder;
  Harness harness(kernel("%x: !tt.ptr<i32>, %n: i32", kBody));
  const auto file = record(harness, folder);
  const auto recorded = read_recording(file.string());
  ASSERT_TRUE(recorded);
  EXPECT_EQ(recorded->function, "k");
  EXPECT_EQ(recorded->target, "sm_90");
  EXPECT_EQ(recorded->grid, (std::array<std::int64_t, 3>{2, 1, 1}));
  memory_model::AddressSpace memory;
  const auto request = restore(*recorded, memory);
  ASSERT_TRUE(request);
  const auto file_of_text = std::make_shared<SourceFile>("again.ttir", recorded->text);
  DiagnosticSink sink;
  const auto module = ir::parse_module(dialects::registry(), file_of_text, sink);
  ASSERT_TRUE(module);
  const auto prepared = PreparedKernel::make(*module, *module->kernels().at(0), {}, sink);
  ASSERT_NE(prepared, nullptr);
  const auto report = prepared->launch(*request, sink);
  ASSERT_TRUE(report);
  std::array<std::int32_t, 6> after{};
  std::memcpy(after.data(), reinterpret_cast<const void*>(memory.view({0}).base), sizeof after);
  EXPECT_EQ(after, (std::array<std::int32_t, 6>{209, 208, 207, 206, 5, 4}));
}

TEST(Recording, what_is_cut_or_changed_is_no_recording_or_harmless) {
  const Folder folder;
  Harness harness(kernel("%x: !tt.ptr<i32>, %n: i32", kBody));
  const std::string good = read(record(harness, folder));
  ASSERT_GT(good.size(), 100u);
  const std::string path = (folder.path / "broken").string();
  for (std::size_t length = 0; length < good.size(); ++length) {
    std::ofstream(path, std::ios::binary) << good.substr(0, length);
    EXPECT_FALSE(read_recording(path)) << length;
  }
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0xFF);
    std::ofstream(path, std::ios::binary) << changed;
    const auto recorded = read_recording(path);
    if (!recorded) continue;
    memory_model::AddressSpace memory;
    (void)restore(*recorded, memory);
    EXPECT_TRUE(memory.red_zones_intact()) << at;
  }
  EXPECT_FALSE(read_recording((folder.path / "missing").string()));
}

}  // namespace
}  // namespace lockstep::interpreter
