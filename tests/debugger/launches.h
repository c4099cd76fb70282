// Launches of the command line as tests of the debugger make them, without running the command.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "driver/launch/prepared_launch.h"
#include "driver/options/launch_words.h"
#include "interpreter/access/storage_copy.h"

namespace lockstep::tests {

/// Words of a line as a shell would split it.
inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> words;
  std::string word;
  bool is_quoted = false, is_word = false;
  for (const char c : line) {
    if (c == '"' || c == '\'') {
      is_quoted = !is_quoted;
      is_word = true;
    } else if (c == ' ' && !is_quoted) {
      if (is_word) words.push_back(word);
      word.clear();
      is_word = false;
    } else {
      word += c;
      is_word = true;
    }
  }
  if (is_word) words.push_back(word);
  return words;
}

inline std::vector<std::vector<std::string>> launches_of(const std::filesystem::path& file) {
  std::vector<std::vector<std::string>> launches;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const auto at = line.find("args: run ");
    if (at == std::string::npos || at > 3) break;
    std::vector<std::string> words{"lockstep"};
    for (std::string word : split(line.substr(at + 6))) {
      for (const auto& [from, to] :
           {std::pair<std::string, std::string>{"{file}", file.string()}, {"{folder}", file.parent_path().string()}}) {
        if (const auto found = word.find(from); found != std::string::npos) word.replace(found, from.size(), to);
      }
      words.push_back(word);
    }
    launches.push_back(words);
  }
  return launches;
}

/// A launch from its words; null: the command refuses it.
inline std::unique_ptr<driver::PreparedLaunch> session_of(const std::vector<std::string>& words, DiagnosticSink& sink) {
  const auto options = driver::parse_run_words({words.begin() + 2, words.end()});  // after `lockstep run`
  if (!options) return nullptr;
  auto session = std::make_unique<driver::PreparedLaunch>(*options, sink);
  return prepare(*session) ? std::move(session) : nullptr;
}

inline std::uint64_t bytes_hash(const driver::PreparedLaunch& session) {
  std::uint64_t hash = 1;
  const auto& memory = session.memory();
  for (std::size_t i = 0; i < memory.storage_count(); ++i) {
    const auto& storage = memory.storage({static_cast<std::int32_t>(i)});
    for (std::uint64_t at = storage.extent.begin; at < storage.extent.end; ++at)
      hash = (hash ^ static_cast<unsigned char>(*interpreter::bytes_at(at))) * 0x100000001b3u;
  }
  return hash;
}

}  // namespace lockstep::tests
