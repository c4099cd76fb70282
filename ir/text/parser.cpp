#include "ir/text/parser.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/text/nearest_name.h"
#include "ir/text/parse/form_parser.h"
#include "ir/text/parse/generic_op_parser.h"

namespace lockstep::ir {
namespace {

/// The row of unknown ops: they are parsed, to find further errors, and dropped.
const OpDef kUnknownOp{};

/// Several spellings of printers become one.
void normalise(Context& context, Op& op) {
  for (const AttributeSpec& spec : op.def().attributes) {
    const Attribute value = op.attribute(spec.name);
    if (!value) continue;
    // Older printers wrote unit attributes as booleans.
    if (spec.rule == AttributeRule::unit && value->kind == AttributeNode::Kind::boolean) {
      if (value->integer != 0)
        op.set_attribute(spec.name, context.unit());
      else
        op.remove_attribute(spec.name);
    }
    if (spec.presence != Presence::defaulted) continue;
    const bool is_default_number =
        value.is_integer() && spec.rule != AttributeRule::any && value->integer == spec.default_value;
    const bool is_default_flags = value->kind == AttributeNode::Kind::opaque && value->text.ends_with("<none>");
    const bool is_default_list = value.is_dense_array() && value->values.empty();
    if (is_default_number || is_default_flags || is_default_list) op.remove_attribute(spec.name);
  }
}

class ModuleParser final : public OpParser {
 public:
  ModuleParser(Module& module, SourceFilePtr file, DiagnosticSink& sink)
      : OpParser(module.context(), std::move(file), sink), module_(module) {}
  ~ModuleParser();
  ModuleParser(const ModuleParser&) = delete;
  ModuleParser& operator=(const ModuleParser&) = delete;
  /// False: at least one error was reported.
  bool parse_file();

 private:
  void parse_top_level();
  bool parse_op(Block& block) override;
  bool parse_named_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin);
  bool parse_custom_op(Op& op);
  bool parse_generic_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin);
  bool finish_op(Block& block, std::unique_ptr<Op> op, const std::vector<ResultName>& names, std::uint32_t begin,
                 std::uint32_t header_end);
  bool report_unknown_op(const Token& name);

  Module& module_;
  std::vector<std::unique_ptr<Op>> failed_ops_;  // kept: names of their inner values may have been resolved to them
};

ModuleParser::~ModuleParser() {
  if (!failed_) return;
  for (const auto& op : failed_ops_) op->drop_all_references();
  module_.op().drop_all_references();
}

bool ModuleParser::parse_file() {
  advance();
  scopes_.push(true);
  parse_top_level();
  report_undefined({});
  if (failed_) return false;
  name_unlocated_arguments();
  return true;
}

void ModuleParser::parse_top_level() {
  while (!token_.is(Token::Kind::end) && !sink_.is_full()) {
    const std::uint32_t begin = token_.begin;
    if (token_.is(Token::Kind::hash_id) || token_.is(Token::Kind::bang_id)) {
      if (!parse_alias_definition()) recover(begin);
      continue;
    }
    if (token_.is('{')) {  // resources of the file: carried by no op that Lockstep knows
      error_here("an op");
      return;
    }
    if (!parse_op(module_.body())) recover(begin);
    if (token_.is('}')) {
      error_here("an op");
      advance();
    }
  }
}

bool ModuleParser::parse_op(Block& block) {
  const std::uint32_t begin = token_.begin;
  const Nesting nesting(*this);
  if (!nesting.ok()) return false;
  std::vector<ResultName> names;
  if (!parse_result_names(names)) {
    poison(names);
    return false;
  }
  bool good = false;
  if (token_.is(Token::Kind::string))
    good = parse_generic_op(block, names, begin);
  else if (token_.is(Token::Kind::bare_id))
    good = parse_named_op(block, names, begin);
  else
    error_here("the name of an op");
  if (!good) poison(names);
  return good;
}

bool ModuleParser::report_unknown_op(const Token& name) {
  std::vector<std::string_view> spellings;
  for (const OpDef* def : context().ops().rows()) spellings.push_back(def->spelling);
  const std::string_view spelling =
      name.is(Token::Kind::string) ? name.text.substr(1, name.text.size() - 2) : name.text;
  const std::string near = nearest_name(spelling, spellings);
  unsupported({name.begin, name.end}, "LS1002", "op " + in_quotes(spelling) + " is not known to Lockstep",
              near.empty() ? "" : "the nearest op it knows is '" + near + "'");
  return false;
}

bool ModuleParser::parse_named_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin) {
  const Token name = take();
  const OpDef* def = context().ops().find(name.text == "module" ? "builtin.module" : name.text);
  if (def == nullptr) return report_unknown_op(name);
  std::unique_ptr<Op> op = Op::create(*def, location_at(name.begin));
  op->set_span({file_, {begin, name.end}});
  if (!(def->parse != nullptr ? def->parse(*this, *op) : parse_custom_op(*op))) {
    failed_ops_.push_back(std::move(op));
    return false;
  }
  return finish_op(block, std::move(op), names, begin, last_end_);
}

bool ModuleParser::parse_custom_op(Op& op) {
  if (!op.def().form.empty()) return parse_by_form(*this, op);
  return error(op.span().range, "LS1001", "'" + std::string(op.spelling()) + "' is written in the generic form",
               "write \"" + std::string(op.spelling()) + "\"(operands) ... : (types) -> types");
}

bool ModuleParser::parse_generic_op(Block& block, const std::vector<ResultName>& names, std::uint32_t begin) {
  const Token name = take();
  const std::string spelling = unescape(name.text);
  const OpDef* def = context().ops().find(spelling);
  if (def == nullptr) {
    report_unknown_op(name);
    def = &kUnknownOp;
  }
  std::unique_ptr<Op> op = Op::create(*def, location_at(name.begin));
  op->set_span({file_, {begin, name.end}});
  if (!parse_generic_body(*this, *op, def != &kUnknownOp)) {
    failed_ops_.push_back(std::move(op));
    return false;
  }
  if (def != &kUnknownOp) return finish_op(block, std::move(op), names, begin, last_end_);
  failed_ops_.push_back(std::move(op));
  Location location;
  bool found = false;
  poison(names);
  return parse_optional_location(location, found);
}

bool ModuleParser::finish_op(Block& block, std::unique_ptr<Op> op, const std::vector<ResultName>& names,
                             std::uint32_t begin, std::uint32_t header_end) {
  const std::size_t line_end = std::min(file_->text().find('\n', begin), file_->text().size());
  op->set_span({file_, {begin, std::min(header_end, static_cast<std::uint32_t>(line_end))}});
  Location location;
  bool found = false;
  if (!parse_optional_location(location, found)) {
    failed_ops_.push_back(std::move(op));
    return false;
  }
  if (found) op->set_location(location);
  normalise(context(), *op);
  Op* placed = block.append(std::move(op));
  return define_results(*placed, names);
}

}  // namespace

std::optional<Module> parse_module(const OpRegistry& ops, const SourceFilePtr& file, DiagnosticSink& sink) {
  Module module(ops);
  if (!ModuleParser(module, file, sink).parse_file()) return std::nullopt;
  Block& body = module.body();
  if (body.ops().size() == 1 && body.ops().front()->spelling() == "builtin.module") {
    std::unique_ptr<Op> inner = body.ops().front()->detach();
    return Module(module.shared_context(), std::move(inner));
  }
  const LineColumn start = file->position(0);
  module.op().set_location(module.context().file_location(file->path(), start.line, start.column - 1));
  return module;
}

}  // namespace lockstep::ir
