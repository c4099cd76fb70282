#include "frontend/eval/named_tuple.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "frontend/eval/python_class.h"

namespace lockstep::frontend {

namespace {

/// The names in ["a", "b"] or "a b, c"; nullopt if they are not literal.
std::optional<std::vector<std::string>> field_names(const Value& list) {
  std::vector<std::string> names;
  if (list.is_string()) {
    std::string word;
    for (const char c : list.constant()->text() + " ") {
      if (c != ' ' && c != ',') {
        word += c;
      } else if (!word.empty()) {
        names.push_back(std::exchange(word, {}));
      }
    }
    return names;
  }
  if (list.elements() == nullptr) return std::nullopt;
  for (const Value& item : *list.elements()) {
    // typing.NamedTuple takes pairs of a name and a type.
    const Value& name = item.elements() != nullptr && !item.elements()->empty() ? item.elements()->front() : item;
    if (!name.is_string()) return std::nullopt;
    names.push_back(name.constant()->text());
  }
  return names;
}

}  // namespace

std::string_view last_name(const ast::Expr& node) {
  if (const auto* name = node.as<ast::Name>()) return name->id;
  if (const auto* attribute = node.as<ast::Attribute>()) return attribute->attr;
  if (const auto* call = node.as<ast::Call>()) return last_name(*call->func);
  return {};
}

bool is_named_tuple_call(const ast::Call& node) {
  const std::string_view name = last_name(*node.func);
  return (name == "namedtuple" || name == "NamedTuple") && node.args.size() == 2 && node.keywords.empty();
}

Value named_tuple_class(Modules& modules, const PythonModule& module, const Value& name, const Value& fields) {
  const std::optional<std::vector<std::string>> names = field_names(fields);
  if (!name.is_string() || !names) return OpaqueValue{"a namedtuple whose fields are not written out"};
  auto type = std::make_unique<PythonClass>();
  type->name = name.constant()->text();
  type->module = &module;
  for (const std::string& field : *names) type->fields.push_back({field, nullptr, nullptr});
  return modules.keep(std::move(type));
}

}  // namespace lockstep::frontend
