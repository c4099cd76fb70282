#include "ir/text/parser.h"

#include <algorithm>

#include "ir/op_def.h"
#include "ir/op_registry.h"
#include "ir/text/nearest_name.h"

namespace lockstep::ir {
namespace {

std::string in_quotes(std::string_view text) {
  constexpr std::size_t kLongest = 40;
  return "'" + std::string(text.substr(0, kLongest)) + (text.size() > kLongest ? "...'" : "'");
}

bool starts_statement(const Token& token) {
  return token.is(Token::Kind::percent_id) || token.is(Token::Kind::bare_id) || token.is(Token::Kind::caret_id) ||
         token.is(Token::Kind::string) || token.is('}');
}

bool is_first_on_line(std::string_view text, std::uint32_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

}  // namespace

std::optional<Module> parse_module(const OpRegistry& ops, const SourceFilePtr& file, DiagnosticSink& sink) {
  return OpParser(ops, file, sink).parse_file();
}

OpParser::OpParser(const OpRegistry& ops, SourceFilePtr file, DiagnosticSink& sink)
    : file_(std::move(file)), sink_(sink), lexer_(file_->text()), module_(ops) {}

OpParser::~OpParser() {
  if (!failed_) return;
  for (const auto& op : failed_ops_) op->drop_all_references();
  module_.op().drop_all_references();
}

OpParser::Nesting::Nesting(OpParser& parser) : parser_(parser) {
  ++parser_.depth_;
  ++parser_.weight_;
  parser_.deepest_ = std::max(parser_.deepest_, parser_.depth_);
  ok_ = parser_.depth_ <= kMaxNesting;
  if (!ok_) {
    parser_.error({parser_.token_.begin, parser_.token_.end}, "LS1009",
                  "nested more than " + std::to_string(kMaxNesting) + " levels deep");
  }
}

void OpParser::advance() {
  last_end_ = token_.end;
  token_ = lexer_.next();
}

Token OpParser::take() {
  const Token token = token_;
  advance();
  return token;
}

void OpParser::move_to(std::uint32_t offset) {
  lexer_.move_to(offset);
  token_ = lexer_.next();
}

bool OpParser::consume(char c) {
  if (!token_.is(c)) return false;
  advance();
  return true;
}

bool OpParser::consume_word(std::string_view word) {
  if (!token_.is_word(word)) return false;
  advance();
  return true;
}

bool OpParser::consume_arrow() {
  if (!token_.is(Token::Kind::arrow)) return false;
  advance();
  return true;
}

bool OpParser::expect(char c) { return consume(c) || error_here(std::string("'") + c + "'"); }
bool OpParser::expect_word(std::string_view word) {
  return consume_word(word) || error_here("'" + std::string(word) + "'");
}
bool OpParser::expect_arrow() { return consume_arrow() || error_here("'->'"); }

bool OpParser::error(SourceRange range, DiagnosticCode code, std::string message, std::string hint) {
  failed_ = true;
  sink_.report({Severity::error, code, std::move(message), {file_, range}, {}, std::move(hint)});
  return false;
}

bool OpParser::error_here(std::string_view expected) {
  const SourceRange range{token_.begin, token_.end};
  if (token_.is(Token::Kind::unterminated_string))
    return error(range, "LS1015", "this string does not end on its line");
  if (token_.is(Token::Kind::error)) return error(range, "LS1015", "a character that has no meaning here");
  const std::string found = token_.is(Token::Kind::end) ? "the end of the file" : in_quotes(token_.text);
  return error(range, "LS1001", "expected " + std::string(expected) + ", found " + found);
}

Location OpParser::location_at(std::uint32_t offset) {
  const LineColumn place = file_->position(offset);
  return context().file_location(file_->path(), place.line, place.column - 1);
}

void OpParser::recover(std::uint32_t op_begin) {
  int open = 0;
  if (token_.begin == op_begin) advance();
  for (; !token_.is(Token::Kind::end); advance()) {
    if (open == 0 && starts_statement(token_) && is_first_on_line(file_->text(), token_.begin)) return;
    if (token_.is('(') || token_.is('{') || token_.is('[')) ++open;
    if (token_.is(')') || token_.is('}') || token_.is(']')) --open;
    if (open < 0) {
      if (token_.is('}')) return;
      open = 0;
    }
  }
}

std::optional<Module> OpParser::parse_file() {
  collect_aliases();
  advance();
  scopes_.push(true);
  parse_top_level();
  scopes_.pop();
  if (failed_) return std::nullopt;
  name_unlocated_arguments();
  Block& body = module_.body();
  if (body.ops().size() == 1 && body.ops().front()->spelling() == "builtin.module") {
    std::unique_ptr<Op> inner = body.ops().front()->detach();
    return Module(module_.shared_context(), std::move(inner));
  }
  module_.op().set_location(location_at(0));
  return std::move(module_);
}

bool OpParser::parse_top_level() {
  while (!token_.is(Token::Kind::end) && !sink_.is_full()) {
    const std::uint32_t begin = token_.begin;
    if (token_.is(Token::Kind::hash_id) || token_.is(Token::Kind::bang_id)) {
      if (!parse_alias_definition()) recover(begin);
      continue;
    }
    if (token_.is('{')) {  // resources of the file: carried by no op that Lockstep knows
      error_here("an op");
      return false;
    }
    if (!parse_op(module_.body())) recover(begin);
    if (token_.is('}')) {
      error_here("an op");
      advance();
    }
  }
  return !failed_;
}

bool OpParser::parse_ops_until_brace(Block& block) {
  while (!token_.is('}') && !token_.is(Token::Kind::caret_id)) {
    if (token_.is(Token::Kind::end)) return error_here("'}'");
    if (sink_.is_full()) return false;
    const std::uint32_t begin = token_.begin;
    if (!parse_op(block)) recover(begin);
  }
  return true;
}

bool OpParser::parse_result_names(std::vector<ResultName>& names) {
  if (!token_.is(Token::Kind::percent_id)) return true;
  do {
    if (!token_.is(Token::Kind::percent_id) || token_.text.size() < 2) return error_here("a value name");
    const Token name = take();
    ResultName result{name.text.substr(1), 1, {name.begin, name.end}};
    if (consume(':')) {
      const SourceRange range{token_.begin, token_.end};
      if (!parse_uint32(result.count)) return false;
      if (result.count == 0 || result.count > kMaxValuesPerOp) {
        return error(range, "LS1008", "the number of results must be between 1 and " + std::to_string(kMaxValuesPerOp));
      }
    }
    names.push_back(result);
  } while (consume(','));
  return expect('=');
}

void OpParser::poison(const std::vector<ResultName>& names) {
  for (const ResultName& name : names) {
    if (scopes_.find(name.name) == nullptr) scopes_.define(name.name, {{}, name.range});
  }
}

bool OpParser::parse_op(Block& block) {
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

bool OpParser::report_unknown_op(const Token& name) {
  std::vector<std::string_view> spellings;
  for (const OpDef* def : context().ops().rows()) spellings.push_back(def->spelling);
  const std::string_view spelling =
      name.is(Token::Kind::string) ? name.text.substr(1, name.text.size() - 2) : name.text;
  const std::string near = nearest_name(spelling, spellings);
  failed_ = true;
  sink_.report({Severity::unsupported,
                "LS1002",
                "op " + in_quotes(spelling) + " is not known to Lockstep",
                {file_, {name.begin, name.end}},
                {},
                near.empty() ? "" : "the nearest op it knows is '" + near + "'"});
  return false;
}

bool OpParser::parse_named_op(Block& block, std::vector<ResultName> names, std::uint32_t begin) {
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

bool OpParser::finish_op(Block& block, std::unique_ptr<Op> op, const std::vector<ResultName>& names,
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
  normalise(*op);
  Op* placed = block.append(std::move(op));
  return define_results(*placed, names);
}

bool OpParser::define_results(Op& op, const std::vector<ResultName>& names) {
  std::size_t declared = 0;
  for (const ResultName& name : names) declared += name.count;
  if (declared != op.result_count() && (declared != 0 || op.result_count() != 0)) {
    return error(op.span().range, "LS1012",
                 "'" + std::string(op.spelling()) + "' has " + std::to_string(op.result_count()) + " results, but " +
                     std::to_string(declared) + " are named");
  }
  std::size_t next = 0;
  bool good = true;
  for (const ResultName& name : names) {
    if (const ValueScopes::Entry* old = scopes_.find(name.name); old != nullptr) {
      failed_ = true;
      sink_.report({Severity::error,
                    "LS1005",
                    "'%" + std::string(name.name) + "' is already defined",
                    {file_, name.range},
                    {{"its first definition", {file_, old->range}}},
                    ""});
      next += name.count;
      good = false;
      continue;
    }
    ValueScopes::Entry entry{{}, name.range};
    for (std::uint32_t i = 0; i < name.count; ++i) {
      Value* value = op.result(next++);
      value->set_name(std::string(name.name) + (name.count > 1 ? "#" + std::to_string(i) : ""));
      entry.values.push_back(value);
      const ValueScopes::Unresolved* use = scopes_.waiting(name.name, i);
      if (use != nullptr && !use->is_silent && use->placeholder->type() != value->type()) {
        good = error(use->range, "LS1004",
                     "'%" + value->name() + "' is used here as " + use->placeholder->type().to_string() +
                         ", but its definition gives " + value->type().to_string());
      }
      scopes_.settle(name.name, i, value);
    }
    scopes_.define(name.name, std::move(entry));
    all_names_.insert(name.name);
  }
  return good;
}

void OpParser::name_unlocated_arguments() {
  if (!has_locations_) return;
  for (const auto& [value, name] : unlocated_arguments_) {
    const bool is_default = name.size() > 3 && name.starts_with("arg") &&
                            std::all_of(name.begin() + 3, name.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (is_default) continue;
    // The printer adds "_<number>" to a name that is taken, so the part before it is the variable's name.
    std::string base = name;
    const std::size_t mark = name.rfind('_');
    if (mark != std::string::npos && mark > 0 && mark + 1 < name.size() &&
        name.find_first_not_of("0123456789", mark + 1) == std::string::npos) {
      if (all_names_.contains(std::string_view(name).substr(0, mark))) base = name.substr(0, mark);
    }
    value->set_location(context().name_location(base));
  }
}

}  // namespace lockstep::ir
