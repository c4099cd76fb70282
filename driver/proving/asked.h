// What `lockstep prove` is asked: a kernel and its contract, from words. Tensors NAME=TYPE[SHAPE], or NAME=*TYPE where
// nobody says how much they own; integers NAME, NAME=i64 or NAME=5; other scalars NAME=f32; constexprs NAME=VALUE.
// Errors: LS2206 (a word that is none of these, an argument nobody gave).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "ir/module.h"
#include "prove/statement.h"
#include "support/scalar.h"

namespace lockstep::driver {

struct AskedArgument {
  enum class Kind : std::uint8_t { integer, scalar, tensor, constant, other } kind = Kind::other;
  std::string name;
  std::string word{};    // constant: as given
  ScalarKind element{};  // of a tensor, an integer or a scalar
  bool is_unsigned = false;
};

struct Asked {
  std::optional<ir::Module> module;
  const ir::Op* function = nullptr;
  std::string kernel;
  prove::Atoms atoms;
  prove::Contract contract;
  std::vector<AskedArgument> arguments;  // in the kernel's order
  bool can_be_run = true;                // by words: not a capsule, no descriptors
};

/// options: target, arguments, grid. False: diagnosed.
bool read_asked(const LaunchSpec& options, const std::vector<std::string>& where, Asked& asked, DiagnosticSink& sink);

}  // namespace lockstep::driver
