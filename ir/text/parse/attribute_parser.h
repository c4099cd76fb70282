// Attributes of the text form, and the aliases of attributes and types. Not here: dense elements, dense_parser.h.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ir/attribute.h"
#include "ir/text/parse/location_parser.h"

namespace lockstep::ir {

class Op;

class AttributeParser : public LocationParser {
 public:
  AttributeParser(Context& context, SourceFilePtr file, DiagnosticSink& sink)
      : LocationParser(context, std::move(file), sink), aliases_(collect_aliases(file_->text())) {}

  Attribute parse_attribute(Type expected = {});  // `expected`: numbers take it instead of ": T"
  bool parse_attribute_dictionary(std::vector<NamedAttribute>& entries);  // at '{'
  bool parse_optional_attributes(Op& op);                                 // {...}, if there
  bool parse_optional_symbol(std::string& name);                          // @name; false: absent, no diagnostic

 protected:
  ~AttributeParser() = default;
  const AliasDefinition* resolve_alias(const Token& token) override;
  Attribute parse_opaque_attribute(std::string_view expected) override;
  bool parse_alias_definition();

 private:
  Attribute parse_number(Type expected);
  Attribute parse_typed_string();
  Attribute parse_array();
  Attribute parse_dense_array();
  bool parse_dense_array_element(Type element, std::int64_t& value);
  Attribute parse_hash_attribute();
  const Encoding* layout_of(const Token& alias);
  Attribute parse_word_attribute(Type expected);

  AliasTable aliases_;
};

}  // namespace lockstep::ir
