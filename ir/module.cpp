#include "ir/module.h"

#include "ir/interfaces/op_kinds.h"
#include "ir/op_registry.h"
#include "support/check.h"

namespace lockstep::ir {

Module::Module(const OpRegistry& ops) : Module(std::make_shared<Context>(ops)) {}

Module::Module(std::shared_ptr<Context> context) : context_(std::move(context)) {
  op_ = Op::create(context_->ops().row("builtin.module"), {});
  op_->add_region().add_block();
}

Module::Module(std::shared_ptr<Context> context, std::unique_ptr<Op> module_op)
    : context_(std::move(context)), op_(std::move(module_op)) {
  LOCKSTEP_CHECK(op_ && op_->spelling() == "builtin.module" && op_->regions().size() == 1 && !op_->region().empty(),
                 "a Module needs a builtin.module with a block");
}

Module::~Module() = default;

std::vector<Op*> Module::functions() const {
  std::vector<Op*> result;
  for (const auto& op : body().ops()) {
    if (is_function(*op)) result.push_back(op.get());
  }
  return result;
}

Op* Module::find_function(std::string_view symbol) const {
  for (const auto& op : body().ops()) {
    if (is_function(*op) && symbol_name(*op) == symbol) return op.get();
  }
  return nullptr;
}

std::vector<Op*> Module::kernels() const {
  std::vector<Op*> result;
  for (Op* function : functions()) {
    if (!is_private(*function)) result.push_back(function);
  }
  return result;
}

std::string_view symbol_name(const Op& function) {
  const Attribute name = function.attribute("sym_name");
  return name.is_string() ? std::string_view(name->text) : std::string_view();
}

Type function_type(const Op& function) {
  const Attribute type = function.attribute("function_type");
  return type && type->kind == AttributeNode::Kind::type ? type->type : Type();
}

bool is_private(const Op& function) {
  const Attribute visibility = function.attribute("sym_visibility");
  return visibility.is_string() && visibility->text == "private";
}

bool is_noinline(const Op& function) { return function.integer_attribute("noinline", 0) != 0; }

Attribute argument_attribute(const Op& function, std::size_t i, std::string_view name) {
  const Attribute all = function.attribute("arg_attrs");
  if (!all || all->kind != AttributeNode::Kind::array || i >= all->elements.size()) return {};
  const Attribute entries = all->elements[i];
  if (!entries || entries->kind != AttributeNode::Kind::dictionary) return {};
  for (const NamedAttribute& entry : entries->entries) {
    if (entry.name == name) return entry.value;
  }
  return {};
}

void set_argument_attribute(Context& context, Op& function, std::size_t i, std::string_view name, Attribute value) {
  const Attribute old = function.attribute("arg_attrs");
  std::vector<Attribute> all;
  if (old && old->kind == AttributeNode::Kind::array) all = old->elements;
  const std::size_t count = function_type(function).inputs().size();
  while (all.size() < count || all.size() <= i) all.push_back(context.dictionary({}));
  std::vector<NamedAttribute> entries = all[i]->entries;
  bool replaced = false;
  for (NamedAttribute& entry : entries) {
    if (entry.name != name) continue;
    entry.value = value;
    replaced = true;
  }
  if (!replaced) entries.push_back({std::string(name), value});
  all[i] = context.dictionary(std::move(entries));
  function.set_attribute("arg_attrs", context.array(std::move(all)));
}

}  // namespace lockstep::ir
