#include "frontend/builtins/argument_record.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "frontend/host/host_operators.h"
#include "frontend/host/host_values.h"

namespace lockstep::frontend {

namespace {

struct TypeRow {
  std::string_view element, torch;  // Triton's and torch's name
  int bytes;
};
constexpr std::array<TypeRow, 17> kTypes{{{"u1", "bool", 1},
                                          {"i1", "bool", 1},
                                          {"i8", "int8", 1},
                                          {"u8", "uint8", 1},
                                          {"i16", "int16", 2},
                                          {"u16", "uint16", 2},
                                          {"i32", "int32", 4},
                                          {"u32", "uint32", 4},
                                          {"i64", "int64", 8},
                                          {"u64", "uint64", 8},
                                          {"fp8e4nv", "float8_e4m3fn", 1},
                                          {"fp8e5", "float8_e5m2", 1},
                                          {"fp8e4b8", "float8_e4m3fnuz", 1},
                                          {"fp16", "float16", 2},
                                          {"bf16", "bfloat16", 2},
                                          {"fp32", "float32", 4},
                                          {"fp64", "float64", 8}}};

struct TypeAlias {
  std::string_view name, torch;
};
constexpr std::array<TypeAlias, 7> kTypeAliases{{{"half", "float16"},
                                                 {"float", "float32"},
                                                 {"double", "float64"},
                                                 {"short", "int16"},
                                                 {"int", "int32"},
                                                 {"long", "int64"},
                                                 {"float8_e5m2fnuz", "float8_e5m2fnuz"}}};

Value record_of(std::string type, std::vector<NamedValue> fields) {
  return RecordValue{std::move(type), std::make_shared<const std::vector<NamedValue>>(std::move(fields))};
}

const TypeRow* find_torch(std::string_view torch) {
  const auto* found =
      std::find_if(kTypes.begin(), kTypes.end(), [&](const TypeRow& row) { return row.torch == torch; });
  return found == kTypes.end() ? nullptr : found;
}

bool is_floating(const TypeRow& row) { return row.torch.find("float") != std::string_view::npos; }

/// sizes[index], or all of them without an index.
ValueResult one_or_all(const Value* sizes, const std::vector<Value>& arguments) {
  if (sizes == nullptr) return failure("the sizes of an argument that is given by its type alone");
  return arguments.empty() ? ValueResult(*sizes) : subscript_host(*sizes, arguments[0]);
}

ValueResult element_count(const Value* shape) {
  if (shape == nullptr) return failure("the sizes of an argument that is given by its type alone");
  Integer count = 1;
  for (const Value& size : *shape->elements()) count *= size.constant()->as_integer();
  return Value(Constant::integer(count));
}

}  // namespace

ValueResult make_config(const std::vector<Value>& arguments,
                        const std::vector<std::pair<std::string, Value>>& keywords) {
  constexpr std::array<std::string_view, 7> kNames{"kwargs",  "num_warps", "num_stages", "num_ctas",
                                                   "maxnreg", "pre_hook",  "ir_override"};
  std::vector<NamedValue> fields{
      {"kwargs", Value()}, {"num_warps", integer_value(4)}, {"num_stages", integer_value(3)}};
  if (arguments.size() > kNames.size()) return failure("TypeError: triton.Config() takes 1 to 7 arguments");
  const auto set = [&](std::string_view name, const Value& value) {
    for (NamedValue& field : fields) {
      if (field.name == name) field.value = value;
    }
  };
  for (std::size_t i = 0; i < arguments.size(); ++i) set(kNames[i], arguments[i]);
  for (const auto& [name, value] : keywords) {
    if (std::find(kNames.begin(), kNames.end(), name) == kNames.end())
      return failure(fmt::format("TypeError: triton.Config() got an unexpected keyword argument '{}'", name));
    set(name, value);
  }
  if (fields[0].value.dict() == nullptr) {
    const OpaqueValue* opaque = fields[0].value.opaque();
    return failure(opaque != nullptr ? opaque->what : "TypeError: triton.Config() needs a dict");
  }
  return record_of("triton.Config", std::move(fields));
}

Value tensor_record(std::string_view element, const std::optional<std::vector<std::int64_t>>& shape,
                    const std::optional<std::vector<std::int64_t>>& strides) {
  std::vector<NamedValue> fields;
  if (const std::string_view name = torch_name(element); !name.empty())
    fields.push_back({"dtype", HostFunction{"torch." + std::string(name)}});
  if (shape) {
    fields.push_back({"shape", tuple_of_integers(*shape)});
    fields.push_back({"ndim", integer_value(static_cast<std::int64_t>(shape->size()))});
  }
  if (strides) fields.push_back({"strides", tuple_of_integers(*strides)});
  return record_of("torch.Tensor", std::move(fields));
}

Value valueless_record() { return record_of("argument", {}); }

std::optional<Value> record_attribute(const Value& record, const std::string& name) {
  const Value* field = name == "strides" && record.record()->type == "torch.Tensor" ? nullptr : field_of(record, name);
  return field != nullptr ? std::optional(*field) : std::nullopt;
}

bool is_record_method(const Value& record, std::string_view name) {
  constexpr std::array<std::string_view, 6> kOfTensors{"numel", "size",         "stride",
                                                       "dim",   "element_size", "is_floating_point"};
  return record.record()->type == "torch.Tensor" &&
         std::find(kOfTensors.begin(), kOfTensors.end(), name) != kOfTensors.end();
}

ValueResult call_record_method(const Value& record, const std::string& name, const std::vector<Value>& arguments) {
  if (name == "numel") return element_count(field_of(record, "shape"));
  if (name == "size") return one_or_all(field_of(record, "shape"), arguments);
  if (name == "stride") return one_or_all(field_of(record, "strides"), arguments);
  if (name == "dim") {
    const Value* rank = field_of(record, "ndim");
    return rank != nullptr ? ValueResult(*rank) : failure("the rank of an argument that is given by its type alone");
  }
  const Value* type = field_of(record, "dtype");
  const TypeRow* row = type != nullptr ? find_torch(type->host_function()->name.substr(6)) : nullptr;
  if (row == nullptr) return failure(fmt::format("{}() of a tensor of this type", name));
  return name == "element_size" ? integer_value(row->bytes) : Value(Constant::boolean(is_floating(*row)));
}

std::string_view torch_name(std::string_view element) {
  for (const TypeRow& row : kTypes) {
    if (row.element == element) return row.torch;
  }
  return {};
}

std::string_view canonical_torch_name(std::string_view name) {
  for (const TypeAlias& alias : kTypeAliases) {
    if (alias.name == name) return alias.torch;
  }
  const TypeRow* row = find_torch(name);
  return row != nullptr ? row->torch : std::string_view();
}

std::optional<Value> torch_type_attribute(std::string_view function, std::string_view attribute) {
  if (!function.starts_with("torch.")) return std::nullopt;
  const TypeRow* row = find_torch(function.substr(6));
  if (row == nullptr) return std::nullopt;
  if (attribute == "itemsize") return integer_value(row->bytes);
  if (attribute == "is_floating_point") return Value(Constant::boolean(is_floating(*row)));
  return std::nullopt;
}

}  // namespace lockstep::frontend
