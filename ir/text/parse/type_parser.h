// Types of the text form. Shapes are read by the character: "64x32xf16" is no token. Guards: rank (kMaxRank), elements
// of a tile (kMaxElements). Source: MLIR LangRef.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/text/parse/alias_table.h"
#include "ir/text/parse/token_cursor.h"

namespace lockstep::ir {

class TypeParser : public TokenCursor {
 public:
  TypeParser(Context& context, SourceFilePtr file, DiagnosticSink& sink)
      : TokenCursor(std::move(file), sink), context_(context) {}
  Context& context() { return context_; }

  Type parse_type();                                      // null: diagnosed
  bool parse_type_list(std::vector<Type>& types);         // T, T, ...
  bool parse_function_results(std::vector<Type>& types);  // T | (T, ...) | ()
  bool parse_signature(std::vector<Type>& inputs, std::vector<Type>& results);
  Type parse_base_type(std::string_view kind);  // "<f16>": "ptr", "tensordesc", "memdesc", "aref"

 protected:
  ~TypeParser() = default;
  /// The target of an alias; null: diagnosed.
  virtual const AliasDefinition* resolve_alias(const Token& token) = 0;
  /// An attribute of another dialect, or an alias of one; null: diagnosed.
  virtual Attribute parse_opaque_attribute(std::string_view expected) = 0;
  /// What follows the name of a dialect's attribute or type, up to its last bracket: text, and the attributes and types
  /// written in it. `name` is its own text.
  Attribute parse_opaque_body(const Token& name);

 private:
  Type parse_bare_type(const Token& token);
  Type parse_tensor_type();
  /// From the shape to '>', which is not taken if `leave_open`.
  Type parse_tensor_body(std::uint32_t begin, bool leave_open = false);
  bool parse_shape(std::vector<std::int64_t>& shape);       // "2x64x"
  bool parse_dimensions(std::vector<std::int64_t>& shape);  // "2x64x64"
  Type parse_dialect_type();
  Type parse_pointer_body();
  Type parse_descriptor_body();
  Type parse_memdesc_body();
  bool parse_opaque_part(std::string& text, std::vector<Attribute>& elements);
  Type parse_function_type();

  Context& context_;
  Signedness* descriptor_sign_ = nullptr;  // where to note si32/ui32; null outside the block of a descriptor
};

}  // namespace lockstep::ir
