#include "support/source_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

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
  EXPECT_EQ(missing.error().code.spelling(), "LS3001");
  const auto folder = SourceFile::read("/");
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code.spelling(), "LS3001");
}

TEST(SourceFile, WhatCouldBlockOrNeverEndIsRefused) {
  const std::string pipe = testing::TempDir() + "lockstep_source_file_pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const std::string& path : {std::string("/dev/zero"), std::string("/dev/stdin"), pipe}) {
    const auto file = SourceFile::read(path);
    ASSERT_FALSE(file.has_value()) << path;
    EXPECT_EQ(file.error().code.spelling(), "LS3001");
  }
  std::remove(pipe.c_str());
}

TEST(SourceFile, TooLargeFileIsRefused) {
  const std::string path = testing::TempDir() + "lockstep_source_file_large";
  std::ofstream(path, std::ios::binary) << "x";
  ASSERT_EQ(truncate(path.c_str(), (64 << 20) + 1), 0);
  const auto file = SourceFile::read(path);
  ASSERT_FALSE(file.has_value());
  EXPECT_EQ(file.error().code.spelling(), "LS3002");
  std::remove(path.c_str());
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
