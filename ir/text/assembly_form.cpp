#include "ir/text/assembly_form.h"

#include <array>
#include <mutex>
#include <string>

#include "ir/opcode.h"
#include "support/check.h"

namespace lockstep::ir {
namespace {

template <typename Specs>
std::size_t index_of(const Specs& specs, std::string_view name) {
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].name == name) return i;
  }
  return kNoIndex;
}

bool is_word_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

/// Reads one form text.
class FormCompiler {
 public:
  FormCompiler(const OpDef& def, AssemblyForm& form) : def_(def), form_(form), text_(def.form) {}

  void compile() {
    form_.shows_attribute.assign(def_.attributes.size(), false);
    form_.elements = elements_until_end(false);
    LOCKSTEP_CHECK(at_ == text_.size(), "unmatched ')' in the form of " + std::string(def_.spelling));
  }

 private:
  void skip_blanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  bool consume(std::string_view literal) {
    if (text_.substr(at_, literal.size()) != literal) return false;
    at_ += literal.size();
    return true;
  }

  std::vector<FormElement> elements_until_end(bool in_group) {
    std::vector<FormElement> elements;
    for (skip_blanks(); at_ < text_.size(); skip_blanks()) {
      if (in_group && text_.substr(at_, 2) == ")?") break;
      elements.push_back(element());
    }
    return elements;
  }

  std::string_view word() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_word_character(text_[at_])) ++at_;
    LOCKSTEP_CHECK(at_ > begin, "word expected in the form of " + std::string(def_.spelling));
    return text_.substr(begin, at_ - begin);
  }

  FormElement element() {
    if (consume("' '")) return literal(" ");
    if (consume("''")) return literal("");
    if (consume("'('")) return literal("(");
    if (consume("')'")) return literal(")");
    if (consume("->")) return literal("->");
    if (consume("(")) return group();
    if (consume("$")) return variable(word());
    if (!is_word_character(text_[at_])) {
      ++at_;
      return literal(text_.substr(at_ - 1, 1));
    }
    const std::string_view name = word();
    if (name == "attrs") return simple(FormElement::Kind::attrs);
    if (name == "signature") return simple(FormElement::Kind::signature);
    if (name == "types") return simple(FormElement::Kind::types);
    if (name == "result_types") return simple(FormElement::Kind::result_types);
    if (name == "successor") return simple(FormElement::Kind::successor);
    if (consume("($")) return call(name);
    FormElement result = simple(FormElement::Kind::keyword);
    result.text = name;
    return result;
  }

  FormElement simple(FormElement::Kind kind) const {
    FormElement result;
    result.kind = kind;
    return result;
  }

  FormElement literal(std::string_view text) const {
    FormElement result = simple(FormElement::Kind::punctuation);
    result.text = text;
    return result;
  }

  FormElement group() {
    FormElement result = simple(FormElement::Kind::group);
    result.elements = elements_until_end(true);
    LOCKSTEP_CHECK(consume(")?"), "')?' expected in the form of " + std::string(def_.spelling));
    return result;
  }

  FormElement variable(std::string_view name) {
    FormElement result = simple(FormElement::Kind::operand);
    result.index = operand_index(def_, name);
    if (result.index != kNoIndex) return result;
    result.kind = FormElement::Kind::attribute;
    result.index = attribute_index(def_, name);
    LOCKSTEP_CHECK(result.index != kNoIndex,
                   "unknown $" + std::string(name) + " in the form of " + std::string(def_.spelling));
    form_.shows_attribute[result.index] = true;
    return result;
  }

  FormElement call(std::string_view function) {
    const std::string_view name = word();
    LOCKSTEP_CHECK(consume(")"), "')' expected in the form of " + std::string(def_.spelling));
    if (function == "verbatim") {
      FormElement result = variable(name);
      result.kind = FormElement::Kind::verbatim;
      result.text = name == "overflowFlags" ? "overflow" : name;
      return result;
    }
    if (function == "token" || function == "barriers") {
      FormElement result = variable(name);
      result.kind = function == "token" ? FormElement::Kind::token : FormElement::Kind::barriers;
      return result;
    }
    FormElement result = simple(FormElement::Kind::operand_type);
    result.is_base = function == "base";
    result.index = operand_index(def_, name);
    if (result.index == kNoIndex) {
      result.kind = FormElement::Kind::result_type;
      result.index = result_index(def_, name);
    }
    LOCKSTEP_CHECK(result.index != kNoIndex && (function == "type" || function == "base"),
                   "unknown call in the form of " + std::string(def_.spelling));
    return result;
  }

  const OpDef& def_;
  AssemblyForm& form_;
  std::string_view text_;
  std::size_t at_ = 0;
};

struct FormOfRow {
  std::once_flag once;
  AssemblyForm form;
};

}  // namespace

const AssemblyForm& assembly_form(const OpDef& def) {
  static std::array<FormOfRow, kOpCount> table;
  FormOfRow& row = table[static_cast<std::size_t>(def.opcode)];
  std::call_once(row.once, [&] { FormCompiler(def, row.form).compile(); });
  return row.form;
}

std::size_t operand_index(const OpDef& def, std::string_view name) { return index_of(def.operands, name); }
std::size_t result_index(const OpDef& def, std::string_view name) { return index_of(def.results, name); }
std::size_t attribute_index(const OpDef& def, std::string_view name) { return index_of(def.attributes, name); }

std::string_view enum_name(const EnumSpec& spec, std::int64_t value) {
  for (const EnumCase& entry : spec.cases) {
    if (entry.value == value) return entry.name;
  }
  return "";
}

std::string enum_text(const EnumSpec& spec, std::int64_t value) {
  std::string text(enum_name(spec, value));
  if (!text.empty() || !spec.is_flags) return text;
  for (const EnumCase& entry : spec.cases) {
    const bool is_one_bit = entry.value > 0 && (entry.value & (entry.value - 1)) == 0;
    if (!is_one_bit || (value & entry.value) == 0) continue;
    text += (text.empty() ? "" : "|") + std::string(entry.name);
    value &= ~entry.value;
  }
  return value == 0 ? text : "";
}

bool enum_value(const EnumSpec& spec, std::string_view name, std::int64_t& value) {
  for (const EnumCase& entry : spec.cases) {
    if (entry.name != name) continue;
    value = entry.value;
    return true;
  }
  return false;
}

std::string with_article(std::string_view noun) {
  const bool starts_with_vowel = !noun.empty() && std::string_view("aeiou").find(noun[0]) != std::string_view::npos;
  return (starts_with_vowel ? "an " : "a ") + std::string(noun);
}

}  // namespace lockstep::ir
