#include "debugger/trace/container.h"

#include <utility>

#include "driver/files/deflate.h"

namespace lockstep::debugger::trace {

namespace {

constexpr std::size_t kEntryBytes = 2 + 4 + 4;  // of the directory, beside the name

void put_number(std::string& out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i) out.push_back(static_cast<char>(value >> (8 * i)));
}

}  // namespace

Section Section::pack(std::string name, std::string_view table) {
  return {std::move(name), table.size(), driver::deflate(table)};
}

std::uint64_t Section::bytes() const { return kEntryBytes + name.size() + packed.size(); }

std::string container_of(const std::vector<Section>& sections) {
  std::string bytes(kMark);
  put_number(bytes, sections.size(), 4);
  for (const Section& section : sections) {
    put_number(bytes, section.name.size(), 2);
    bytes += section.name;
    put_number(bytes, section.packed.size(), 4);
    put_number(bytes, section.unpacked, 4);
  }
  for (const Section& section : sections) bytes += section.packed;
  return bytes;
}

}  // namespace lockstep::debugger::trace
