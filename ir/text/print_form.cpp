// Ops in their own text: walks the row's assembly form. Blanks follow MLIR's rule: none after an opening bracket, none
// before a closing one or a comma, none between a value and an opening bracket.
#include <algorithm>

#include "ir/op_def.h"
#include "ir/text/assembly_form.h"
#include "ir/text/printer.h"
#include "ir/verify/row_rules.h"

namespace lockstep::ir {
namespace {

constexpr std::string_view kOpening = "<({[";
constexpr std::string_view kClosing = ">)}],";

bool contains(std::string_view set, char c) { return set.find(c) != std::string_view::npos; }

class FormPrinter {
 public:
  FormPrinter(OpPrinter& printer, const Op& op)
      : printer_(printer), op_(op), def_(op.def()), form_(assembly_form(def_)) {}

  void print() { print_elements(form_.elements); }

 private:
  using Kind = FormElement::Kind;

  void print_elements(const std::vector<FormElement>& elements) {
    for (const FormElement& element : elements) print_element(element);
  }

  void print_element(const FormElement& element) {
    switch (element.kind) {
      case Kind::keyword:
      case Kind::punctuation: print_literal(element.text); return;
      case Kind::operand:
        begin_variable();
        printer_.print_values(op_.operand_group(element.index));
        return;
      case Kind::attribute: print_shown_attribute(def_.attributes[element.index]); return;
      case Kind::operand_type:
        begin_variable();
        print_operand_types(element);
        return;
      case Kind::result_type:
        begin_variable();
        print_result_types(element);
        return;
      case Kind::attrs: print_dictionary(); return;
      case Kind::signature: print_signature(); return;
      case Kind::types:
        begin_variable();
        printer_.print_types(op_.operands());
        return;
      case Kind::result_types:
        begin_variable();
        for (std::size_t i = 0; i < op_.result_count(); ++i)
          printer_ << (i == 0 ? "" : ", ") << op_.result(i)->type();
        return;
      case Kind::successor:
        begin_variable();
        printer_.print_successor(op_, next_successor_++);
        return;
      case Kind::verbatim: print_verbatim(element); return;
      case Kind::token: print_token(element); return;
      case Kind::barriers: print_barriers(element); return;
      case Kind::group:
        if (is_present(element)) print_elements(element.elements);
        return;
    }
  }

  bool is_present(const FormElement& group) const {
    for (const FormElement& element : group.elements) {
      if (element.kind == Kind::operand || element.kind == Kind::operand_type)
        return !op_.operand_group(element.index).empty();
      if (element.kind == Kind::result_type) return is_result_present(element.index);
      if (element.kind == Kind::attribute) return has_value(def_.attributes[element.index]);
    }
    return true;
  }

  bool is_result_present(std::size_t spec) const {
    const std::vector<std::size_t> specs = specs_of_results(op_);
    return std::find(specs.begin(), specs.end(), spec) != specs.end();
  }

  bool has_value(const AttributeSpec& spec) const {
    const Attribute value = op_.attribute(spec.name);
    if (!value) return false;
    return spec.presence != Presence::defaulted || !value.is_integer() || value->integer != spec.default_value;
  }

  void begin_variable() {
    if (wants_space_ || !after_punctuation_) printer_ << " ";
    wants_space_ = true;
    after_punctuation_ = false;
  }

  void print_literal(std::string_view text) {
    if (text.empty() || text == " ") {
      printer_ << text;
      wants_space_ = false;
      after_punctuation_ = true;
      return;
    }
    const bool is_bracket =
        text.size() == 1 && (contains(kClosing, text[0]) || (!after_punctuation_ && contains(kOpening, text[0])));
    if (wants_space_ && !is_bracket) printer_ << " ";
    printer_ << text;
    wants_space_ = text.size() != 1 || !contains(kOpening, text[0]);
    const bool is_word = (text[0] >= 'a' && text[0] <= 'z') || (text[0] >= 'A' && text[0] <= 'Z') || text[0] == '_';
    after_punctuation_ = !is_word;
  }

  void print_shown_attribute(const AttributeSpec& spec) {
    if (spec.rule == AttributeRule::unit) return;
    begin_variable();
    const Attribute value = op_.attribute(spec.name);
    if (spec.rule == AttributeRule::enumeration && value.is_integer()) {
      const std::string name = enum_text(*spec.enumeration, value->integer);
      if (name.empty())
        printer_ << "<" << std::to_string(value->integer) << ">";
      else
        printer_ << name;
    } else if (spec.rule == AttributeRule::i32 && value.is_integer()) {
      printer_ << std::to_string(value->integer);
    } else if (value.is_dense_array()) {
      print_bare_array(value);
    } else {
      printer_.print_attribute_value(value);
    }
  }

  void print_bare_array(Attribute value) {
    printer_ << "[";
    for (std::size_t i = 0; i < value->values.size(); ++i) {
      printer_ << (i == 0 ? "" : ", ") << std::to_string(value->values[i]);
    }
    printer_ << "]";
  }

  void print_type(Type type, bool is_base) {
    std::string text = printer_.spell(type);
    if (is_base && (type.is_pointer() || type.is_descriptor() || type.is_memdesc() || type.is_aref())) text = text.substr(text.find('<'));
    printer_ << text;
  }

  void print_operand_types(const FormElement& element) {
    const std::vector<Value*> group = op_.operand_group(element.index);
    for (std::size_t i = 0; i < group.size(); ++i) {
      if (i != 0) printer_ << ", ";
      print_type(group[i]->type(), element.is_base);
    }
  }

  void print_result_types(const FormElement& element) {
    const std::vector<std::size_t> specs = specs_of_results(op_);
    bool is_first = true;
    for (std::size_t i = 0; i < specs.size(); ++i) {
      if (specs[i] != element.index) continue;
      if (!is_first) printer_ << ", ";
      is_first = false;
      print_type(op_.result(i)->type(), element.is_base);
    }
  }

  void print_token(const FormElement& element) {
    begin_variable();
    if (!is_result_present(result_index(def_, "token"))) return;
    printer_ << "[";
    printer_.print_values(op_.operand_group(element.index));
    printer_ << "]";
  }

  void print_barriers(const FormElement& element) {
    begin_variable();
    const std::vector<Value*> barriers = op_.operand_group(element.index);
    const std::vector<Value*> predicates = op_.operand_group(element.index + 1);
    for (std::size_t i = 0; i < barriers.size() && i < predicates.size(); ++i)
      printer_ << ", " << barriers[i] << "[" << predicates[i] << "]";
  }

  void print_dictionary() {
    std::vector<std::string_view> hidden;
    for (std::size_t i = 0; i < def_.attributes.size(); ++i) {
      if (form_.shows_attribute[i]) hidden.push_back(def_.attributes[i].name);
    }
    printer_.print_attributes(op_, hidden);
    after_punctuation_ = false;
  }

  void print_signature() {
    begin_variable();
    std::vector<Type> inputs;
    std::vector<Type> results;
    for (const Value* operand : op_.operands()) inputs.push_back(operand->type());
    for (std::size_t i = 0; i < op_.result_count(); ++i) results.push_back(op_.result(i)->type());
    printer_.print_function_type(inputs, results);
  }

  void print_verbatim(const FormElement& element) {
    const Attribute value = op_.attribute(def_.attributes[element.index].name);
    if (!value || value->kind != AttributeNode::Kind::opaque) return;
    begin_variable();
    const std::size_t open = value->text.find('<');
    printer_ << element.text
             << (open == std::string::npos ? std::string_view() : std::string_view(value->text).substr(open));
  }

  OpPrinter& printer_;
  const Op& op_;
  const OpDef& def_;
  const AssemblyForm& form_;
  bool wants_space_ = true;
  bool after_punctuation_ = false;
  std::size_t next_successor_ = 0;
};

}  // namespace

void OpPrinter::print_form(const Op& op) { FormPrinter(*this, op).print(); }

}  // namespace lockstep::ir
