// IR to text: MLIR's syntax, each op in its own form or all in the generic form, with or without locations. Printing
// without locations ignores them completely, even those from the position in a .ttir file. Source: MLIR LangRef;
// observed output of Triton 3.6's printer.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module.h"
#include "ir/text/print_locations.h"
#include "ir/text/print_names.h"

namespace lockstep::ir {

struct PrintOptions {
  bool locations = false;  // loc(...) on ops and arguments; NameLocs name the values
  bool generic = false;    // every op in the generic form
  /// Values keep the names of the text that they were parsed from; for texts whose locations were taken away.
  bool names_as_written = false;
};

/// The module's text, ending with a newline.
std::string print_module(const Module& module, PrintOptions options = {});
/// One line, for messages: regions are left out, names are those of the whole module's text.
std::string print_op(const Op& op);
std::string print_attribute(Attribute attribute);

/// The cursor handed to custom print hooks.
class OpPrinter {
 public:
  OpPrinter(const ValueNames& names, LocationAliases& aliases, AttributeAliases& attributes, PrintOptions options)
      : names_(names), aliases_(aliases), names_of_attributes_(attributes), options_(options) {}

  OpPrinter& operator<<(std::string_view text) {
    out_ += text;
    return *this;
  }
  OpPrinter& operator<<(const Value* value) {
    out_ += names_.value(value);
    return *this;
  }
  OpPrinter& operator<<(Type type) {
    out_ += spell(type);
    return *this;
  }
  /// The type's text with the names of its encodings.
  std::string spell(Type type) {
    if (collecting_) names_of_attributes_.visit(type);
    return type.to_string(&names_of_attributes_);
  }
  void print_values(const std::vector<Value*>& values);
  void print_types(const std::vector<Value*>& values);
  void print_types(const std::vector<Type>& types);
  void print_attribute_value(Attribute attribute);
  void print_function_type(const std::vector<Type>& inputs, const std::vector<Type>& results);
  void print_symbol(std::string_view name);
  /// " {a = 1 : i32, b}" or nothing; `keyword`: " attributes {...}". Sorted by name, without `hidden` and defaults.
  void print_attributes(const Op& op, const std::vector<std::string_view>& hidden = {}, bool keyword = false);
  void print_dictionary(std::vector<NamedAttribute> entries);
  /// " {...}" from the brace on. `labels`: the first block's arguments in a label; `terminators`: the last op too.
  void print_region(const Region& region, bool labels, bool terminators, bool empty_label = false);
  /// A line of its own inside an op, at the op's indent.
  void print_newline();
  /// "%arg0: T {..} loc(..)".
  void print_argument(const Value& argument, Attribute attributes);
  void print_successor(const Op& op, std::size_t i);
  void print_op(const Op& op);

  std::string& text() { return out_; }
  bool is_collecting() const { return collecting_; }
  void set_collecting(bool value) { collecting_ = value; }
  void set_regions_hidden(bool value) { regions_hidden_ = value; }

 private:
  void print_custom(const Op& op);
  void print_form(const Op& op);
  void print_generic(const Op& op);
  void print_properties(const Op& op);
  void print_block(const Block& block, bool label, bool terminators);
  void print_predecessors(const Block& block);
  void print_trailing_location(Location location, bool as_alias, bool can_be_deferred);
  const std::vector<const Block*>& predecessors_of(const Block& block);

  const ValueNames& names_;
  LocationAliases& aliases_;
  AttributeAliases& names_of_attributes_;
  PrintOptions options_;
  std::string out_;
  std::size_t indent_ = 0;
  bool collecting_ = false;
  bool regions_hidden_ = false;
  std::unordered_set<const Region*> known_regions_;
  std::unordered_map<const Block*, std::vector<const Block*>> predecessors_;
};

}  // namespace lockstep::ir
