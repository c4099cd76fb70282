// A kernel with everything that a launch of it needs. Made from a number: even seeds are chains of ops sampled from the
// rows (fuzz/sampler.h), odd ones kernels as people write them (tests/exactness/random_source.h, dot_source.h). Or from
// a file that LOCKSTEP_RECORD=FOLDER made of a launch of any program (interpreter/launch/recording.h), or a capsule.
// Invariant: the same seed gives the same text, arguments, grid and target on every machine; a text that was changed
// (by shrinking) gets the same arguments as long as its parameters are the same. Not here: running it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backend_cuda/target.h"
#include "interpreter/launch/launch.h"
#include "ir/module.h"
#include "random_source.h"

namespace lockstep::differential_tests {

struct Recipe {
  std::string name;      // "chains 12"; of a file: its name without its ending
  std::string text;      // TTIR
  std::string function;  // which kernel of it; "": it has one
  std::array<std::int64_t, 3> grid{1, 1, 1};
  backend_cuda::Target target;
  std::uint64_t argument_seed = 0;
  std::vector<exactness::RandomParameter> parameters;  // of an odd seed's kernel; else from the signature
  std::string source;                                  // in Python, of the class composite; not recorded
  bool may_race = false;                               // threads or programs may touch the same bytes
  std::string file;  // the recorded launch or capsule that arguments come from; else ""
};

/// nullopt: what was drawn does not compile, as `why` says (a defect).
std::optional<Recipe> make_recipe(std::uint64_t seed, std::string& why);
/// Of the class of scans and reductions of several values (composite_source.h).
std::optional<Recipe> make_composite_recipe(std::uint64_t seed, std::string& why);
/// FILE.launch or FILE.capsule. nullopt: it cannot be read or is no recording.
std::optional<Recipe> read_recipe(const std::string& path, std::string& why);

/// The recipe parsed, with its arguments in memory. Move-only; the request points into it.
struct Sample {
  std::unique_ptr<ir::Module> module;
  std::unique_ptr<memory_model::AddressSpace> memory;
  interpreter::LaunchRequest request;
  const ir::Op& function() const { return *request.function; }
};

/// `text` instead of the recipe's own. nullopt: it does not verify, has no kernel, or no arguments can be made.
std::optional<Sample> make_sample(const Recipe& recipe, const std::string& text);

/// Runs it in the interpreter; "" if it completes with nothing found, else why not ("LS101", "timeout", an op that is
/// not supported). Storages hold its results afterwards.
std::string run_plainly(const Sample& sample);

}  // namespace lockstep::differential_tests
