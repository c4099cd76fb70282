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
  Type parse_base_type(std::string_view kind);  // "<f16>": "ptr" or "tensordesc"

 protected:
  ~TypeParser() = default;
  /// The target of an alias; null: diagnosed.
  virtual const AliasDefinition* resolve_alias(const Token& token) = 0;

 private:
  Type parse_bare_type(const Token& token);
  Type parse_tensor_type();
  Type parse_tensor_body(std::uint32_t begin);  // from the shape to '>'
  bool parse_shape(std::vector<std::int64_t>& shape);
  Type parse_dialect_type();
  Type parse_pointer_body();
  Type parse_descriptor_body();
  Type parse_function_type();

  Context& context_;
  Signedness* descriptor_sign_ = nullptr;  // where to note si32/ui32; null outside the block of a descriptor
};

}  // namespace lockstep::ir
