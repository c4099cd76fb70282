// The language of OpDef::form, which drives both the parser and the printer of an op's text:
//   $name          an operand group or an attribute of the row (an enum by its keyword, a unit attribute by nothing)
//   type($name)    the type(s) of an operand or result group      base($name)  the same without "!dialect.mnemonic"
//   attrs          the attribute dictionary, without what the form shows elsewhere
//   types          the types of all operands, one after another; result_types: those of all results
//   signature      (operand types) -> result types
//   successor      ^block(values : types), once per branch target
//   verbatim($a)   keyword<...> kept as written, for flags such as overflow<nsw> (attribute #dialect.overflow<nsw>)
//   token($name)   [value], [] or nothing: an optional token, printed if the op has the result 'token'
//   barriers($a)   , value[predicate] for each member of group $a and of the group behind it
//   ''             no blank where MLIR's rule puts one
//   ( ... )?       present if its first $name or type($name) has a value; keyword-led groups may come in any order
//   ' '            a blank where MLIR puts one against its own rule
//   words, , : = * -> [ ]  stand for themselves; '(' and ')' are literal parentheses
// Types that a form does not mention come from OpDef::relations. A form that is not well formed is a defect of
// Lockstep.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

struct FormElement {
  enum class Kind : std::uint8_t {
    keyword,
    punctuation,
    operand,
    attribute,
    operand_type,
    result_type,
    attrs,
    signature,
    types,
    result_types,
    successor,
    verbatim,
    token,
    barriers,
    group
  } kind = Kind::keyword;
  std::string_view text;              // keyword, punctuation
  std::size_t index = 0;              // spec index of operand, attribute, type
  bool is_base = false;               // types: base(...)
  std::vector<FormElement> elements;  // group
};

struct AssemblyForm {
  std::vector<FormElement> elements;
  std::vector<bool> shows_attribute;  // by attribute spec: printed outside the dictionary
};

/// The compiled form of a row; empty elements if the row has none. Computed when first asked for.
const AssemblyForm& assembly_form(const OpDef& def);

/// Index of a group by name, or npos.
std::size_t operand_index(const OpDef& def, std::string_view name);
std::size_t result_index(const OpDef& def, std::string_view name);
std::size_t attribute_index(const OpDef& def, std::string_view name);
inline constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

/// The name of an enum's value, "" if it has none; and the inverse (false if unknown).
std::string_view enum_name(const EnumSpec& spec, std::int64_t value);
/// The same, also for a set of flags: "local|global_read".
std::string enum_text(const EnumSpec& spec, std::int64_t value);
bool enum_value(const EnumSpec& spec, std::string_view name, std::int64_t& value);
/// "an integer comparison", for messages.
std::string with_article(std::string_view noun);

}  // namespace lockstep::ir
