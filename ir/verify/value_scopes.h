// The names of SSA values while text is parsed: scopes by region, uses before definitions (placeholders), and names
// that a failed op would have defined (silent, so that one mistake gives one diagnostic). A name that is only defined
// in a closed sibling or inner region is resolved to that value: the verifier then reports why it does not reach the
// use.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/op.h"

namespace lockstep::ir {

class ValueScopes {
 public:
  struct Entry {
    std::vector<Value*> values;  // null values: poisoned
    SourceRange range;
  };
  /// A use that nothing visible defines.
  struct Unresolved {
    std::string_view name;
    std::uint32_t number = 0;
    SourceRange range;
    bool is_silent = false;
    std::unique_ptr<Value> placeholder;
  };

  /// `isolated`: names outside are not visible (functions).
  void push(bool isolated);
  /// Leaves a scope. For an isolated one returns the uses that stay without a definition.
  std::vector<const Unresolved*> pop();

  /// Visible definition of a name, or null.
  const Entry* find(std::string_view name) const;
  void define(std::string_view name, Entry entry);
  /// Placeholder for a use before its definition; the same one for every such use of the same name and number.
  Value* placeholder(std::string_view name, std::uint32_t number, Type type, SourceRange range, bool is_silent);
  /// The placeholder waiting for name#number, or null. `settle` gives its uses to `value`.
  const Unresolved* waiting(std::string_view name, std::uint32_t number) const;
  void settle(std::string_view name, std::uint32_t number, Value* value);
  /// Names visible now.
  std::vector<std::string_view> visible_names() const;

 private:
  struct Isolated {
    std::unordered_map<std::string_view, Entry> visible;
    std::unordered_map<std::string_view, Entry> closed;
    std::unordered_map<std::string, std::size_t> waiting;  // "name#number" -> index in unresolved_
  };
  struct Scope {
    bool isolated = false;
    std::vector<std::string_view> names;
  };

  std::vector<Isolated> isolated_;
  std::vector<Scope> scopes_;
  std::vector<std::unique_ptr<Unresolved>> unresolved_;  // kept until the parser ends: ops may still use them
};

}  // namespace lockstep::ir
