#include "debugger/expression/value.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "support/check.h"
#include "support/float_formats.h"

namespace lockstep::debugger {
namespace {

template <typename T, typename Out, typename Convert>
void decode_all(std::string_view bytes, std::vector<Out>& out, const Convert& convert) {
  const std::size_t count = bytes.size() / sizeof(T);
  out.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    T element;
    std::memcpy(&element, bytes.data() + i * sizeof(T), sizeof(T));
    out[i] = convert(element);
  }
}

template <typename T>
void decode_integers(std::string_view bytes, Tensor& out) {
  decode_all<T>(bytes, out.integers, [](T element) { return static_cast<std::int64_t>(element); });
}

void decode_elements(std::string_view bytes, Tensor& out) {
  switch (const ScalarKind kind = out.kind) {
    case ScalarKind::i1:
      return decode_all<std::uint8_t>(bytes, out.integers, [](std::uint8_t e) { return std::int64_t{e != 0}; });
    case ScalarKind::i8: return decode_integers<std::int8_t>(bytes, out);
    case ScalarKind::i16: return decode_integers<std::int16_t>(bytes, out);
    case ScalarKind::i32: return decode_integers<std::int32_t>(bytes, out);
    case ScalarKind::i64:
    case ScalarKind::pointer: return decode_integers<std::int64_t>(bytes, out);
    case ScalarKind::f16:
      return decode_all<std::uint16_t>(bytes, out.floats,
                                       [](std::uint16_t e) { return static_cast<double>(f16_to_f32(e)); });
    case ScalarKind::bf16:
      return decode_all<std::uint16_t>(bytes, out.floats,
                                       [](std::uint16_t e) { return static_cast<double>(bf16_to_f32(e)); });
    case ScalarKind::f32: return decode_all<float>(bytes, out.floats, [](float e) { return static_cast<double>(e); });
    case ScalarKind::f64: return decode_all<double>(bytes, out.floats, [](double e) { return e; });
    default:
      return decode_all<std::uint8_t>(bytes, out.floats, [kind](std::uint8_t e) { return decode_float(kind, e); });
  }
}

/// A NaN does not come back from a double with all of its bits.
void keep_bits_of_nans(std::string_view bytes, Tensor& out) {
  if (std::none_of(out.floats.begin(), out.floats.end(), [](double e) { return std::isnan(e); })) return;
  const auto size = static_cast<std::size_t>(size_bytes(out.kind));
  out.raw.assign(out.floats.size(), 0);
  for (std::size_t i = 0; i < out.raw.size(); ++i) std::memcpy(&out.raw[i], bytes.data() + i * size, size);
}

bool fits(std::int64_t value, ScalarKind kind) {
  const int width = bit_width(kind);
  if (width >= 64) return true;
  const std::int64_t top = std::int64_t{1} << width;
  return value >= -(top / 2) && value < top;  // signless: both readings
}

}  // namespace

ElementClass class_of(ScalarKind kind) {
  if (kind == ScalarKind::i1) return ElementClass::boolean;
  if (kind == ScalarKind::pointer) return ElementClass::pointer;
  return is_float(kind) ? ElementClass::floating : ElementClass::integer;
}

Tensor Tensor::of(bool value) {
  Tensor out = like(ElementClass::boolean, ScalarKind::i1, {});
  out.integers = {value ? 1 : 0};
  return out;
}
Tensor Tensor::of(std::int64_t value) {
  Tensor out;
  out.integers = {value};
  return out;
}
Tensor Tensor::of(double value) {
  Tensor out = like(ElementClass::floating, ScalarKind::f64, {});
  out.floats = {value};
  return out;
}
Tensor Tensor::row(std::vector<std::int64_t> values) {
  Tensor out;
  out.shape = {static_cast<std::int64_t>(values.size())};
  out.integers = std::move(values);
  return out;
}
Tensor Tensor::like(ElementClass elements, ScalarKind kind, std::vector<std::int64_t> shape) {
  Tensor out;
  out.elements = elements;
  out.kind = kind;
  out.shape = std::move(shape);
  return out;
}

std::int64_t Tensor::count() const { return element_count(shape); }
std::int64_t MemoryWindow::count() const { return element_count(shape); }

std::uint64_t Tensor::bits_of(std::size_t i) const {
  if (!raw.empty()) return static_cast<std::uint64_t>(raw[i]);
  if (is_floating()) return encode_float(kind, floats[i]);
  const auto bits = static_cast<std::uint64_t>(integers[i]);
  const int width = bit_width(kind);
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

Tensor decode_tensor(ScalarKind kind, std::vector<std::int64_t> shape, std::string_view bytes,
                     std::int32_t provenance) {
  Tensor out = Tensor::like(class_of(kind), kind, std::move(shape));
  out.provenance = provenance;
  LOCKSTEP_CHECK(static_cast<std::int64_t>(bytes.size()) == out.count() * size_bytes(kind), "bytes of a tensor");
  decode_elements(bytes, out);
  keep_bits_of_nans(bytes, out);
  return out;
}

Expected<std::string, std::string> encode_tensor(const Tensor& value, ScalarKind kind) {
  const auto size = static_cast<std::size_t>(size_bytes(kind));
  const auto count = static_cast<std::size_t>(value.count());
  if (value.is_floating() && !is_float(kind))
    return Unexpected{"a float cannot be stored in " + std::string(spelling(kind)) + ": int() truncates it"};
  std::string bytes(count * size, '\0');
  for (std::size_t i = 0; i < count; ++i) {
    std::uint64_t bits = 0;
    if (is_float(kind)) {
      bits = encode_float(kind, value.as_double(i));
    } else {
      if (!fits(value.integers[i], kind))
        return Unexpected{std::to_string(value.integers[i]) + " does not fit into " + std::string(spelling(kind))};
      bits = static_cast<std::uint64_t>(value.integers[i]);
    }
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t all = 1;
  bool is_too_many = false;
  for (const std::int64_t extent : shape) {
    if (extent == 0) return 0;
    if (__builtin_mul_overflow(all, extent, &all)) is_too_many = true;
  }
  return is_too_many ? std::numeric_limits<std::int64_t>::max() : all;
}

std::string index_text(const std::vector<std::int64_t>& index) {
  std::string text = "[";
  for (const std::int64_t i : index) text += (text.size() > 1 ? "," : "") + std::to_string(i);
  return text + "]";
}

std::vector<std::int64_t> index_of(std::int64_t flat, const std::vector<std::int64_t>& shape) {
  std::vector<std::int64_t> index(shape.size(), 0);
  for (std::size_t d = shape.size(); d-- > 0;) {
    index[d] = flat % shape[d];
    flat /= shape[d];
  }
  return index;
}

}  // namespace lockstep::debugger
