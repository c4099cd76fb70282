#include "support/source_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace lockstep {
namespace {

TEST(SourceFile, PositionsAreOneBasedBytes) {
  const SourceFile file("f", "ab\n\ncd\r\ne");
  EXPECT_EQ(file.line_count(), 4U);
  EXPECT_EQ(file.position(0).line, 1U);
  EXPECT_EQ(file.position(0).column, 1U);
  EXPECT_EQ(file.position(2).column, 3U);
  EXPECT_EQ(file.position(3).line, 2U);
  EXPECT_EQ(file.position(5).line, 3U);
  EXPECT_EQ(file.position(5).column, 2U);
  EXPECT_EQ(file.position(4000000000U).line, 4U);
  EXPECT_EQ(file.line_text(3), "cd");
  EXPECT_EQ(file.line_text(4), "e");
  EXPECT_EQ(file.line_text(5), "");
  EXPECT_EQ(file.line_text(0), "");
  EXPECT_EQ(file.line_start(3), 4U);
}

TEST(SourceFile, EmptyTextHasOneLine) {
  const SourceFile file("f", "");
  EXPECT_EQ(file.line_count(), 1U);
  EXPECT_EQ(file.position(0).line, 1U);
  EXPECT_EQ(file.line_text(1), "");
}

TEST(SourceFile, MissingFileAndFolderAreErrors) {
  const auto missing = SourceFile::read("/nonexistent/file.py");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, "LS3001");
  const auto folder = SourceFile::read("/");
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, "LS3001");
}

TEST(SourceFile, EndlessFileIsRefused) {
  const auto endless = SourceFile::read("/dev/zero");
  ASSERT_FALSE(endless.has_value());
  EXPECT_EQ(endless.error().code, "LS3002");
}

TEST(SourceFile, ReadsAnyBytes) {
  const std::string path = testing::TempDir() + "lockstep_source_file_test";
  const std::string bytes("a\0\xFF\n", 4);
  std::ofstream(path, std::ios::binary) << bytes;
  const auto file = SourceFile::read(path);
  ASSERT_TRUE(file.has_value());
  EXPECT_EQ((*file)->text(), bytes);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace lockstep
