// Container: the bytes of a trace file: a mark with the version, then sections, each packed on its own so that a reader
// unpacks only the sections it needs. Format: docs/trace.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::debugger::trace {

constexpr std::string_view kMark = "LSTRACE1";

struct Section {
  std::string name;  // "launch", "program 12"
  std::uint64_t unpacked = 0;
  std::string packed;

  static Section pack(std::string name, std::string_view table);
  /// In the container.
  std::uint64_t bytes() const;
};

std::string container_of(const std::vector<Section>& sections);

}  // namespace lockstep::debugger::trace
