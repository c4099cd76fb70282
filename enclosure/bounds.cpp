#include "enclosure/bounds.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <new>
#include <utility>
#include <vector>

#include "support/float_formats.h"

namespace lockstep::enclosure {

// ---- memory ----

namespace {

constexpr int kSizeClasses = 40;
constexpr std::size_t kKept = 16;  // of a size

struct Store {
  std::array<std::vector<double*>, kSizeClasses> free;
  ~Store() {
    for (auto& list : free) {
      for (double* memory : list) std::free(memory);
    }
  }
};
thread_local Store store;

}  // namespace

Doubles::Doubles(std::int64_t count) {
  if (count <= 0) return;
  size_class_ = std::max(4, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count - 1))));
  auto& list = store.free[static_cast<std::size_t>(size_class_)];
  if (!list.empty()) {
    data_ = list.back();
    list.pop_back();
    return;
  }
  data_ = static_cast<double*>(std::aligned_alloc(64, sizeof(double) << size_class_));
  if (data_ == nullptr) throw std::bad_alloc();
}

Doubles::~Doubles() {
  if (data_ == nullptr) return;
  auto& list = store.free[static_cast<std::size_t>(size_class_)];
  if (list.size() < kKept) {
    list.push_back(data_);
  } else {
    std::free(data_);
  }
}

Doubles::Doubles(Doubles&& other) noexcept : data_(other.data_), size_class_(other.size_class_) {
  other.data_ = nullptr;
}

Doubles& Doubles::operator=(Doubles&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_class_, other.size_class_);
  return *this;
}

BoundsRef unbounded_bounds(std::int64_t count, CauseId cause) {
  auto made = std::make_shared<Bounds>(count, true);
  std::fill_n(made->low(), count, unbounded(cause));
  return made;
}

// ---- formats ----

Format format_of(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::f16: return {11, -14, 65504, false};
    case ScalarKind::bf16: return {8, -126, 0x1.fep127, false};
    case ScalarKind::f32: return {24, -126, 0x1.fffffep127, false};
    case ScalarKind::f64: return {53, -1022, std::numeric_limits<double>::max(), false};
    case ScalarKind::f8E4M3FN: return {4, -6, 448, true};
    case ScalarKind::f8E5M2: return {3, -14, 57344, true};
    case ScalarKind::f8E4M3FNUZ: return {4, -7, 240, true};
    case ScalarKind::f8E5M2FNUZ: return {3, -15, 57344, true};
    default: return {};
  }
}

namespace {

inline double power_of_two(int exponent) {
  if (exponent < -1022) [[unlikely]]
    return std::ldexp(1.0, exponent);
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

int exponent_of(double value) { return static_cast<int>(std::bit_cast<std::uint64_t>(value) >> 52 & 0x7ff) - 1023; }

}  // namespace

double ulp_at(const Format& format, double value) {
  const int exponent = std::max(exponent_of(value), format.least_exponent);
  return power_of_two(exponent - format.precision + 1);
}

namespace {

/// A format for the loop that rounds.
struct Rounder {
  explicit Rounder(const Format& format)
      : least(power_of_two(format.least_exponent)),
        shift(1.5 * power_of_two(53 - format.precision)),
        largest(format.largest),
        beyond(format.saturates ? format.largest : kInfinite) {}
  double least, shift, largest, beyond;

  /// 1.5 * 2^52 of the last place: adding it rounds to that place, in the processor's way. Branches would stop the
  /// vectoriser.
  double operator()(double value) const {
    const double power = std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) & 0x7ff0000000000000);
    const double by = (power < least ? least : power) * shift;
    const double rounded = std::fabs((value + by) - by);
    const double result = std::copysign(rounded <= largest ? rounded : beyond, value);
    return value == value ? result : value;  // infinity is beyond, too: a saturating format has none (S-33)
  }
};

}  // namespace

double round_to(const Format& format, double value) { return format.precision == 53 ? value : Rounder(format)(value); }

void round_bounds(ScalarKind kind, Bounds& bounds) {
  double* ends[] = {bounds.low(), bounds.high()};
  const int arrays = bounds.shares_ends() ? 1 : 2;
  const std::int64_t count = bounds.count();
  bounds.is_unrounded = false;
  if (!is_float(kind) || kind == ScalarKind::f64) return;
  const Format format = format_of(kind);
  for (int a = 0; a < arrays; ++a) {
    double* values = ends[a];
    if (kind == ScalarKind::f32) {
      for (std::int64_t i = 0; i < count; ++i) {  // a NaN's payload must stay
        const double rounded = static_cast<double>(static_cast<float>(values[i]));
        values[i] = values[i] == values[i] ? rounded : values[i];
      }
    } else {
      const Rounder rounder(format);
      for (std::int64_t i = 0; i < count; ++i) values[i] = rounder(values[i]);
    }
  }
}

// ---- elements ----

namespace {

template <typename T>
BoundsRef read_integers(const void* data, std::int64_t count) {
  const T* from = static_cast<const T*>(data);
  auto made = std::make_shared<Bounds>(count, sizeof(T) < 8);
  for (std::int64_t i = 0; i < count; ++i) {
    const double value = static_cast<double>(from[i]);
    if (sizeof(T) < 8 || std::fabs(value) < 0x1p53) {
      made->set(i, {value, value});
    } else {
      made->set(i, {std::nextafter(value, -kInfinite), std::nextafter(value, kInfinite)});
    }
  }
  return made;
}

template <typename Read>
BoundsRef read_floats(std::int64_t count, const Read& read) {
  auto made = std::make_shared<Bounds>(count, true);
  double* low = made->low();
  bool has_nan = false;
  for (std::int64_t i = 0; i < count; ++i) {
    low[i] = read(i);
    has_nan |= low[i] != low[i];
  }
  if (!has_nan) return made;
  auto apart = std::make_shared<Bounds>(count);
  for (std::int64_t i = 0; i < count; ++i) apart->set(i, point(low[i]));
  return apart;
}

double table_value(const std::vector<double>& table, const void* data, std::int64_t i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, static_cast<const char*>(data) + 2 * i, 2);
  return table[bits];
}

const std::vector<double>& f16_values() {
  static const std::vector<double> table = [] {
    std::vector<double> made(65536);
    for (std::uint32_t bits = 0; bits < 65536; ++bits) made[bits] = decode_float(ScalarKind::f16, bits);
    return made;
  }();
  return table;
}

}  // namespace

BoundsRef read_elements(ScalarKind kind, const void* data, std::int64_t count) {
  const auto* bytes = static_cast<const std::uint8_t*>(data);
  switch (kind) {
    case ScalarKind::i1: {
      auto made = std::make_shared<Bounds>(count, true);
      for (std::int64_t i = 0; i < count; ++i) made->low()[i] = (bytes[i] & 1) != 0 ? 1 : 0;
      return made;
    }
    case ScalarKind::i8: return read_integers<std::int8_t>(data, count);
    case ScalarKind::i16: return read_integers<std::int16_t>(data, count);
    case ScalarKind::i32: return read_integers<std::int32_t>(data, count);
    case ScalarKind::i64:
    case ScalarKind::pointer: return read_integers<std::int64_t>(data, count);
    case ScalarKind::f32:
      return read_floats(count,
                         [&](std::int64_t i) { return static_cast<double>(static_cast<const float*>(data)[i]); });
    case ScalarKind::f64:
      return read_floats(count, [&](std::int64_t i) { return static_cast<const double*>(data)[i]; });
    case ScalarKind::f16: return read_floats(count, [&](std::int64_t i) { return table_value(f16_values(), data, i); });
    case ScalarKind::bf16:
      return read_floats(count, [&](std::int64_t i) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes + 2 * i, 2);
        return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(half) << 16));
      });
    default: return read_floats(count, [&](std::int64_t i) { return decode_float(kind, bytes[i]); });
  }
}

Interval read_element(ScalarKind kind, std::uint64_t bits) { return read_elements(kind, &bits, 1)->at(0); }

}  // namespace lockstep::enclosure
