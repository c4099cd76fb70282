// SourceValues: which value of the IR a Python expression made, found by the columns of the ops' locations. MLIR has no
// names where several values are assigned at once, and none for arguments of inlined functions; the text has them.
// Invariant: an ambiguous expression has no value, never a wrong one. Not here: values at run time.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "debugger/engine/points.h"
#include "debugger/session/listing.h"
#include "debugger/session/source/statements.h"

namespace lockstep::debugger {

class SourceValues {
 public:
  SourceValues(const DebugKernel& kernel, const Listing& listing);

  /// Names from assignments to several names, as Definitions holds them.
  std::vector<std::pair<const ir::Value*, Definitions::Result>> unpacked();
  /// Of the texts of the ops.
  std::vector<Definitions::Renaming> renamings() const;
  /// Numbers that carry the name of a pointer which a statement advances: the compiler adds them up with later
  /// summands, and the pointer in between is not a value.
  std::vector<const ir::Value*> offsets() const;
  /// The value of the caller's expression at `span`, as the called function reads it. `calls`: the places of the calls
  /// around that function, innermost first, in the function of the op; `span`: in calls.front()'s file. Null: no value,
  /// or not a single one.
  const ir::Value* argument(const SourceSpan& span, const std::vector<Place>& calls) const;

 private:
  using CallPosition = std::pair<int, SourcePosition>;  // a file, a place in it
  using Calls = std::vector<CallPosition>;    // innermost first
  struct Made {
    const ir::Op* op = nullptr;
    Calls frames;                         // places of its lines, innermost first
    std::vector<std::string_view> names;  // of what each frame gives the value to
    std::size_t depth = 0;                // of regions around
  };
  struct Entry {
    const Made* made = nullptr;
    std::size_t level = 0;  // of the frame, in Made::frames
    const CallPosition& at() const { return made->frames[level]; }
  };
  using Entries = std::vector<Entry>;
  /// A tuple under construction: n values of an expression in a frame.
  struct Wanted {
    const SourceExpression& value;
    int file = 0;
    const Calls& calls;  // around the frame
    std::size_t count = 0;
    bool takes_names = false;  // items that are names are variables as the function leaves them
    int calls_left = 8;        // of functions that return what others return
  };
  using Values = std::vector<const ir::Value*>;  // null: unknown

  int file_number(const std::string& path);
  const Statements* statements(int file) const;
  Entries entries_in(const SourceSpan& span, int file, const Calls& calls) const;
  Values values_of(const Wanted& wanted) const;
  Values returned(const Wanted& wanted, const Entries& entries) const;
  const ir::Value* variable(const std::string& name, const Calls& calls) const;
  static const ir::Value* made_by(const Entries& entries);

  const Listing& listing_;
  const DebugKernel& kernel_;
  std::map<std::string, int, std::less<>> file_numbers_;
  std::vector<std::unique_ptr<const Statements>> texts_;  // by file; null: it cannot be read
  std::vector<std::unique_ptr<const Made>> made_;         // in the order of the text
  std::map<Calls, Entries> frames_;                       // by the calls around them
  std::map<std::pair<Calls, std::string>, Values> unpacked_;
};

}  // namespace lockstep::debugger
