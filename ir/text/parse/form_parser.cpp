#include "ir/text/parse/form_parser.h"

#include <algorithm>

#include "ir/text/assembly_form.h"
#include "ir/text/nearest_name.h"
#include "ir/verify/row_rules.h"
#include "ir/verify/type_relation.h"

namespace lockstep::ir {

namespace {

class FormParser {
 public:
  FormParser(OpParser& parser, Op& op)
      : parser_(parser),
        op_(op),
        def_(op.def()),
        operands_(def_.operands.size()),
        operand_types_(def_.operands.size()),
        result_types_(def_.results.size()) {}

  bool parse() {
    const AssemblyForm& form = assembly_form(def_);
    return parse_elements(form.elements) && check_counts() && infer_types() && build();
  }

 private:
  using Kind = FormElement::Kind;

  bool parse_elements(const std::vector<FormElement>& elements) {
    for (std::size_t i = 0; i < elements.size(); ++i) {
      if (is_keyword_group(elements[i])) {
        std::size_t end = i;
        while (end < elements.size() && is_keyword_group(elements[end])) ++end;
        if (!parse_groups_in_any_order(elements, i, end)) return false;
        i = end - 1;
      } else if (!parse_element(elements[i])) {
        return false;
      }
    }
    return true;
  }

  static bool is_keyword_group(const FormElement& element) {
    return element.kind == Kind::group && element.elements[0].kind == Kind::keyword;
  }

  bool parse_groups_in_any_order(const std::vector<FormElement>& elements, std::size_t begin, std::size_t end) {
    std::vector<bool> done(end - begin, false);
    for (bool progress = true; progress;) {
      progress = false;
      for (std::size_t i = begin; i < end; ++i) {
        if (done[i - begin] || !starts_here(elements[i].elements[0])) continue;
        if (!parse_elements(elements[i].elements)) return false;
        done[i - begin] = progress = true;
      }
    }
    return true;
  }

  bool starts_here(const FormElement& element) const {
    const Token& token = parser_.peek();
    switch (element.kind) {
      case Kind::keyword: return token.is_word(element.text);
      case Kind::punctuation: return token.text == element.text && !token.is(Token::Kind::string);
      case Kind::operand: return token.is(Token::Kind::percent_id);
      case Kind::attribute: {
        const AttributeSpec& spec = def_.attributes[element.index];
        std::int64_t value = 0;
        return spec.enumeration != nullptr && token.is(Token::Kind::bare_id) &&
               enum_value(*spec.enumeration, token.text, value);
      }
      default: return false;
    }
  }

  bool parse_element(const FormElement& element) {
    switch (element.kind) {
      case Kind::keyword: return parser_.expect_word(element.text);
      case Kind::punctuation:
        if (element.text == "->") return parser_.expect_arrow();
        return element.text.empty() || element.text == " " || parser_.expect(element.text[0]);
      case Kind::operand: return parse_operand_group(element.index);
      case Kind::attribute: return parse_shown_attribute(def_.attributes[element.index]);
      case Kind::operand_type:
        return parse_types(element, def_.operands[element.index].arity, operand_types_[element.index]);
      case Kind::result_type:
        return parse_types(element, def_.results[element.index].arity, result_types_[element.index]);
      case Kind::attrs: return parser_.parse_optional_attributes(op_);
      case Kind::signature: return parse_signature();
      case Kind::types: return parse_operand_types();
      case Kind::result_types: return parse_all_result_types();
      case Kind::successor: return add_condition() && parser_.parse_successor(op_);
      case Kind::verbatim: return parse_verbatim(element);
      case Kind::token: return parse_token(element.index);
      case Kind::barriers: return parse_barriers(element.index);
      case Kind::group: return !starts_here(element.elements[0]) || parse_elements(element.elements);
    }
    return false;
  }

  bool parse_operand_group(std::size_t index) {
    if (def_.operands[index].arity == Arity::variadic) return parser_.parse_operands(operands_[index]);
    return parser_.parse_operand(operands_[index].emplace_back());
  }

  /// "[%t]", "[]" or nothing: the op has a token, with a token before it or without.
  bool parse_token(std::size_t index) {
    if (!parser_.consume('[')) return true;
    result_types_[result_index(def_, "token")] = {parser_.context().token()};
    if (parser_.consume(']')) return true;
    return parser_.parse_operand(operands_[index].emplace_back()) && parser_.expect(']');
  }

  /// ", %barrier[%pred]", any number of times.
  bool parse_barriers(std::size_t index) {
    while (parser_.consume(',')) {
      if (!parser_.parse_operand(operands_[index].emplace_back()) || !parser_.expect('[')) return false;
      if (!parser_.parse_operand(operands_[index + 1].emplace_back()) || !parser_.expect(']')) return false;
      if (operands_[index].size() > kMaxValuesPerOp) return parser_.error_here("fewer barriers");
    }
    return true;
  }

  bool parse_shown_attribute(const AttributeSpec& spec) {
    if (spec.rule == AttributeRule::unit) {
      op_.set_attribute(spec.name, parser_.context().unit());
      return true;
    }
    if (spec.rule == AttributeRule::enumeration) return parse_enum(spec);
    if (spec.rule == AttributeRule::dense_array_i32) return parse_bare_array(spec);
    if (spec.rule == AttributeRule::string && !parser_.peek().is(Token::Kind::string))
      return parser_.error_here("a string");
    if (spec.rule == AttributeRule::symbol && !parser_.peek().is(Token::Kind::at_id))
      return parser_.error_here("a symbol such as @f");
    if (spec.rule == AttributeRule::string) {
      op_.set_attribute(spec.name, parser_.context().string(unescape(parser_.take().text)));
      return true;
    }
    const bool is_i32 = spec.rule == AttributeRule::i32;
    const Attribute value = parser_.parse_attribute(is_i32 ? parser_.context().integer(32) : Type());
    if (value) op_.set_attribute(spec.name, value);
    return static_cast<bool>(value);
  }

  /// [5, 10]
  bool parse_bare_array(const AttributeSpec& spec) {
    std::vector<std::int64_t> values;
    if (!parser_.expect('[')) return false;
    while (!parser_.at(']')) {
      if (!values.empty() && !parser_.expect(',')) return false;
      const Attribute value = parser_.parse_attribute(parser_.context().integer(32));
      if (!value) return false;
      if (!value.is_integer() || values.size() >= kMaxValuesPerOp) return parser_.error_here("an integer");
      values.push_back(value->integer);
    }
    op_.set_attribute(spec.name, parser_.context().dense_array(parser_.context().integer(32), std::move(values)));
    return parser_.expect(']');
  }

  bool parse_enum(const AttributeSpec& spec) {
    std::int64_t value = 0;
    if (!parse_enum_case(spec, value)) return false;
    while (spec.enumeration->is_flags && parser_.consume('|')) {
      std::int64_t more = 0;
      if (!parse_enum_case(spec, more)) return false;
      value |= more;
    }
    const bool is_predicate = spec.name == "predicate";
    const Type type = parser_.context().integer(is_predicate ? 64 : 32);
    op_.set_attribute(spec.name, parser_.context().integer_attribute(type, value));
    return true;
  }

  bool parse_enum_case(const AttributeSpec& spec, std::int64_t& value) {
    const Token& token = parser_.peek();
    const bool is_word = token.is(Token::Kind::bare_id);
    if (is_word && enum_value(*spec.enumeration, token.text, value)) {
      parser_.take();
      return true;
    }
    std::vector<std::string_view> names;
    std::string all;
    for (const EnumCase& entry : spec.enumeration->cases) {
      names.push_back(entry.name);
      all += (all.empty() ? "" : ", ") + std::string(entry.name);
    }
    const std::string near = is_word ? nearest_name(token.text, names) : "";
    const std::string hint = near.empty() ? "one of " + all : "did you mean '" + near + "'?";
    return parser_.error({token.begin, token.end}, "LS1007", "expected " + with_article(spec.enumeration->name), hint);
  }

  bool parse_verbatim(const FormElement& element) {
    if (!parser_.peek().is_word(element.text)) return true;
    parser_.take();
    if (!parser_.at('<')) return parser_.error_here("'<'");
    const std::uint32_t begin = parser_.peek().begin;
    if (!parser_.skip_balanced()) return false;
    const SourceRange range = parser_.range_from(begin);
    const std::string flags(parser_.text().substr(range.begin, range.end - range.begin));
    op_.set_attribute(def_.attributes[element.index].name,
                      parser_.context().opaque_attribute("#arith." + std::string(element.text) + flags));
    return true;
  }

  bool parse_types(const FormElement& element, Arity arity, std::vector<Type>& types) {
    if (arity == Arity::variadic) return parser_.parse_type_list(types);
    const bool is_result = element.kind == Kind::result_type;
    const TypeRule rule = is_result ? def_.results[element.index].rule : def_.operands[element.index].rule;
    const bool is_descriptor = is_result && rule == TypeRule::descriptor;
    const std::string_view base = rule == TypeRule::memdesc ? "memdesc"
                                  : rule == TypeRule::aref  ? "aref"
                                  : is_descriptor           ? "tensordesc"
                                                            : "ptr";
    const Type type = element.is_base ? parser_.parse_base_type(base) : parser_.parse_type();
    if (type) types.push_back(type);
    return static_cast<bool>(type);
  }

  bool parse_signature() {
    const std::uint32_t begin = parser_.peek().begin;
    std::vector<Type> inputs;
    std::vector<Type> results;
    if (!parser_.parse_signature(inputs, results)) return false;
    return distribute_operands(inputs, begin) && distribute_results(results, begin);
  }

  bool parse_operand_types() {
    const std::uint32_t begin = parser_.peek().begin;
    std::vector<Type> types;
    return parser_.parse_type_list(types) && distribute_operands(types, begin);
  }

  bool parse_all_result_types() {
    const std::uint32_t begin = parser_.peek().begin;
    std::vector<Type> types;
    return parser_.parse_type_list(types) && distribute_results(types, begin);
  }

  bool distribute_operands(const std::vector<Type>& types, std::uint32_t begin) {
    std::size_t count = 0;
    for (const auto& group : operands_) count += group.size();
    if (count != types.size()) {
      return parser_.error(parser_.range_from(begin), "LS1014",
                           std::to_string(count) + " operands, but " + std::to_string(types.size()) + " types");
    }
    auto next = types.begin();
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const auto size = static_cast<std::ptrdiff_t>(operands_[i].size());
      operand_types_[i].assign(next, next + size);
      next += size;
    }
    return true;
  }

  bool distribute_results(const std::vector<Type>& results, std::uint32_t begin) {
    if (result_types_.size() == 1 && def_.results[0].arity == Arity::variadic) {
      result_types_[0] = results;
      return true;
    }
    const std::vector<std::size_t> specs = specs_of_results(def_, results);
    if (specs.size() != results.size() || (results.empty() && !def_.results.empty())) {
      return parser_.error(
          parser_.range_from(begin), "LS1012",
          "'" + std::string(def_.spelling) + "' has " + std::to_string(result_types_.size()) + " results");
    }
    for (std::size_t i = 0; i < results.size(); ++i) result_types_[specs[i]].push_back(results[i]);
    return true;
  }

  /// Branches: the operands before the first target are complete when it is reached.
  bool add_condition() {
    if (!op_.successors().empty() || operands_.empty() || operands_[0].empty()) return true;
    operand_types_[0].assign(operands_[0].size(), parser_.context().integer(1));
    return parser_.add_operands(op_, operands_[0], operand_types_[0]);
  }

  bool check_counts() {
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const std::size_t types = operand_types_[i].size();
      if (types == 0 || types == operands_[i].size()) continue;
      return parser_.error(parser_.range_from(op_.span().range.begin), "LS1014",
                           std::to_string(operands_[i].size()) + " values for '" + std::string(def_.operands[i].name) +
                               "', but " + std::to_string(types) + " types");
    }
    return true;
  }

  std::size_t wanted(const RelationTerm& term) const { return term.is_result ? 1 : operands_[term.index].size(); }
  std::vector<Type>& types_of(const RelationTerm& term) {
    return term.is_result ? result_types_[term.index] : operand_types_[term.index];
  }

  bool infer_types() {
    if (def_.successor_count != 0) return true;
    for (bool progress = true; progress;) {
      progress = false;
      for (const Relation& relation : relations_of(def_)) {
        if (relation.left.function != RelationTerm::Function::same || !types_of(relation.left).empty()) continue;
        if (is_list(relation.right)) {
          types_of(relation.left) = apply_list(relation.right, types_of(relation.right));
          progress = !types_of(relation.left).empty();
          continue;
        }
        const std::size_t count = wanted(relation.left);
        if (count == 0) continue;
        const bool is_fixed = relation.right.function == RelationTerm::Function::fixed;
        if (!is_fixed && types_of(relation.right).empty()) continue;
        const Type source = is_fixed ? Type() : types_of(relation.right)[0];
        const Type type = apply_term(parser_.context(), relation.right, source);
        if (!type) return no_such_type(relation, source);
        types_of(relation.left).assign(count, type);
        progress = true;
      }
    }
    return true;
  }

  bool no_such_type(const Relation& relation, Type source) {
    return parser_.error(parser_.range_from(op_.span().range.begin), "LS1004",
                         "the type of '" + std::string(relation.left.name) + "' should be " + describe(relation.right) +
                             ", but that is " + source.to_string());
  }

  bool build() {
    if (def_.successor_count == 0) {
      std::vector<std::uint32_t> segments;
      for (std::size_t i = 0; i < operands_.size(); ++i) {
        if (!parser_.add_operands(op_, operands_[i], operand_types_[i])) return false;
        segments.push_back(static_cast<std::uint32_t>(operands_[i].size()));
      }
      if (has_operand_segments(def_)) op_.set_operand_segments(std::move(segments));
    }
    for (const std::vector<Type>& types : result_types_) {
      for (const Type type : types) op_.add_result(type);
    }
    return true;
  }

  OpParser& parser_;
  Op& op_;
  const OpDef& def_;
  std::vector<std::vector<OperandName>> operands_;
  std::vector<std::vector<Type>> operand_types_;
  std::vector<std::vector<Type>> result_types_;
};

}  // namespace

bool parse_by_form(OpParser& parser, Op& op) { return FormParser(parser, op).parse(); }

}  // namespace lockstep::ir
