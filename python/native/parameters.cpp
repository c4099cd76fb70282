#include "python/native/parameters.h"

#include <algorithm>

namespace lockstep::python {
namespace {

std::string name_of(const ir::Value& argument, std::size_t index) {
  const Location location = argument.location();
  if (!location.is_unknown() && location->kind == LocationNode::Kind::name && !location->text.empty()) {
    return location->text;
  }
  const std::string& name = argument.name();
  const bool is_number = !name.empty() && name.find_first_not_of("0123456789") == std::string::npos;
  return name.empty() || is_number ? "arg" + std::to_string(index) : name;
}

/// Parameters from `first` on that are scalars of `kind`, at most `wanted`.
std::size_t count_of_kind(const std::vector<Parameter>& parameters, std::size_t first, ScalarKind kind,
                          std::size_t wanted) {
  std::size_t count = 0;
  while (count < wanted && first + count < parameters.size()) {
    const Parameter& parameter = parameters[first + count];
    if (parameter.kind != Parameter::Kind::scalar || parameter.element != kind) break;
    ++count;
  }
  return count;
}

/// Pointer, sizes i64 and strides i64 (2 * rank), flags i1 (none in Triton 3.4, one to 3.6, two from 3.7), sizes i32,
/// strides i64: the rank follows from the counts.
std::size_t describe_lowered(const std::vector<Parameter>& parameters, std::size_t first, ArgumentSpec& spec) {
  const std::size_t wide = count_of_kind(parameters, first + 1, ScalarKind::i64, parameters.size());
  const std::size_t rank = wide / 2;
  if (rank == 0 || wide % 2 != 0) return 0;
  const std::size_t flags = count_of_kind(parameters, first + 1 + wide, ScalarKind::i1, 2);
  const std::size_t sizes = first + 1 + wide + flags;
  if (count_of_kind(parameters, sizes, ScalarKind::i32, rank) != rank ||
      count_of_kind(parameters, sizes + rank, ScalarKind::i64, rank) != rank)
    return 0;
  spec.kind = ArgumentSpec::Kind::pointer_and_sizes;
  spec.rank = rank;
  spec.flags = flags;
  return sizes + 2 * rank - first;
}

}  // namespace

std::vector<Parameter> parameters_of(const ir::Op& function) {
  std::vector<Parameter> parameters;
  const ir::Block& entry = function.region(0).front();
  for (std::size_t i = 0; i < entry.arguments().size(); ++i) {
    const ir::Type type = entry.argument(i)->type();
    Parameter parameter;
    parameter.name = name_of(*entry.argument(i), i);
    parameter.type = type.to_string();
    if (type.is_descriptor()) {
      parameter.kind = Parameter::Kind::descriptor;
      parameter.element = type.pointee().element().scalar_kind().value_or(ScalarKind::i8);
      parameter.rank = type.pointee().shape().size();
    } else if (type.is_pointer()) {
      parameter.kind = Parameter::Kind::pointer;
      parameter.element = type.pointee().scalar_kind().value_or(ScalarKind::i8);
    } else if (const auto kind = type.scalar_kind(); kind && (type.is_integer() || type.is_float())) {
      parameter.element = *kind;
    } else {
      parameter.kind = Parameter::Kind::other;
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::size_t describe_descriptor(const std::vector<Parameter>& parameters, std::size_t first, ArgumentSpec& spec) {
  if (first >= parameters.size()) return 0;
  spec.parameter = first;
  const Parameter& parameter = parameters[first];
  if (parameter.kind == Parameter::Kind::pointer) return describe_lowered(parameters, first, spec);
  if (parameter.kind != Parameter::Kind::descriptor) return 0;
  spec.kind = ArgumentSpec::Kind::descriptor;
  spec.rank = parameter.rank;
  if (count_of_kind(parameters, first + 1, ScalarKind::i32, spec.rank) != spec.rank ||
      count_of_kind(parameters, first + 1 + spec.rank, ScalarKind::i64, spec.rank) != spec.rank)
    return 1;
  spec.has_sizes = true;
  return 1 + 2 * spec.rank;
}

}  // namespace lockstep::python
