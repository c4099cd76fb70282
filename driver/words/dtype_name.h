// Names of types in users' texts (f32, fp32, float32, tl.float32, u8, bool) and in Triton's signatures. Adds what a
// signless ScalarKind (support/scalar.h) cannot hold: whether integers are unsigned.
// Source: Triton 3.6's short names, ../docs/semantics.md. Errors: LS2005.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "driver/words/cursor.h"
#include "support/scalar.h"

namespace lockstep::driver {

struct DtypeName {
  ScalarKind kind = ScalarKind::f32;
  bool is_unsigned = false;
  std::string short_name;  // Triton's: "fp16", "u8", "i32", "u1"
};

/// nullopt: not a type.
std::optional<DtypeName> find_dtype(std::string_view text);
/// Triton's short name of a kind: "fp16", "i32", "u32", "i1" ("u1" if unsigned), "fp8e4nv".
std::string short_name(ScalarKind kind, bool is_unsigned);
/// Takes a type's name. nullopt: diagnosed.
std::optional<DtypeName> take_dtype(Cursor& cursor);

}  // namespace lockstep::driver
