// Shared by the tests of ir/: parse a text, print a module, show where two texts differ.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "ir/text/parser.h"
#include "ir/text/printer.h"
#include "ir/verify/verifier.h"

namespace lockstep::ir::testing {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

inline std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder, const std::string& extension) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == extension) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

inline std::optional<Module> parse(const std::string& text, DiagnosticSink& sink,
                                   const std::string& name = "test.ttir") {
  return parse_module(dialects::registry(), std::make_shared<SourceFile>(name, text), sink);
}

/// Parses text that must be right.
inline Module parse_good(const std::string& text) {
  DiagnosticSink sink;
  std::optional<Module> module = parse(text, sink);
  if (!module) {
    ADD_FAILURE() << render_text(sink) << "\nin\n" << text;
    return Module(dialects::registry());
  }
  return std::move(*module);
}

/// The first line that differs, with both texts.
inline std::string difference(const std::string& expected, const std::string& actual) {
  std::istringstream a(expected);
  std::istringstream b(actual);
  std::string line_a;
  std::string line_b;
  for (int line = 1;; ++line) {
    const bool has_a = static_cast<bool>(std::getline(a, line_a));
    const bool has_b = static_cast<bool>(std::getline(b, line_b));
    if (!has_a && !has_b) return expected == actual ? "" : "the texts differ in their last newline";
    if (has_a != has_b || line_a != line_b) {
      return "line " + std::to_string(line) + "\n  expected: " + (has_a ? line_a : "<end>") +
             "\n  actual:   " + (has_b ? line_b : "<end>");
    }
  }
}

/// A function around some ops, with a few arguments to use.
inline std::string in_function(const std::string& body) {
  return "module {\n  tt.func public @f(%arg0: !tt.ptr<f32>, %arg1: i32, %arg2: f32, %arg3: i1) {\n" + body +
         "    tt.return\n  }\n}\n";
}

}  // namespace lockstep::ir::testing
