#include "fuzz/arguments.h"

#include <cstring>

namespace lockstep::fuzz {
namespace {

using interpreter::Argument;
using memory_model::AddressSpace;

constexpr std::size_t kMaxParameters = 64;
constexpr std::uint64_t kOnes = 0x3FF0000000000000;  // 1.0 as f64

/// Small numbers of any type: integers below 16, floats near 1.
std::uint64_t element_bits(ScalarKind kind, Random& random) {
  switch (kind) {
    case ScalarKind::i1: return random.below(2);
    case ScalarKind::f16: return 0x3C00 + random.below(1024);
    case ScalarKind::bf16: return 0x3F80 + random.below(128);
    case ScalarKind::f32: return 0x3F800000 + random.below(1 << 23);
    case ScalarKind::f64: return kOnes + (random.bits() >> 12);
    case ScalarKind::pointer: return 0;
    default: return random.below(16);  // integers; f8: small denormals and normals
  }
}

void fill(std::uint64_t base, std::int64_t elements, ScalarKind kind, Random& random) {
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  auto* at = reinterpret_cast<std::byte*>(base);
  for (std::int64_t i = 0; i < elements; ++i, at += size) {
    const std::uint64_t bits = element_bits(kind, random);
    std::memcpy(at, &bits, size);
  }
}

std::optional<Argument> tensor(ScalarKind kind, std::vector<std::int64_t> shape, std::size_t index,
                               AddressSpace& memory, Random& random) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) elements *= extent;
  std::vector<std::int64_t> strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  const std::string name = "argument" + std::to_string(index);
  const auto storage = memory.allocate(name, static_cast<std::uint64_t>(elements * size_bytes(kind)));
  if (!storage) return std::nullopt;
  const auto view = memory.add_view(*storage, name, kind, 0, std::move(shape), std::move(strides));
  if (!view) return std::nullopt;
  fill(memory.view(*view).base, elements, kind, random);
  Argument argument;
  argument.kind = Argument::Kind::pointer;
  argument.view = *view;
  return argument;
}

std::optional<Argument> descriptor(ir::Type type, std::size_t index, AddressSpace& memory, Random& random) {
  const ir::Type block = type.pointee();
  const auto kind = block.element().scalar_kind();
  if (!kind || *kind == ScalarKind::pointer || block.shape().size() > 5) return std::nullopt;
  std::vector<std::int64_t> shape;
  for (std::size_t i = 0; i < block.shape().size(); ++i) shape.push_back(i + 2 < block.shape().size() ? 2 : 64);
  auto argument = tensor(*kind, std::move(shape), index, memory, random);
  if (argument) argument->kind = Argument::Kind::descriptor;
  return argument;
}

std::optional<Argument> argument_for(ir::Type type, std::size_t index, AddressSpace& memory, Random& random,
                                     std::int64_t elements) {
  if (type.is_descriptor()) return descriptor(type, index, memory, random);
  if (type.is_pointer()) {
    const auto kind = type.pointee().scalar_kind();
    return kind && !type.pointee().is_tensor() ? tensor(*kind, {elements}, index, memory, random) : std::nullopt;
  }
  if (!type.scalar_kind() || !(type.is_integer() || type.is_float() || type.is_index())) return std::nullopt;
  Argument argument;
  argument.bits = type.is_integer(1) ? random.below(2)
                  : type.is_float()  ? element_bits(*type.scalar_kind(), random)
                                     : 1 + random.below(48);
  return argument;
}

}  // namespace

std::optional<std::vector<Argument>> make_arguments(const ir::Op& function, AddressSpace& memory, Random& random,
                                                    std::int64_t elements) {
  std::vector<Argument> arguments;
  for (const ir::Type type : ir::function_type(function).inputs()) {
    const auto argument = argument_for(type, arguments.size(), memory, random, elements);
    if (!argument || arguments.size() == kMaxParameters) return std::nullopt;
    arguments.push_back(*argument);
  }
  return arguments;
}

}  // namespace lockstep::fuzz
