// No contradiction: kernels of the fuzzer are proved, and launches of small sizes that meet the printed conditions are clean.
// Sizes are chosen here: each tensor owns the least that the conditions admit. In one process, so that there can be many.
// Usage: random_proofs FOLDER FIRST END      (numbers of kernels; FOLDER: for the text of one). Exit code 1: a contradiction.
#include <array>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "dialects/registry.h"
#include "driver/proving/asked.h"
#include "driver/proving/trial_launch.h"
#include "fuzz/sampler.h"
#include "prove/evaluate.h"
#include "prove/walk.h"

namespace {

using namespace lockstep;
using prove::Integer;
using prove::Numbers;

constexpr std::array<std::int64_t, 5> kPrograms{1, 2, 3, 6, 11};
const Integer kMostElements = Integer(1) << 20;

struct Counts {
  std::map<std::string, std::size_t> answers;
  std::size_t launches = 0, contradictions = 0;
};

bool meets_all(const driver::TrialLauncher& launcher, const prove::Statement& statement, const Numbers& numbers) {
  std::vector<prove::Poly> rests;
  for (const prove::Condition& one : statement.conditions) rests.push_back(one.rest);
  return launcher.meets(rests, numbers);
}

/// Tensors own the least that the conditions admit. False: none is enough.
bool own_least(const driver::TrialLauncher& launcher, const prove::Statement& statement, const std::vector<prove::AtomId>& owned,
               Numbers& numbers) {
  for (const prove::AtomId id : owned) numbers[id] = kMostElements;
  if (!meets_all(launcher, statement, numbers)) return false;
  for (const prove::AtomId id : owned) {
    Integer low = 0, high = kMostElements;  // low: not enough, or never tried
    while (high - low > 1) {
      numbers[id] = (low + high) / 2;
      (meets_all(launcher, statement, numbers) ? high : low) = numbers[id];
    }
    numbers[id] = high;
  }
  return true;
}

class Kernel {
 public:
  Kernel(std::string path, bool has_pairs) : has_pairs_(has_pairs) {
    spec_.target = std::move(path);
    if (has_pairs) more_.properties = {"races,lanes"};
  }
  void decide(Counts& counts);

 private:
  void launch(const prove::Statement& statement, std::int64_t programs, Counts& counts);

  bool has_pairs_;
  driver::LaunchSpec spec_;
  driver::AskedMore more_;
  driver::Asked asked_;
  std::vector<prove::AtomId> owned_, free_;
};

void Kernel::launch(const prove::Statement& statement, std::int64_t programs, Counts& counts) {
  const driver::TrialLauncher launcher(spec_, asked_, statement);
  Numbers numbers;
  for (const prove::AtomId id : free_) numbers[id] = programs;
  if (!own_least(launcher, statement, owned_, numbers)) return;
  auto trial = launcher.make(numbers, {kMostElements, has_pairs_});
  if (!trial || !launcher.launch(*trial, true, has_pairs_ ? "overflow,races,lanes" : "overflow")) return;
  ++counts.launches;
  if (trial->failures.empty()) return;
  ++counts.contradictions;
  std::cout << "proved, but fails: " << driver::command_text(spec_, *trial) << "\n";
  for (const auto& one : trial->failures) std::cout << "  " << one.code << " at " << one.place << ": " << one.message << "\n";
}

void Kernel::decide(Counts& counts) {
  const std::string what = has_pairs_ ? "everything: " : "bounds and integers: ";
  DiagnosticSink sink;
  if (!driver::read_asked(spec_, more_, asked_, sink)) {
    ++counts.answers["not read"];
    return;
  }
  const prove::Statement statement = prove::prove(*asked_.function, asked_.contract, asked_.atoms);
  if (!statement.undecided.empty()) {
    ++counts.answers[what + "not decided"];
    return;
  }
  ++counts.answers[what + "proved"];
  if (!asked_.can_be_run) return;
  for (const char* axis : {"grid.x", "grid.y", "grid.z"}) {
    if (const auto id = asked_.atoms.find_parameter(axis)) free_.push_back(*id);
  }
  for (const driver::AskedArgument& one : asked_.arguments) {
    if (one.kind == driver::AskedArgument::Kind::tensor)
      owned_.push_back(asked_.atoms.parameter(prove::elements_of(one.name), 0, Integer(1) << 62));
    else if (const auto id = asked_.atoms.find_parameter(one.name))
      free_.push_back(*id);
  }
  for (const std::int64_t programs : kPrograms) launch(statement, programs, counts);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return 2;
  const std::string path = std::string(argv[1]) + "/kernel.ttir";
  const std::uint64_t first = std::stoull(argv[2]), end = std::stoull(argv[3]);
  Counts counts;
  for (std::uint64_t number = first; number < end; ++number) {
    fuzz::Random random(number);
    const std::string text = fuzz::sample_launchable(dialects::registry(), random, 3 + number % 9);
    std::ofstream(path) << text;
    const std::size_t before = counts.contradictions;
    for (const bool has_pairs : {false, true}) Kernel(path, has_pairs).decide(counts);
    if (counts.contradictions != before) std::cout << "kernel " << number << ":\n" << text << "\n";
  }
  std::cout << end - first << " kernels, " << counts.launches << " launches, " << counts.contradictions << " contradictions";
  for (const auto& [answer, count] : counts.answers) std::cout << "; " << answer << " " << count;
  std::cout << "\n";
  return counts.contradictions == 0 && counts.launches != 0 ? 0 : 1;
}
