// main() for a fuzz target without libFuzzer: runs every file of the folders given, then cut short and mutated from a
// fixed seed, so that a normal build guards what fuzzing found. Prints how many inputs ran; a defect ends the process
// by a signal.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int kCuts = 12;

using Bytes = std::vector<std::uint8_t>;

void run(const Bytes& bytes) { LLVMFuzzerTestOneInput(bytes.data(), bytes.size()); }

// One to four edits: a bit flipped, a byte replaced, a piece taken out or doubled.
Bytes mutate(Bytes bytes, std::mt19937& random) {
  for (unsigned edits = 1 + random() % 4; edits > 0 && !bytes.empty(); --edits) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto length = static_cast<std::ptrdiff_t>(1 + random() % 16);
    const auto end = std::min(at + length, static_cast<std::ptrdiff_t>(bytes.size()));
    switch (random() % 4) {
      case 0: bytes[static_cast<std::size_t>(at)] ^= static_cast<std::uint8_t>(1u << (random() % 8)); break;
      case 1: bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random()); break;
      case 2: bytes.erase(bytes.begin() + at, bytes.begin() + end); break;
      default: {
        const Bytes piece(bytes.begin() + at, bytes.begin() + end);
        bytes.insert(bytes.begin() + at, piece.begin(), piece.end());
      }
    }
  }
  return bytes;
}

std::size_t run_file(const std::filesystem::path& path, std::size_t mutations) {
  std::ifstream stream(path, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(stream), {}};
  std::mt19937 random(1);
  run(bytes);
  for (std::size_t cut = 0; cut < kCuts; ++cut) {
    run(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(bytes.size() * cut / kCuts)));
  }
  for (std::size_t mutation = 0; mutation < mutations; ++mutation) {
    run(mutate(bytes, random));
  }
  return 1 + kCuts + mutations;
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t inputs = 0, mutations = 24;
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).starts_with("-mutations=")) {
      mutations = std::stoul(argv[i] + std::string("-mutations=").size());
      continue;
    }
    if (!std::filesystem::is_directory(argv[i])) {
      inputs += run_file(argv[i], mutations);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(argv[i])) {
      inputs += entry.is_regular_file() ? run_file(entry.path(), mutations) : 0;
    }
  }
  std::cout << inputs << " inputs\n";
  return inputs == 0 ? 1 : 0;
}
