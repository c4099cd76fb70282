#include "driver/arguments/binding.h"

#include <algorithm>

#include "driver/words/dtype_name.h"
#include "driver/words/report_argument.h"
#include "driver/words/scalar_bits.h"

namespace lockstep::driver {
namespace {

constexpr std::int64_t kAlignment = 16;

void report(DiagnosticSink& sink, DiagnosticCode code, std::string message, std::string hint) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.hint = std::move(hint);
  sink.report(std::move(diagnostic));
}

/// The type that an annotation forces: "const *fp16" -> const, pointer, fp16.
struct Annotation {
  bool is_const = false;
  bool is_pointer = false;
  std::optional<DtypeName> type;
};

Annotation parse_annotation(std::string_view text) {
  Annotation annotation;
  const auto trim = [&] {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  };
  for (const std::string_view prefix : {"tl.const", "const"}) {
    trim();
    if (!text.starts_with(prefix) || text.starts_with("constexpr")) continue;
    text.remove_prefix(prefix.size());
    annotation.is_const = true;
    break;
  }
  trim();
  if (text.starts_with("*")) {
    annotation.is_pointer = true;
    text.remove_prefix(1);
    if (text.starts_with("k")) {
      annotation.is_const = true;
      text.remove_prefix(1);
    }
  }
  annotation.type = find_dtype(text);
  return annotation;
}

const ArgumentText* find_argument(const std::vector<ArgumentText>& arguments, std::string_view name) {
  const auto found =
      std::find_if(arguments.begin(), arguments.end(), [&](const ArgumentText& a) { return a.name == name; });
  return found == arguments.end() ? nullptr : &*found;
}

const Tensor* find_tensor(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& t) { return t.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

bool is_view_base(const std::vector<ArgumentText>& arguments, const std::string& name) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const ArgumentText& argument) {
    const auto* spec = std::get_if<TensorSpec>(&argument.value);
    if (spec == nullptr) return false;
    const auto is_name = [&](const std::string& one) { return one == name; };
    return (spec->kind == TensorSpec::Kind::view && spec->base == name) ||
           std::any_of(spec->names.begin(), spec->names.end(), is_name);
  });
}

ScalarValue to_scalar(const ConstantValue& constant) {
  ScalarValue value;
  switch (constant.kind) {
    case ConstantValue::Kind::none: break;
    case ConstantValue::Kind::boolean: value.kind = ScalarValue::Kind::boolean; break;
    case ConstantValue::Kind::integer: value.kind = ScalarValue::Kind::integer; break;
    case ConstantValue::Kind::floating: value.kind = ScalarValue::Kind::floating; break;
    case ConstantValue::Kind::string:
    case ConstantValue::Kind::dtype:
    case ConstantValue::Kind::tuple: value.kind = ScalarValue::Kind::name; break;
  }
  value.integer = constant.integer;
  value.floating = constant.floating;
  value.text = constant.text;
  value.is_quoted = constant.kind == ConstantValue::Kind::string;
  return value;
}

/// Triton's own choice of a type for a number.
DtypeName natural_type(const ScalarValue& value) {
  if (value.kind == ScalarValue::Kind::boolean) return {ScalarKind::i1, true, "u1"};
  if (value.kind == ScalarValue::Kind::floating) return {ScalarKind::f32, false, "fp32"};
  if (value.is_unsigned_64) return {ScalarKind::i64, true, "u64"};
  const bool fits_32 = value.integer >= INT32_MIN && value.integer <= INT32_MAX;
  return fits_32 ? DtypeName{ScalarKind::i32, false, "i32"} : DtypeName{ScalarKind::i64, false, "i64"};
}

bool is_integer_value(const ScalarValue& value) { return value.kind == ScalarValue::Kind::integer; }

class Binder {
 public:
  Binder(const std::vector<ArgumentText>& arguments, const std::vector<Tensor>& tensors,
         const memory_model::AddressSpace& memory, DiagnosticSink& sink)
      : arguments_(arguments), tensors_(tensors), memory_(memory), sink_(sink) {}

  /// False: diagnosed.
  bool bind(const ParameterFacts& parameter, std::vector<BoundParameter>& bound);
  bool bind(const TtirParameter& parameter, std::vector<BoundParameter>& bound);
  void check_unused(std::span<const std::string_view> names, bool scalars_may_be_extra);

 private:
  bool is_element(const std::string& name, std::span<const std::string_view> names) const;
  bool bind_tuple(const ParameterFacts& parameter, const TupleSpec& tuple, std::vector<BoundParameter>& bound);
  bool bind_default(const ParameterFacts& parameter, const ConstantValue& value, std::vector<BoundParameter>& bound);
  std::optional<BoundParameter> bind_one(const TtirParameter& parameter);
  std::optional<BoundParameter> bind_constexpr(const ParameterFacts& parameter, const ArgumentText* argument);
  std::optional<BoundParameter> bind_tensor(const ParameterFacts& parameter, const Tensor& tensor);
  std::optional<BoundParameter> bind_scalar(const ParameterFacts& parameter, const ScalarValue& value,
                                            const ArgumentText* argument);
  std::optional<BoundParameter> bind_ttir_pointer(const TtirParameter& parameter, const ArgumentText& argument);
  std::optional<BoundParameter> bind_python_descriptor(const ParameterFacts& parameter, const Tensor& tensor);
  std::optional<BoundParameter> bind_descriptor(const TtirParameter& parameter, const ArgumentText& argument);
  std::optional<BoundParameter> bind_ttir_scalar(const TtirParameter& parameter, const ArgumentText& argument);
  BoundParameter pointer_to(const std::string& name, const Tensor& tensor) const;
  std::nullopt_t fail(const ArgumentText* argument, const std::string& name, DiagnosticCode code, std::string message,
                      std::string hint) {
    ArgumentText stand_in;
    stand_in.name = name;
    stand_in.text = "(default)";
    report_argument(argument != nullptr ? *argument : stand_in, code, std::move(message), std::move(hint),
                    sink_);
    return std::nullopt;
  }
  std::nullopt_t missing(const std::string& name, const std::string& hint) {
    report(sink_, "LS2031", "no argument for the parameter '" + name + "'", hint);
    return std::nullopt;
  }

  const std::vector<ArgumentText>& arguments_;
  const std::vector<Tensor>& tensors_;
  const memory_model::AddressSpace& memory_;
  DiagnosticSink& sink_;
};

BoundParameter Binder::pointer_to(const std::string& name, const Tensor& tensor) const {
  BoundParameter bound;
  bound.name = name;
  bound.is_pointer = true;
  bound.view = tensor.view;
  bound.bits = memory_.view(tensor.view).base;
  return bound;
}

bool add(std::optional<BoundParameter> one, std::vector<BoundParameter>& bound) {
  if (one) bound.push_back(std::move(*one));
  return one.has_value();
}

/// Triton's facts about a tuple's element: no annotation but const, and it is specialised whatever the parameter's
/// decorator sets.
ParameterFacts element_of(const ParameterFacts& tuple, const std::string& part) {
  ParameterFacts element;
  element.name = tuple.name + "." + part;
  if (parse_annotation(tuple.annotation).is_const) element.annotation = "const";
  return element;
}

BoundParameter empty_tuple(const std::string& name) {
  BoundParameter bound;
  bound.name = name;
  bound.constant = ConstantValue{};
  bound.constant->kind = ConstantValue::Kind::tuple;
  return bound;
}

bool Binder::bind_tuple(const ParameterFacts& parameter, const TupleSpec& tuple, std::vector<BoundParameter>& bound) {
  if (tuple.parts.empty()) return add(empty_tuple(parameter.name), bound);
  bool is_fine = true;
  for (const std::string& part : tuple.parts) is_fine = bind(element_of(parameter, part), bound) && is_fine;
  return is_fine;
}

bool Binder::bind_default(const ParameterFacts& parameter, const ConstantValue& value,
                          std::vector<BoundParameter>& bound) {
  if (value.kind != ConstantValue::Kind::tuple) return add(bind_scalar(parameter, to_scalar(value), nullptr), bound);
  if (value.elements.empty()) return add(empty_tuple(parameter.name), bound);
  bool is_fine = true;
  for (std::size_t i = 0; i < value.elements.size(); ++i)
    is_fine = bind_default(element_of(parameter, std::to_string(i)), value.elements[i], bound) && is_fine;
  return is_fine;
}

bool Binder::bind(const ParameterFacts& parameter, std::vector<BoundParameter>& bound) {
  const ArgumentText* argument = find_argument(arguments_, parameter.name);
  if (argument == nullptr && !parameter.default_value) {
    missing(parameter.name, !parameter.hint.empty()  ? parameter.hint
                            : parameter.is_constexpr ? "add " + parameter.name + "=64 (a tl.constexpr)"
                                : "add " + parameter.name + "=randn:f32[64] or " + parameter.name + "=64");
    return false;
  }
  if (parameter.is_constexpr) return add(bind_constexpr(parameter, argument), bound);
  if (argument == nullptr) return bind_default(parameter, parameter.default_value.value_or(ConstantValue{}), bound);
  if (const auto* tuple = std::get_if<TupleSpec>(&argument->value)) return bind_tuple(parameter, *tuple, bound);
  if (const auto* scalar = std::get_if<ScalarValue>(&argument->value))
    return add(bind_scalar(parameter, *scalar, argument), bound);
  const Tensor* tensor = find_tensor(tensors_, parameter.name);
  LOCKSTEP_CHECK(tensor != nullptr, "a tensor argument was not made: " + parameter.name);
  return add(bind_tensor(parameter, *tensor), bound);
}

std::optional<BoundParameter> Binder::bind_constexpr(const ParameterFacts& parameter, const ArgumentText* argument) {
  BoundParameter bound;
  bound.name = parameter.name;
  bound.constant = parameter.default_value;
  if (argument == nullptr) return bound;
  const auto* scalar = std::get_if<ScalarValue>(&argument->value);
  if (std::holds_alternative<TupleSpec>(argument->value)) {
    bound.constant = to_constant(*argument, arguments_);
    if (bound.constant) return bound;
    return fail(argument, parameter.name, "LS2032",
                "'" + parameter.name + "' is a tl.constexpr and cannot hold a tensor", "give numbers and words");
  }
  if (scalar == nullptr) {
    return fail(argument, parameter.name, "LS2032", "'" + parameter.name + "' is a tl.constexpr, it cannot be a tensor",
                "give a number, true, false, none or a word");
  }
  if (scalar->forced_type) {
    return fail(argument, parameter.name, "LS2032",
                "'" + parameter.name + "' is a tl.constexpr, it has no type of its own",
                "leave out the ':' and the type");
  }
  bound.constant = to_constant(*scalar);
  if (bound.constant) return bound;
  return fail(argument, parameter.name, "LS2033", "a tl.constexpr above 2^63 - 1 cannot be given",
              "use a smaller integer");
}

std::optional<BoundParameter> Binder::bind_tensor(const ParameterFacts& parameter, const Tensor& tensor) {
  if (tensor.is_descriptor) return bind_python_descriptor(parameter, tensor);
  const Annotation annotation = parse_annotation(parameter.annotation);
  BoundParameter bound = pointer_to(parameter.name, tensor);
  const ScalarKind element = memory_.view(tensor.view).element;
  bound.type = annotation.is_const ? "*k" : "*";
  if (annotation.is_pointer && annotation.type)
    bound.type += annotation.type->short_name;
  else
    bound.type += short_name(element, tensor.is_unsigned);
  const bool specialises = !parameter.do_not_specialize && !parameter.do_not_specialize_on_alignment;
  if (specialises && bound.bits % kAlignment == 0) bound.divisibility = kAlignment;
  return bound;
}

/// The assertions of Triton's TensorDescriptor; "" if the view can be described.
std::string descriptor_problem(const memory_model::View& view, const std::vector<std::int64_t>& block,
                               ScalarKind element) {
  const std::size_t rank = block.size();
  const std::int64_t bytes = size_bytes(view.element);
  if (view.shape.size() != rank)
    return "its rank is " + std::to_string(view.shape.size()) + ", the blocks have " + std::to_string(rank) +
           (rank == 1 ? " dimension" : " dimensions");
  if (rank == 0) return "it has no dimensions";
  if (bytes != size_bytes(element)) return "it holds " + std::string(spelling(view.element));
  if (view.base % kAlignment != 0) return "its address is not a multiple of 16 bytes";
  if (view.strides.back() != 1) return "its last stride is " + std::to_string(view.strides.back()) + ", not 1";
  for (std::size_t d = 0; d + 1 < rank; ++d) {
    if (view.strides[d] >= 0 && view.strides[d] % kAlignment * bytes % kAlignment == 0) continue;
    return "its stride " + std::to_string(view.strides[d]) + " is not a multiple of 16 bytes";
  }
  return {};
}

/// "tensordesc<fp16[16, 32]>"
std::optional<BoundParameter> Binder::bind_python_descriptor(const ParameterFacts& parameter, const Tensor& tensor) {
  const ArgumentText* argument = find_argument(arguments_, parameter.name);
  const memory_model::View& view = memory_.view(tensor.view);
  if (tensor.block.empty())
    return fail(argument, parameter.name, "LS2036", "a descriptor for a Python kernel needs the shape of its blocks",
                "write desc(x, block=[16,32])");
  const std::string problem = descriptor_problem(view, tensor.block, view.element);
  if (!problem.empty())
    return fail(argument, parameter.name, "LS2036", "a descriptor cannot describe this tensor: " + problem, "");
  BoundParameter bound = pointer_to(parameter.name, tensor);
  std::string block;
  for (const std::int64_t extent : tensor.block) block += (block.empty() ? "" : ", ") + std::to_string(extent);
  bound.type = "tensordesc<" + short_name(view.element, tensor.is_unsigned) + "[" + block + "]>";
  bound.is_pointer = false;
  bound.is_descriptor = true;
  bound.pads_nan = tensor.pads_nan;
  return bound;
}

std::optional<BoundParameter> Binder::bind_scalar(const ParameterFacts& parameter, const ScalarValue& value,
                                                  const ArgumentText* argument) {
  BoundParameter bound;
  bound.name = parameter.name;
  if (value.kind == ScalarValue::Kind::none) {
    bound.constant = ConstantValue{};
    return bound;
  }
  if (value.kind == ScalarValue::Kind::name) {
    return fail(argument, parameter.name, "LS2032",
                "'" + parameter.name + "' takes a number or a tensor, not the word '" + value.text + "'",
                "only tl.constexpr parameters take words; a tensor is written randn:f32[64]");
  }
  const Annotation annotation = parse_annotation(parameter.annotation);
  const bool is_annotated = annotation.type && !annotation.is_pointer;
  const bool is_forced = is_annotated || value.forced_type.has_value();
  if (is_integer_value(value) && value.integer == 1 && !value.is_unsigned_64 && !is_forced &&
      !parameter.do_not_specialize) {
    bound.constant = ConstantValue{ConstantValue::Kind::integer, 1, 0, {}};
    return bound;
  }
  DtypeName type = natural_type(value);
  if (is_annotated) type = *annotation.type;
  if (value.forced_type)
    type = {*value.forced_type, value.forced_unsigned, short_name(*value.forced_type, value.forced_unsigned)};
  bound.type = type.short_name;
  const auto bits =
      scalar_bits(value, type.kind, type.is_unsigned ? IntegerRange::is_unsigned : IntegerRange::is_signed);
  if (!bits)
    return fail(argument, parameter.name, "LS2033", "the value does not fit " + type.short_name,
                "use a value or a type that fits");
  bound.bits = *bits;
  const bool specialises = !parameter.do_not_specialize && !parameter.do_not_specialize_on_alignment;
  if (is_integer_value(value) && is_integer(type.kind) && specialises && value.integer % kAlignment == 0)
    bound.divisibility = kAlignment;
  return bound;
}

std::string pointee_of(std::string_view type) {
  type.remove_prefix(std::string_view("!tt.ptr<").size());
  return std::string(type.substr(0, type.find_first_of(",>")));
}

std::optional<BoundParameter> Binder::bind_ttir_pointer(const TtirParameter& parameter, const ArgumentText& argument) {
  const Tensor* tensor = find_tensor(tensors_, argument.name);
  if (tensor == nullptr) {
    return fail(&argument, argument.name, "LS2032",
                "'" + argument.name + "' is a " + parameter.type + ", it needs a tensor",
                "write " + argument.name + "=randn:f32[64] or another tensor");
  }
  const auto pointee = find_dtype(pointee_of(parameter.type));
  const ScalarKind element = memory_.view(tensor->view).element;
  if (pointee && size_bytes(pointee->kind) != size_bytes(element)) {
    return fail(
        &argument, argument.name, "LS2034",
        "'" + argument.name + "' is a " + parameter.type + ", the tensor holds " + std::string(spelling(element)),
        "make the tensor of type " + std::string(spelling(pointee->kind)));
  }
  BoundParameter bound = pointer_to(argument.name, *tensor);
  bound.type = parameter.type;
  return bound;
}

std::optional<BoundParameter> Binder::bind_descriptor(const TtirParameter& parameter, const ArgumentText& argument) {
  const Tensor* tensor = find_tensor(tensors_, argument.name);
  if (tensor == nullptr) {
    return fail(&argument, argument.name, "LS2032",
                "'" + argument.name + "' is a " + parameter.type + ", it needs a tensor",
                "write " + argument.name + "=randn:f32[64,64], or desc(x, padding=nan) for another argument x");
  }
  if (!tensor->block.empty() && tensor->block != parameter.block)
    return fail(&argument, argument.name, "LS2036", "the kernel's blocks are of another shape: " + parameter.type,
                "leave block=... out");
  const std::string problem = descriptor_problem(memory_.view(tensor->view), parameter.block, parameter.element);
  if (!problem.empty())
    return fail(&argument, argument.name, "LS2036",
                "'" + argument.name + "' cannot be a " + parameter.type + ": " + problem, "");
  BoundParameter bound = pointer_to(argument.name, *tensor);
  bound.type = parameter.type;
  bound.is_pointer = false;
  bound.is_descriptor = true;
  bound.pads_nan = tensor->pads_nan;
  return bound;
}

bool Binder::bind(const TtirParameter& parameter, std::vector<BoundParameter>& bound) {
  return add(bind_one(parameter), bound);
}

std::optional<BoundParameter> Binder::bind_one(const TtirParameter& parameter) {
  const std::string name = parameter.name.starts_with("%") ? parameter.name.substr(1) : parameter.name;
  const ArgumentText* argument = find_argument(arguments_, name);
  const bool is_pointer = parameter.type.starts_with("!tt.ptr<");
  if (argument == nullptr)
    return missing(name, "add " + name + (is_pointer || parameter.is_descriptor ? "=randn:f32[64]" : "=64") +
                             " (its type is " + parameter.type + ")");
  if (parameter.is_descriptor) return bind_descriptor(parameter, *argument);
  if (is_pointer && !parameter.type.starts_with("!tt.ptr<tensor")) return bind_ttir_pointer(parameter, *argument);
  return bind_ttir_scalar(parameter, *argument);
}

std::optional<BoundParameter> Binder::bind_ttir_scalar(const TtirParameter& parameter, const ArgumentText& argument) {
  const std::string& name = argument.name;
  const auto kind = parse_scalar_kind(parameter.type);
  if (!kind || *kind == ScalarKind::pointer) {
    Diagnostic diagnostic;
    diagnostic.severity = Severity::unsupported;
    diagnostic.code = "LS2035";
    diagnostic.message = "a parameter of type " + parameter.type + " is not supported yet ('" + name + "')";
    sink_.report(std::move(diagnostic));
    return std::nullopt;
  }
  const auto* scalar = std::get_if<ScalarValue>(&argument.value);
  const bool is_number =
      scalar != nullptr && scalar->kind != ScalarValue::Kind::none && scalar->kind != ScalarValue::Kind::name;
  if (!is_number)
    return fail(&argument, name, "LS2032", "'" + name + "' is a " + parameter.type + ", it needs a number",
                "write " + name + "=64");
  const auto bits = scalar_bits(*scalar, *kind, IntegerRange::either);
  if (!bits) return fail(&argument, name, "LS2033", "the value does not fit " + parameter.type, "");
  BoundParameter bound;
  bound.name = name;
  bound.type = parameter.type;
  bound.bits = *bits;
  return bound;
}

/// Whether it is an element of a tuple that a parameter takes.
bool Binder::is_element(const std::string& name, std::span<const std::string_view> names) const {
  const std::size_t dot = name.find('.');
  if (dot == std::string::npos) return false;
  const std::string owner = name.substr(0, dot);
  const ArgumentText* tuple = find_argument(arguments_, owner);
  return tuple != nullptr && std::holds_alternative<TupleSpec>(tuple->value) &&
         std::find(names.begin(), names.end(), owner) != names.end();
}

void Binder::check_unused(std::span<const std::string_view> names, bool scalars_may_be_extra) {
  for (const ArgumentText& argument : arguments_) {
    if (std::find(names.begin(), names.end(), argument.name) != names.end()) continue;
    if (is_element(argument.name, names)) continue;
    if (argument.is_tensor() ? is_view_base(arguments_, argument.name) : scalars_may_be_extra) continue;
    const std::string_view near = nearest(argument.name, names);
    std::string hint = "parameters are:";
    for (const std::string_view name : names) hint += " " + std::string(name);
    if (!near.empty()) hint = "did you mean '" + std::string(near) + "'?";
    report_argument(argument, "LS2030", "the kernel has no parameter '" + argument.name + "'", hint, sink_);
  }
}

std::string_view plain_name(const ParameterFacts& parameter) { return parameter.name; }
std::string_view plain_name(const TtirParameter& parameter) {
  const std::string_view name = parameter.name;
  return name.starts_with("%") ? name.substr(1) : name;
}

template <typename Parameter>
std::optional<std::vector<BoundParameter>> bind_all(Binder binder, std::span<const Parameter> parameters,
                                                    bool scalars_may_be_extra) {
  std::vector<BoundParameter> bound;
  std::vector<std::string_view> names;
  bool failed = false;
  for (const Parameter& parameter : parameters) {
    names.push_back(plain_name(parameter));
    if (!binder.bind(parameter, bound)) failed = true;
  }
  binder.check_unused(names, scalars_may_be_extra);
  if (failed) return std::nullopt;
  return bound;
}

ArgumentText integer_argument(std::string_view name, std::int64_t number) {
  ArgumentText argument;
  argument.name = name;
  argument.text = std::to_string(number);
  ScalarValue value;
  value.kind = ScalarValue::Kind::integer;
  value.integer = number;
  argument.value = value;
  return argument;
}

/// Adds the missing sizes and strides after each descriptor. For a descriptor that cannot be bound they are 0.
std::vector<ArgumentText> with_descriptor_numbers(std::span<const TtirParameter> parameters,
                                                  const std::vector<ArgumentText>& arguments,
                                                  const std::vector<Tensor>& tensors,
                                                  const memory_model::AddressSpace& memory) {
  std::vector<ArgumentText> all = arguments;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const std::size_t rank = parameters[i].block.size();
    const std::string_view name = plain_name(parameters[i]);
    if (!parameters[i].is_descriptor || find_argument(arguments, name) == nullptr) continue;
    const Tensor* tensor = find_tensor(tensors, name);
    const memory_model::View* view = tensor != nullptr ? &memory.view(tensor->view) : nullptr;
    const bool is_known = view != nullptr && view->shape.size() == rank;
    for (std::size_t d = 0; d < 2 * rank && i + 1 + d < parameters.size(); ++d) {
      const TtirParameter& number = parameters[i + 1 + d];
      if (number.type != (d < rank ? "i32" : "i64")) break;
      if (find_argument(arguments, plain_name(number)) != nullptr) continue;
      const std::int64_t value = !is_known ? 0 : d < rank ? view->shape[d] : view->strides[d - rank];
      all.push_back(integer_argument(plain_name(number), value));
    }
  }
  return all;
}

}  // namespace

std::optional<ConstantValue> to_constant(const ScalarValue& value) {
  ConstantValue constant;
  constant.integer = value.integer;
  constant.floating = value.floating;
  switch (value.kind) {
    case ScalarValue::Kind::none: constant.kind = ConstantValue::Kind::none; break;
    case ScalarValue::Kind::boolean: constant.kind = ConstantValue::Kind::boolean; break;
    case ScalarValue::Kind::floating: constant.kind = ConstantValue::Kind::floating; break;
    case ScalarValue::Kind::integer:
      if (value.is_unsigned_64) return std::nullopt;
      constant.kind = ConstantValue::Kind::integer;
      break;
    case ScalarValue::Kind::name: {
      const auto dtype = value.is_quoted ? std::nullopt : find_dtype(value.text);
      constant.kind = dtype ? ConstantValue::Kind::dtype : ConstantValue::Kind::string;
      constant.text = dtype ? dtype->short_name : value.text;
      break;
    }
  }
  return constant;
}

std::optional<ConstantValue> to_constant(const ArgumentText& argument, const std::vector<ArgumentText>& arguments) {
  if (const auto* scalar = std::get_if<ScalarValue>(&argument.value)) return to_constant(*scalar);
  const auto* tuple = std::get_if<TupleSpec>(&argument.value);
  if (tuple == nullptr) return std::nullopt;
  ConstantValue constant;
  constant.kind = ConstantValue::Kind::tuple;
  for (const std::string& part : tuple->parts) {
    const ArgumentText* element = find_argument(arguments, argument.name + "." + part);
    std::optional<ConstantValue> value = element != nullptr ? to_constant(*element, arguments) : std::nullopt;
    if (!value) return std::nullopt;
    constant.elements.push_back(std::move(*value));
  }
  return constant;
}

std::optional<std::vector<BoundParameter>> bind_parameters(std::span<const ParameterFacts> parameters,
                                                           const std::vector<ArgumentText>& arguments,
                                                           const std::vector<Tensor>& tensors,
                                                           const memory_model::AddressSpace& memory,
                                                           DiagnosticSink& sink) {
  auto bound = bind_all(Binder(arguments, tensors, memory, sink), parameters, false);
  return sink.has_errors() ? std::nullopt : std::move(bound);
}

std::optional<std::vector<BoundParameter>> bind_ttir(std::span<const TtirParameter> parameters,
                                                     const std::vector<ArgumentText>& arguments,
                                                     const std::vector<Tensor>& tensors,
                                                     const memory_model::AddressSpace& memory, DiagnosticSink& sink) {
  const std::vector<ArgumentText> all = with_descriptor_numbers(parameters, arguments, tensors, memory);
  auto bound = bind_all(Binder(all, tensors, memory, sink), parameters, true);
  return sink.has_errors() ? std::nullopt : std::move(bound);
}

GridNames make_grid_names(const std::vector<ArgumentText>& arguments, const std::vector<Tensor>& tensors,
                          const memory_model::AddressSpace& memory, std::span<const BoundParameter> bound) {
  GridNames names;
  for (const BoundParameter& parameter : bound) {
    const bool is_integer = parameter.constant && (parameter.constant->kind == ConstantValue::Kind::integer ||
                                                   parameter.constant->kind == ConstantValue::Kind::boolean);
    if (is_integer) names.integers[parameter.name] = parameter.constant->integer;
  }
  for (const ArgumentText& argument : arguments) {
    const auto* scalar = std::get_if<ScalarValue>(&argument.value);
    if (scalar == nullptr || scalar->is_unsigned_64) continue;
    if (scalar->kind == ScalarValue::Kind::integer || scalar->kind == ScalarValue::Kind::boolean) {
      names.integers[argument.name] = scalar->integer;
    }
  }
  for (const Tensor& tensor : tensors) names.shapes[tensor.name] = memory.view(tensor.view).shape;
  return names;
}

}  // namespace lockstep::driver
