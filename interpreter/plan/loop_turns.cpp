#include "interpreter/plan/loop_turns.h"

#include "interpreter/tile/tile.h"

namespace lockstep::interpreter {

namespace {

__extension__ using Wide = __int128;

Wide counter_value(const LoopCounter& counter, std::uint64_t bits) {
  if (counter.is_unsigned) return static_cast<Wide>(truncate_bits(counter.kind, bits));
  return sign_extend(counter.kind, bits);
}

Wide modulus(const LoopCounter& counter) { return Wide{1} << bit_width(counter.kind); }
Wide highest(const LoopCounter& counter) { return modulus(counter) / (counter.is_unsigned ? 1 : 2) - 1; }

/// The first k >= 0 with low <= a*k mod m <= high, for 0 <= low <= high < m and 0 <= a < m; -1: there is none. If no
/// multiple of `a` lies between them, whole multiples of m must be added: the same question for m mod a.
Wide first_multiple(Wide a, Wide m, Wide low, Wide high) {
  if (low == 0) return 0;
  if (a == 0) return -1;
  const Wide k = (low + a - 1) / a;
  if (a * k <= high) return k;
  const Wide turns = first_multiple(m % a, a, (a - high % a) % a, (a - low % a) % a);
  return turns < 0 ? -1 : (low + m * turns + a - 1) / a;
}

std::string text_of(Wide value) {
  if (value < 0) return "-" + text_of(-value);
  const auto digit = std::string(1, static_cast<char>('0' + static_cast<int>(value % 10)));
  return value < 10 ? digit : text_of(value / 10) + digit;
}

}  // namespace

std::uint64_t turns_in_python(const LoopCounter& counter) {
  const Wide span = counter_value(counter, counter.upper) - counter_value(counter, counter.lower);
  const Wide step = counter_value(counter, counter.step);
  return static_cast<std::uint64_t>((span + step - 1) / step);
}

std::optional<std::uint64_t> wrapping_turns(const LoopCounter& counter) {
  const Wide lower = counter_value(counter, counter.lower), upper = counter_value(counter, counter.upper);
  const Wide turns =
      first_multiple(counter_value(counter, counter.step), modulus(counter), upper - lower, highest(counter) - lower);
  return turns < 0 ? std::nullopt : std::optional(static_cast<std::uint64_t>(turns));
}

std::uint64_t turn_of(const LoopCounter& counter, std::uint64_t value) {
  const Wide m = modulus(counter);
  const Wide way = (counter_value(counter, value) - counter_value(counter, counter.lower) + m) % m;
  const Wide turn = first_multiple(counter_value(counter, counter.step), m, way, way);
  return turn < 0 ? 0 : static_cast<std::uint64_t>(turn);
}

std::string wrap_text(const LoopCounter& counter) {
  const std::uint64_t turns = turns_in_python(counter);
  const Wide lower = counter_value(counter, counter.lower), upper = counter_value(counter, counter.upper);
  const Wide step = counter_value(counter, counter.step);
  const Wide last = lower + static_cast<Wide>(turns - 1) * step;
  const std::optional<std::uint64_t> made = wrapping_turns(counter);
  const std::string range = "range(" + text_of(lower) + ", " + text_of(upper) + ", " + text_of(step) + ")";
  return "the counter of this loop wraps: " + range + " makes " + std::to_string(turns) +
         " turns in Python, but after " + text_of(last) + " comes " + text_of(last + step - modulus(counter)) +
         " here, as " + text_of(last + step) + " is no " + std::string(spelling(counter.kind)) + "; the loop " +
         (made ? "makes " + std::to_string(*made) + " turns" : std::string("never ends, and was left at that point"));
}

std::string wrap_hint(const LoopCounter& counter) {
  const std::string widen = bit_width(counter.kind) < 64 ? "make a bound of the range an int64: .to(tl.int64); or " : "";
  return widen + "let the range end at " + text_of(highest(counter) - counter_value(counter, counter.step) + 1) + " or before";
}

}  // namespace lockstep::interpreter
