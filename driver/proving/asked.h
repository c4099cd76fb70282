// What `lockstep prove` is asked: a kernel and its contract, from words. Tensors NAME=TYPE[SHAPE], an output
// of which every element is to be written NAME=TYPE[SHAPE] out (NAME=*TYPE[SHAPE] out: it may own more), or NAME=*TYPE where
// nobody says how much they own; integers NAME, NAME=i64 or NAME=5; other scalars NAME=f32; constexprs NAME=VALUE, or
// NAME=any: followed as an argument of 32 bits.
// Errors: LS2206 (a word that is none of these, an argument nobody gave).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "ir/module.h"
#include "prove/evaluate.h"
#include "prove/statement.h"
#include "support/scalar.h"

namespace lockstep::driver {

struct AskedArgument {
  enum class Kind : std::uint8_t { integer, scalar, tensor, constant, other } kind = Kind::other;
  std::string name;
  std::string word{};    // constant: as given
  ScalarKind element{};  // of a tensor, an integer or a scalar
  bool is_unsigned = false;
  bool is_lifted = false;  // a constexpr that may be any integer
};

struct Asked {
  std::optional<ir::Module> module;
  const ir::Op* function = nullptr;
  std::string kernel;
  prove::Atoms atoms;
  prove::Contract contract;
  std::vector<AskedArgument> arguments;  // in the kernel's order
  bool can_be_run = true;                // by words: not a capsule, no descriptors
  std::vector<std::string> words;        // that say what the arguments are, as given
};

/// What is said beside the launch's own words.
struct AskedMore {
  std::vector<std::string> where;   // comparisons
  std::vector<std::string> properties;  // races, lanes, hints, coverage: beside bounds and integers; all
  std::vector<std::string> assume;  // "idx in [0,n)": of the integers in an argument's memory
};

/// The contract as it was given: arguments, grid, where, assumptions.
std::vector<std::string> words_of(const LaunchSpec& options, const AskedMore& more);
/// The proof as a file. Precondition: nothing is undecided.
std::string proof_of(const Asked& asked, const prove::Statement& statement, const std::vector<std::string>& words,
                     const prove::Numbers& witness);
/// options: target, arguments, grid. False: diagnosed.
bool read_asked(const LaunchSpec& options, const AskedMore& more, Asked& asked, DiagnosticSink& sink);

}  // namespace lockstep::driver
