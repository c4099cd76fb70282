// Dependence: which elements of a launch's arguments an element of its results is made of: as value (it is computed
// from them), as address (they said where something was read), as condition (they decided a mask, a selection, a branch
// or a loop). Found in one run of the launch with sets beside every lane. Invariant: an element that is not named has no
// part in this execution; of a selection, the chosen side counts. Memory is afterwards as before. Not here: what another
// execution would read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/launch/launch.h"
#include "memory_model/view.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::sanitizer {

/// An element whose dependence is asked for.
struct ElementOfView {
  memory_model::ViewId view;
  std::int64_t number = 0;  // row-major
};

enum class DependenceKind : std::uint8_t { value, address, condition };
inline constexpr std::array<std::string_view, 3> kDependenceNames{"value", "address", "condition"};

/// Of one argument.
struct ArgumentElements {
  std::string name;
  std::vector<std::int64_t> shape;
  /// Row-major numbers: [first, last), sorted.
  std::vector<std::pair<std::int64_t, std::int64_t>> runs;
  std::int64_t count = 0;
};

struct DependenceReport {
  std::string element;                                     // "out[3]"
  bool is_stored = false;                                  // the launch stored it; if not, it is what it was
  std::array<std::vector<ArgumentElements>, 3> arguments;  // by DependenceKind; in the order of the arguments
  /// Ops that are not known lane by lane, so that all of their operands count: "tl.cumsum at k.py:12".
  std::vector<std::string> coarse;
};

/// Runs the launch beside itself, on one thread; one report an element. nullopt: it did not complete, or the sets are
/// too many; `why` says which.
std::optional<std::vector<DependenceReport>> find_dependences(const interpreter::LaunchRequest& request,
                                                              const std::vector<ElementOfView>& elements,
                                                              std::string& why);

/// What `lockstep run --depends` prints.
std::string dependence_text(const DependenceReport& report);
/// {"element": "out[3]", "stored": true, "value": [{"argument": "x", "elements": 100, "shape": [8, 100],
/// "runs": [[0, 100]]}], "address": [], "condition": [], "coarse": []}
std::string dependence_json(const DependenceReport& report);

}  // namespace lockstep::sanitizer
