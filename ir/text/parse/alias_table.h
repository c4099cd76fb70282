// The aliases of a text (#loc1 = ..., !t = ...): where each is defined, and its meaning after parsing. They may be
// defined after their use.
#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>

#include "ir/attribute.h"
#include "ir/type.h"

namespace lockstep::ir {

inline constexpr std::uint64_t kMaxAliasWeight = 100'000;        // nodes that one alias may stand for
inline constexpr std::uint64_t kMaxExpandedWeight = 50'000'000;  // nodes of a whole file with aliases expanded

struct AliasDefinition {
  std::uint32_t begin = 0, end = 0;
  bool is_busy = false, is_done = false, is_bad = false;
  std::uint32_t height = 0;
  std::uint64_t weight = 0;  // nodes it expands to
  Attribute attribute;
  Type type;
};

using AliasTable = std::unordered_map<std::string_view, AliasDefinition>;

/// Where the aliases of a file are defined: the first definition of each.
AliasTable collect_aliases(std::string_view text);

}  // namespace lockstep::ir
