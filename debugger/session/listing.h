// Listing: the texts of a kernel: its ops as TTIR, one line a point, and its sources. Sources are read on demand (a
// capsule's replace files). Invariant: line i of ops() is point i.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "debugger/engine/points.h"
#include "debugger/session/source/python_source.h"
#include "support/source_file.h"

namespace lockstep::debugger {

struct ListedOp {
  std::uint32_t point = 0;
  std::size_t indent = 0;  // regions and inlined calls around
  std::string text;        // "%5 = tt.load %4, %3 : tensor<128x!tt.ptr<f32>>"
};

class Listing {
 public:
  explicit Listing(const DebugKernel& kernel) : kernel_(kernel) {}
  const std::vector<ListedOp>& ops() const;
  /// Null: it cannot be read.
  SourceFilePtr source(const std::string& path) const;
  /// A source parsed as Python, once. Null: it is TTIR, or cannot be read.
  const PythonSource* python(const std::string& path) const;
  /// Without its newline; empty: unknown.
  std::string line(const Place& place) const;
  /// Names in that line of the source, in their order, each once: for showing values.
  std::vector<std::string> names_in_line(const Place& place) const;

 private:
  std::vector<std::string> values_in_line(const Place& place) const;

  const DebugKernel& kernel_;
  mutable std::vector<ListedOp> ops_;
  mutable std::map<std::string, SourceFilePtr> sources_;
  mutable std::map<std::string, std::unique_ptr<const PythonSource>> python_;
};

}  // namespace lockstep::debugger
