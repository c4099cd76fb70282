// Measures a function's results against MPFR: mpfr_ulp [-a ABSOLUTE] FUNCTION RESULT_KIND RESULT_FILE (KIND FILE)...
// Files are raw little-endian arrays of one length; kinds: f16, bf16, f32, f64, i32. Prints one line of JSON: max_ulp,
// the index of the worst element, its operands, result and reference, and the count. An error is |result - exact| in
// units in the last place of the result's kind at the exact value; a NaN, infinity or sign in the wrong place counts as
// 1e300. The sign of zero is not looked at, nor is an error of at most ABSOLUTE. Functions that MPFR lacks are composed
// from it at 320 bits (mpfr_functions.h).
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mpfr_functions.h"

namespace {

struct Format {
  const char* name;
  int bytes, mantissa_bits, smallest_exponent, largest_exponent;  // 2^largest_exponent is the first number too large
};
constexpr Format kFormats[] = {{"f16", 2, 11, -24, 16},
                               {"bf16", 2, 8, -133, 128},
                               {"f32", 4, 24, -149, 128},
                               {"f64", 8, 53, -1074, 1024},
                               {"i32", 4, 0, 0, 0}};

const Format* find_format(const std::string& name) {
  for (const Format& format : kFormats)
    if (name == format.name) return &format;
  return nullptr;
}

double decode_f16(std::uint16_t bits) {
  const int exponent = (bits >> 10) & 31, mantissa = bits & 1023;
  double value = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) value = mantissa == 0 ? HUGE_VAL : std::nan("");
  return (bits & 0x8000) != 0 ? -value : value;
}

struct Array {
  const Format* format;
  std::vector<char> data;

  std::size_t count() const { return data.size() / static_cast<std::size_t>(format->bytes); }
  double at(std::size_t i) const {
    const char* place = data.data() + i * static_cast<std::size_t>(format->bytes);
    if (format->mantissa_bits == 0) return read<std::int32_t>(place);
    if (format->bytes == 8) return read<double>(place);
    if (format->bytes == 4) return static_cast<double>(read<float>(place));
    const auto bits = read<std::uint16_t>(place);
    if (format->mantissa_bits == 11) return decode_f16(bits);
    const std::uint32_t wide = std::uint32_t{bits} << 16;
    return static_cast<double>(read<float>(reinterpret_cast<const char*>(&wide)));
  }

 private:
  template <class T>
  static T read(const char* place) {
    T value;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
};

bool load(const std::string& kind, const std::string& path, Array& array) {
  array.format = find_format(kind);
  std::ifstream file(path, std::ios::binary);
  if (array.format == nullptr || !file) return false;
  array.data.assign(std::istreambuf_iterator<char>(file), {});
  return true;
}

constexpr double kWrong = 1e300;

/// Error of `got` in ulp; 0 when it is at most `absolute`.
double error_of(double got, const Real& exact, const Format& format, double absolute) {
  if (mpfr_nan_p(exact.get()) != 0 || std::isnan(got))
    return mpfr_nan_p(exact.get()) != 0 && std::isnan(got) ? 0 : kWrong;
  if (mpfr_inf_p(exact.get()) != 0) return std::isinf(got) && (got > 0) == (mpfr_sgn(exact.get()) > 0) ? 0 : kWrong;
  if (mpfr_zero_p(exact.get()) != 0) return got == 0 ? 0 : std::fabs(std::ldexp(got, -format.smallest_exponent));
  Real limit, value(exact);
  mpfr_set_ui_2exp(limit.get(), 1, format.largest_exponent, MPFR_RNDN);
  if (mpfr_cmpabs(value.get(), limit.get()) > 0) {
    if (std::isinf(got)) return (got > 0) == (mpfr_sgn(value.get()) > 0) ? 0 : kWrong;
    mpfr_setsign(value.get(), limit.get(), mpfr_sgn(value.get()) < 0, MPFR_RNDN);
  }
  const long exponent =
      std::max<long>(std::min<long>(mpfr_get_exp(value.get()), format.largest_exponent) - format.mantissa_bits,
                     format.smallest_exponent);
  Real result;
  if (std::isinf(got)) {
    mpfr_setsign(result.get(), limit.get(), got < 0, MPFR_RNDN);
  } else {
    mpfr_set_d(result.get(), got, MPFR_RNDN);
  }
  mpfr_sub(result.get(), result.get(), value.get(), MPFR_RNDN);
  if (absolute > 0 && std::fabs(mpfr_get_d(result.get(), MPFR_RNDN)) <= absolute) return 0;
  mpfr_mul_2si(result.get(), result.get(), -exponent, MPFR_RNDN);
  return std::min(std::fabs(mpfr_get_d(result.get(), MPFR_RNDU)), kWrong);
}

struct Worst {
  double ulp = -1;
  std::size_t index = 0;
  double reference = 0;
};

std::string number(double value) {
  char text[64];
  if (std::isfinite(value)) {
    std::snprintf(text, sizeof text, "%.17g", value);
  } else {
    std::snprintf(text, sizeof text, "\"%f\"", value);
  }
  return text;
}

void print(const Worst& worst, const Array& result, const std::vector<Array>& operands) {
  std::string inputs;
  for (const Array& operand : operands) inputs += (inputs.empty() ? "" : ", ") + number(operand.at(worst.index));
  std::printf(
      "{\"max_ulp\": %.6g, \"worst\": %zu, \"inputs\": [%s], \"result\": %s, \"reference\": %s, \"count\": %zu}\n",
      worst.ulp, worst.index, inputs.c_str(), number(result.at(worst.index)).c_str(), number(worst.reference).c_str(),
      result.count());
}

int fail(const char* message) {
  std::fprintf(stderr, "mpfr_ulp: %s\n", message);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> words(argv + 1, argv + argc);
  double absolute = 0;
  if (words.size() > 2 && words[0] == "-a") {
    absolute = std::atof(words[1].c_str());
    words.erase(words.begin(), words.begin() + 2);
  }
  if (words.size() < 5 || words.size() % 2 == 0)
    return fail("usage: mpfr_ulp [-a ABSOLUTE] FUNCTION RESULT_KIND RESULT_FILE (KIND FILE)...");
  const Reference reference = find_reference(words[0]);
  if (reference == nullptr) return fail("no such function");
  Array result;
  if (!load(words[1], words[2], result)) return fail("cannot read the result");
  std::vector<Array> operands;
  for (std::size_t i = 3; i + 1 < words.size(); i += 2) {
    operands.emplace_back();
    if (!load(words[i], words[i + 1], operands.back())) return fail("cannot read an operand");
    if (operands.back().count() != result.count()) return fail("the arrays have different lengths");
  }
  if (result.count() == 0) return fail("the arrays are empty");
  Worst worst;
  Real exact;
  for (std::size_t i = 0; i < result.count(); ++i) {
    std::vector<double> x;
    for (const Array& operand : operands) x.push_back(operand.at(i));
    const double got = result.at(i);
    reference(exact, x, got);
    const double ulp = error_of(got, exact, *result.format, absolute);
    if (ulp > worst.ulp) worst = {ulp, i, mpfr_get_d(exact.get(), MPFR_RNDN)};
  }
  print(worst, result, operands);
  return 0;
}
