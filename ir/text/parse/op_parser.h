// The cursor handed to custom parse hooks: operands, results, blocks and regions, and the names of their values. Every
// bool function: false means that a diagnostic was reported. The ModuleParser (parser.cpp) decides where each op goes.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "ir/op.h"
#include "ir/text/parse/attribute_parser.h"
#include "ir/verify/value_scopes.h"

namespace lockstep::ir {

/// An operand in the text's form, before its type is known.
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

/// %name or %name:count before an op.
struct ResultName {
  std::string_view name;
  std::uint32_t count = 1;
  SourceRange range;
};

class OpParser : public AttributeParser {
 public:
  using AttributeParser::AttributeParser;

  bool parse_operand(OperandName& operand);
  bool parse_operands(std::vector<OperandName>& operands);  // zero or more, separated by commas
  /// Ends a scope: an error for each name in it that nothing defines. `names`: what may have been meant.
  bool report_undefined(const std::vector<std::string_view>& names);
  /// The value, a placeholder for one not yet defined, or null (diagnosed: its type is another).
  Value* resolve(const OperandName& operand, Type type);
  bool add_operands(Op& op, const std::vector<OperandName>& operands, const std::vector<Type>& types);
  bool parse_successor(Op& op);
  Block* parse_target();                                        // ^name of this region; null: diagnosed
  bool parse_argument(ArgumentName& argument, bool with_type);  // %name [: T] [loc(...)]
  bool parse_region(Region& region, const std::vector<ArgumentName>& arguments);
  /// Adds scf.yield at the end of the region's block if it has no terminator.
  void add_missing_yield(Region& region, Location location);

 protected:
  ~OpParser() = default;
  /// The next op, into `block`.
  virtual bool parse_op(Block& block) = 0;
  /// After an error: to the next likely beginning of an op.
  void recover(std::uint32_t op_begin);
  bool parse_result_names(std::vector<ResultName>& names);
  bool define_results(Op& op, const std::vector<ResultName>& names);
  /// Names of results that an op in error lacks: their uses are not errors of their own.
  void poison(const std::vector<ResultName>& names);
  void name_unlocated_arguments();

  ValueScopes scopes_;

 private:
  struct BlockEntry {
    Block* block = nullptr;
    std::unique_ptr<Block> pending;  // until its label is reached
    SourceRange range;
  };
  using BlockMap = std::map<std::string_view, BlockEntry>;

  bool parse_ops_until_brace(Block& block);
  bool parse_label(Region& region, Block*& block);
  Block* block_named(const Token& token);
  bool define_arguments(Block& block, const std::vector<ArgumentName>& arguments);
  bool check_blocks(BlockMap& blocks);

  BlockMap* blocks_ = nullptr;
  Region* region_ = nullptr;
  std::vector<std::pair<Value*, std::string>> unlocated_arguments_;
  std::unordered_set<std::string_view> all_names_;
};

}  // namespace lockstep::ir
