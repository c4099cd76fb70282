#include "interpreter/kernels/tensor_core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "interpreter/kernels/dispatch.h"

namespace lockstep::interpreter::kernels {

namespace {

constexpr std::int64_t kAtOnce = 16;         // elements of K that one instruction takes
constexpr std::int64_t kThreads = 4;         // threads of a warp that share a row's elements of K
constexpr float kNan = std::bit_cast<float>(0x7fffffffu);

std::int64_t padded_elements(std::int64_t elements) { return (elements + 7) / 8 * 8; }

/// A matrix in f64, with the powers of two below its elements. Elements that are not finite are 0 here, and marked.
struct Widened {
  double* values;
  double* powers;
};
void widen(const Widened& out, std::int64_t at, float value) {
  const double wide = std::isfinite(value) ? static_cast<double>(value) : 0;
  out.values[at] = wide;
  out.powers[at] = std::bit_cast<double>(std::bit_cast<std::uint64_t>(wide) & 0x7FF0000000000000u);
}

/// The sum of a row's and a column's products if one of them, or the start, is not finite: no order matters.
struct NotFinite {
  bool is_nan = false, has_plus = false, has_minus = false;
  void add(float value) {
    is_nan |= std::isnan(value);
    has_plus |= value == std::numeric_limits<float>::infinity();
    has_minus |= value == -std::numeric_limits<float>::infinity();
  }
  /// inf * 0 is NaN; a product of finite numbers changes nothing here, even if it is too large for an f32.
  void add_product(float a, float b) {
    if (!std::isfinite(a) || !std::isfinite(b)) add(a * b);
  }
  float sum() const {
    if (is_nan || (has_plus && has_minus)) return kNan;
    return has_plus ? std::numeric_limits<float>::infinity() : -std::numeric_limits<float>::infinity();
  }
};

bool all_finite(const float* values, std::int64_t n, std::int64_t step) {
  for (std::int64_t i = 0; i < n; ++i)
    if (!std::isfinite(values[i * step])) return false;
  return true;
}

}  // namespace

std::vector<std::int64_t> contraction_order(Contraction contraction, std::int64_t k) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(k));
  std::iota(order.begin(), order.end(), 0);
  const std::int64_t wanted = contraction == Contraction::warp ? 8 : 16;  // neighbours along K that a thread holds
  const std::int64_t run = std::min(wanted, k / kThreads);
  if (contraction == Contraction::warp_group || run < kAtOnce / kThreads || k % (kThreads * run) != 0) return order;
  order.clear();
  // An instruction takes two pairs of every thread's run: one of each half, or, if K is too short for whole runs,
  // neighbouring ones.
  const std::int64_t step = run == wanted ? 2 : 4, second = run == wanted ? run / 2 : 2;
  for (std::int64_t base = 0; base < k; base += kThreads * run)
    for (std::int64_t instruction = 0; instruction < kThreads * run / kAtOnce; ++instruction)
      for (const std::int64_t half : {std::int64_t{0}, second})
        for (std::int64_t thread = 0; thread < kThreads; ++thread)
          for (const std::int64_t one : {0, 1}) order.push_back(base + thread * run + instruction * step + half + one);
  return order;
}

std::vector<std::int64_t> blocks_of(std::int64_t products, std::int64_t k) {
  std::vector<std::int64_t> order;
  for (std::int64_t begin = 0; begin < k; begin += products) {
    for (std::int64_t i = 0; i < kAtOnce; ++i) order.push_back(i < products && begin + i < k ? begin + i : kNothing);
  }
  return order;
}

TensorCoreProduct::TensorCoreProduct(std::int64_t m, std::int64_t n, std::vector<std::int64_t> order)
    : m_(m),
      n_(n),
      order_(std::move(order)),
      elements_(std::count_if(order_.begin(), order_.end(), [](std::int64_t at) { return at != kNothing; })) {}

std::int64_t TensorCoreProduct::scratch_bytes() const {
  const auto k = static_cast<std::int64_t>(order_.size());
  return static_cast<std::int64_t>(sizeof(double)) * (2 * padded_elements(m_ * k) + 2 * padded_elements(k * n_) + padded_elements(m_ * n_));
}

void TensorCoreProduct::run(float* out, const DotStart& start, const float* a, const float* b, char* scratch) const {
  const auto k = static_cast<std::int64_t>(order_.size());
  auto* memory = reinterpret_cast<double*>(scratch);
  const auto take = [&](std::int64_t elements) {
    double* taken = memory;
    memory += padded_elements(elements);
    return taken;
  };
  const Widened left{take(m_ * k), take(m_ * k)}, right{take(k * n_), take(k * n_)};
  double* sum = take(m_ * n_);
  for (std::int64_t p = 0; p < k; ++p) {
    const std::int64_t at = order_[static_cast<std::size_t>(p)];
    for (std::int64_t i = 0; i < m_; ++i) widen(left, i * k + p, at == kNothing ? 0.0f : a[i * elements_ + at]);
    for (std::int64_t j = 0; j < n_; ++j) widen(right, p * n_ + j, at == kNothing ? 0.0f : b[at * n_ + j]);
  }
  const auto* starts = static_cast<const float*>(start.data);
  const auto start_at = [&](std::int64_t i) { return starts[start.is_uniform ? 0 : i]; };
  for (std::int64_t i = 0; i < m_ * n_; ++i) {
    const float from = start_at(i);
    sum[i] = std::isfinite(from) ? static_cast<double>(from) : 0;
  }
  table().tensor_core({sum, left.values, left.powers, right.values, right.powers, m_, n_, k});

  std::vector<bool> is_finite_column(static_cast<std::size_t>(n_));
  for (std::int64_t j = 0; j < n_; ++j) is_finite_column[static_cast<std::size_t>(j)] = all_finite(b + j, elements_, n_);
  for (std::int64_t i = 0; i < m_; ++i) {
    const bool is_finite_row = all_finite(a + i * elements_, elements_, 1);
    for (std::int64_t j = 0; j < n_; ++j) {
      const float from = start_at(i * n_ + j);
      if (is_finite_row && is_finite_column[static_cast<std::size_t>(j)] && std::isfinite(from)) {
        out[i * n_ + j] = static_cast<float>(sum[i * n_ + j]);
        continue;
      }
      NotFinite total;
      total.add(from);
      for (std::int64_t p = 0; p < elements_; ++p) total.add_product(a[i * elements_ + p], b[p * n_ + j]);
      out[i * n_ + j] = total.sum();
    }
  }
}

}  // namespace lockstep::interpreter::kernels
