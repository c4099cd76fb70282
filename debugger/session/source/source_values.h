// SourceValues: which value of the IR a Python expression made, told by the columns of the ops' locations. MLIR has no
// names where several values are assigned at once, and none for what is passed to functions that were inlined; the text
// has. Invariant: where more than one value could be meant it is none, never a wrong one. Not here: values at run time.
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

  /// Names that assignments to several names give, as Definitions has them.
  std::vector<std::pair<const ir::Value*, Definitions::Result>> unpacked();
  /// Of the texts that ops stand in.
  std::vector<Definitions::Renaming> renamings() const;
  /// Numbers that have the name of a pointer that a statement moves on: the compiler added them up with what is added
  /// later, and the pointer in between is no value.
  std::vector<const ir::Value*> offsets() const;
  /// What the expression at `span` of the frame that calls made, as the called function reads it. `calls`: the places
  /// of the calls around that function, innermost first, in the function that the op is in; `span`: in calls.front()'s
  /// file. Null: no value, or not one alone.
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
  /// A tuple in the making: n values of an expression in a frame.
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
