// TTIR text to IR: MLIR's syntax with and without locations, each op in its own form or in the generic quoted form.
// Errors do not stop it: it goes on with the next op, up to DiagnosticSink::kMaxErrors. What parses is not yet valid:
// run the verifier. Guards: nesting (kMaxNesting), rank (kMaxRank), elements of a tile (kMaxElements); hostile text
// gives diagnostics LS10xx. Source: MLIR LangRef; the assembly formats of Triton 3.6's ops.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "ir/module.h"
#include "ir/text/lexer.h"
#include "ir/verify/value_scopes.h"
#include "support/diagnostic.h"

namespace lockstep::ir {

inline constexpr std::uint32_t kMaxNesting = 200;
inline constexpr std::size_t kMaxRank = 32;  // tl.sort makes tiles of one axis per bit
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 31;
inline constexpr std::size_t kMaxValuesPerOp = 4096;
inline constexpr std::uint64_t kMaxAliasWeight = 100'000;        // nodes that one alias may stand for
inline constexpr std::uint64_t kMaxExpandedWeight = 50'000'000;  // nodes of a whole file with aliases expanded

/// Parses a whole file. nullopt: at least one error (or `unsupported`) was reported.
/// Ops without a location in the text get the position in this file.
std::optional<Module> parse_module(const OpRegistry& ops, const SourceFilePtr& file, DiagnosticSink& sink);

/// An operand as written, before its type is known.
struct OperandName {
  std::string_view name;  // without '%' and '#n'
  std::uint32_t number = 0;
  SourceRange range;
};

/// An argument of a region's first block, named outside the region ("iter_args(%a = ...)") or in its label.
struct ArgumentName {
  std::string_view name;
  SourceRange range;
  Type type;
  Location location;
  bool has_location = false;
};

/// The cursor handed to custom parse hooks. Every bool function: false means that a diagnostic was reported.
class OpParser {
 public:
  OpParser(const OpRegistry& ops, SourceFilePtr file, DiagnosticSink& sink);
  ~OpParser();
  OpParser(const OpParser&) = delete;
  OpParser& operator=(const OpParser&) = delete;
  std::optional<Module> parse_file();
  Context& context() { return module_.context(); }

  // Tokens.
  const Token& peek() const { return token_; }
  Token take();
  bool at(char c) const { return token_.is(c); }
  bool consume(char c);
  bool consume_word(std::string_view word);
  bool consume_arrow();
  bool expect(char c);
  bool expect_word(std::string_view word);
  bool expect_arrow();
  /// Text from `begin` to the last token taken.
  SourceRange range_from(std::uint32_t begin) const { return {begin, last_end_}; }
  bool error(SourceRange range, DiagnosticCode code, std::string message, std::string hint = "");
  bool error_here(std::string_view expected);

  // Pieces of syntax.
  Type parse_type();                                      // null: diagnosed
  bool parse_type_list(std::vector<Type>& types);         // T, T, ...
  bool parse_function_results(std::vector<Type>& types);  // T | (T, ...) | ()
  Type parse_base_type(std::string_view kind);            // "<f16>": "ptr" or "tensordesc"
  Attribute parse_attribute(Type expected = {});          // `expected`: numbers take it instead of ": T"
  bool parse_attribute_dictionary(std::vector<NamedAttribute>& entries);  // at '{'
  bool parse_optional_attributes(Op& op);                                 // {...}, if there
  bool parse_optional_symbol(std::string& name);                          // @name; false: absent, no diagnostic
  bool parse_optional_location(Location& location, bool& found);          // loc(...)
  bool parse_operand(OperandName& operand);
  bool parse_operands(std::vector<OperandName>& operands);  // zero or more, separated by commas
  /// The value, a placeholder for one not yet defined, or null (diagnosed: its type is another).
  Value* resolve(const OperandName& operand, Type type);
  bool add_operands(Op& op, const std::vector<OperandName>& operands, const std::vector<Type>& types);
  bool parse_successor(Op& op);
  bool parse_argument(ArgumentName& argument, bool with_type);  // %name [: T] [loc(...)]
  bool parse_region(Region& region, const std::vector<ArgumentName>& arguments);
  /// Adds scf.yield at the end of the region's block if it has no terminator.
  void add_missing_yield(Region& region, Location location);
  bool parse_signature(std::vector<Type>& inputs, std::vector<Type>& results);

 private:
  friend class FormParser;
  struct AliasDefinition {
    std::uint32_t begin = 0, end = 0;
    bool is_busy = false, is_done = false, is_bad = false;
    std::uint32_t height = 0;
    std::uint64_t weight = 0;  // nodes it expands to
    Attribute attribute;
    Type type;
  };
  struct ResultName {
    std::string_view name;
    std::uint32_t count = 1;
    SourceRange range;
  };
  struct BlockEntry {
    Block* block = nullptr;
    std::unique_ptr<Block> pending;  // until its label is reached
    SourceRange range;
  };
  using BlockMap = std::map<std::string_view, BlockEntry>;

  /// Counts nesting; `ok()` is false (and reported) past the limit.
  class Nesting {
   public:
    explicit Nesting(OpParser& parser);
    ~Nesting() { --parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    bool ok() const { return ok_; }

   private:
    OpParser& parser_;
    bool ok_;
  };

  void advance();
  void move_to(std::uint32_t offset);
  void recover(std::uint32_t op_begin);
  Location location_at(std::uint32_t offset);

  void collect_aliases();
  bool parse_alias_definition();
  AliasDefinition* resolve_alias(const Token& token);

  bool parse_top_level();
  bool parse_ops_until_brace(Block& block);
  bool parse_op(Block& block);
  bool parse_result_names(std::vector<ResultName>& names);
  bool parse_named_op(Block& block, std::vector<ResultName> names, std::uint32_t begin);
  bool parse_custom_op(Op& op);
  bool finish_op(Block& block, std::unique_ptr<Op> op, const std::vector<ResultName>& names, std::uint32_t begin,
                 std::uint32_t header_end);
  bool define_results(Op& op, const std::vector<ResultName>& names);
  void poison(const std::vector<ResultName>& names);
  bool report_unknown_op(const Token& name);
  bool parse_generic_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin);
  bool parse_generic_body(Op& op);
  bool parse_generic_regions(Op& op);
  bool set_generic_attributes(Op& op, std::vector<NamedAttribute> entries);
  bool take_segments(Op& op);
  void normalise(Op& op);
  bool parse_label(Region& region, Block*& block);
  Block* block_named(const Token& token);
  bool define_arguments(Block& block, const std::vector<ArgumentName>& arguments);
  bool check_blocks(BlockMap& blocks);

  Type parse_bare_type(const Token& token);
  Type parse_tensor_type();
  Type parse_tensor_body(std::uint32_t begin);  // from the shape to '>'
  bool parse_shape(std::vector<std::int64_t>& shape);
  Type parse_dialect_type();
  Type parse_pointer_body();
  Type parse_descriptor_body();
  Type parse_function_type();
  bool skip_balanced();  // from an opening bracket to its end, verbatim

  Attribute parse_number(Type expected);
  Attribute parse_typed_string();
  Attribute parse_array();
  Attribute parse_dense_array();
  bool parse_dense_array_element(Type element, std::int64_t& value);
  Attribute parse_dense();
  Attribute parse_hash_attribute();
  Attribute parse_word_attribute(Type expected);
  bool parse_location_body(Location& location);
  bool parse_name_or_file_location(Location& location);
  bool parse_location_alias(Location& location);
  bool parse_uint32(std::uint32_t& value);
  void name_unlocated_arguments();

  SourceFilePtr file_;
  DiagnosticSink& sink_;
  Lexer lexer_;
  Token token_;
  std::uint32_t last_end_ = 0;
  std::uint32_t depth_ = 0, deepest_ = 0;
  std::uint64_t weight_ = 0;  // nodes of types, attributes and locations, aliases expanded
  bool failed_ = false;
  Signedness* descriptor_sign_ = nullptr;  // where to note si32/ui32; null outside the block of a descriptor
  bool has_locations_ = false;
  ValueScopes scopes_;  // before module_: its placeholders outlive the ops that use them
  BlockMap* blocks_ = nullptr;
  Region* region_ = nullptr;
  std::unordered_map<std::string_view, AliasDefinition> aliases_;
  std::vector<std::pair<Value*, std::string>> unlocated_arguments_;
  std::unordered_set<std::string_view> all_names_;
  std::vector<std::unique_ptr<Op>> failed_ops_;  // kept: names of their inner values may have been resolved to them
  Module module_;
};

}  // namespace lockstep::ir
