// Where something came from, shaped like MLIR's location attribute: file:line:col, a name around a location, a call
// site chain, or a fused list. Nodes are interned in an ir::Context (see ir/context.h) and immutable; Location is a
// cheap handle. Lines are 1-based. Columns are stored as Triton writes them: CPython's col_offset, 0-based, in UTF-8
// bytes; displayed columns are one higher (file_text, display_column).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep {

struct LocationNode;

class Location {
 public:
  constexpr Location() = default;
  constexpr explicit Location(const LocationNode* node) : node_(node) {}
  bool is_unknown() const { return node_ == nullptr; }
  const LocationNode* operator->() const { return node_; }
  const LocationNode* node() const { return node_; }
  friend bool operator==(Location, Location) = default;

  /// The innermost file position: through names, and to the callee of call sites. Unknown if there is none.
  Location innermost_file() const;
  /// "FILE:LINE:COLUMN" of innermost_file(), 1-based as editors count; empty if unknown.
  std::string file_text() const;

 private:
  const LocationNode* node_ = nullptr;
};

struct LocationNode {
  enum class Kind : std::uint8_t { file, name, call_site, fused } kind;
  std::string text;                                                  // file: path; name: the name
  std::uint32_t line = 0, column = 0, end_line = 0, end_column = 0;  // file only; end_* 0 when absent
  std::vector<Location> children;  // name: 0..1 child; call_site: {callee, caller}; fused: the parts

  std::uint32_t display_column() const { return column + 1; }
};

/// The user's line that a location comes from: the innermost one outside Triton's own library (if there is none, the
/// outermost). `library`: the outermost library line left out. Null if there is no line.
struct UserFrame {
  const LocationNode* user = nullptr;
  const LocationNode* library = nullptr;
};
UserFrame user_frame(Location location);
/// All lines of the user: the op's own, then that of the call of its function, and so on outwards. If all are the
/// library's: the outermost.
std::vector<const LocationNode*> user_frames(Location location);

}  // namespace lockstep
