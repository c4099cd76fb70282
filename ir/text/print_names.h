// Names that the printer gives to values and blocks: MLIR's rules from scratch, so that equal IR prints equally.
// Numbers count through a region and on into its inner regions; constants are named after their value; with locations,
// a NameLoc's text is the name. A name taken in an enclosing region gets "_<n>". Source: observed output of
// Triton 3.6's printer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/op.h"

namespace lockstep::ir {

class ValueNames {
 public:
  /// Names everything under `root`. `use_locations`: NameLocs name values; `generic`: no names for constants;
  /// `as_written`: values keep the names that they were parsed with.
  ValueNames(const Op& root, bool use_locations, bool generic, bool as_written = false);

  /// "%3", "%3#1", "%cst_0"; "<null>" for no value, "<unknown>" for one outside of the root.
  std::string value(const Value* value) const;
  /// Left side of '=': "%3", "%3:2", "%outLHS, %outRHS".
  std::string results(const Op& op) const;
  /// "^bb2".
  std::string block(const Block* block) const;
  std::uint32_t block_number(const Block* block) const;

 private:
  struct Counters {
    std::uint32_t value = 0, argument = 0, conflict = 0;
  };
  struct Context {
    const Region* region;
    Counters counters;
    std::size_t scope;
  };

  void name_region(const Region& region);
  void name_block(const Block& block, bool is_entry);
  void name_op(const Op& op);
  bool name_as_written(const Op& op);
  void set_name(const Value& value, std::string_view name);
  std::string unique(std::string_view name);
  std::string_view location_name(Location location);
  const LocationNode* first_name(Location location);
  void leave_scopes(std::size_t keep);
  const Value* group_of(const Value& value, std::uint32_t& number, std::uint32_t& size) const;

  bool use_locations_;
  bool generic_;
  bool as_written_;
  Counters counters_;
  std::unordered_map<const Value*, std::string> names_;
  std::unordered_map<const Op*, std::vector<std::uint32_t>> groups_;  // starts of result groups, if more than one
  std::unordered_map<const Block*, std::uint32_t> blocks_;
  std::unordered_map<const LocationNode*, const LocationNode*>
      first_names_;  // locations share parts: each is searched once
  std::unordered_map<std::string, int> used_;
  std::vector<std::vector<std::string>> scopes_;
};

}  // namespace lockstep::ir
