// --print: a tensor as nested brackets.
#include <cstring>

#include "cli/outputs.h"
#include "cli/quantities.h"
#include "support/float_formats.h"

namespace lockstep::cli {
namespace {

constexpr std::int64_t kWholeUpTo = 1000;   // elements
constexpr std::int64_t kEdge = 3;           // items kept at each end of a dimension otherwise

class ArrayText {
 public:
  explicit ArrayText(const host::Array& array) : array_(array) {
    std::int64_t count = 1;
    for (const std::int64_t extent : array.shape) count *= extent;
    is_cut_ = count > kWholeUpTo;
  }

  std::string text() {
    write(0, 0, 1);
    return std::move(text_);
  }

 private:
  void write(std::size_t dimension, std::int64_t first, std::size_t indent) {
    if (dimension == array_.shape.size()) return write_element(first);
    const std::int64_t extent = array_.shape[dimension];
    std::int64_t step = 1;
    for (std::size_t d = dimension + 1; d < array_.shape.size(); ++d) step *= array_.shape[d];
    const bool is_last = dimension + 1 == array_.shape.size();
    const std::string separator = is_last ? ", " : ",\n" + std::string(indent, ' ');
    text_ += '[';
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i > 0) text_ += separator;
      if (is_cut_ && extent > 2 * kEdge + 1 && i == kEdge) {
        text_ += "...";
        i = extent - kEdge - 1;
        continue;
      }
      write(dimension + 1, first + i * step, indent + 1);
    }
    text_ += ']';
  }

  void write_element(std::int64_t index) {
    const auto bytes = static_cast<std::size_t>(size_bytes(array_.element));
    std::uint64_t bits = 0;
    std::memcpy(&bits, array_.data.data() + static_cast<std::size_t>(index) * bytes, bytes);
    if (array_.element == ScalarKind::f64) {
      text_ += format_number(decode_float(array_.element, bits));
    } else if (is_float(array_.element)) {
      // Every narrower float is an f32 exactly; as such it has a shorter text: "0.1", not the 17 digits of the double near it.
      text_ += format_number(static_cast<float>(decode_float(array_.element, bits)));
    } else if (array_.element == ScalarKind::i1) {
      text_ += bits != 0 ? "true" : "false";
    } else if (array_.is_unsigned || array_.element == ScalarKind::pointer) {
      text_ += std::to_string(bits);
    } else {
      const int shift = 64 - bit_width(array_.element);
      text_ += std::to_string(static_cast<std::int64_t>(bits << shift) >> shift);
    }
  }

  const host::Array& array_;
  bool is_cut_ = false;
  std::string text_;
};

}  // namespace

std::string format_array(const std::string& name, const host::Array& array) {
  std::string text = name + ": " + std::string(spelling(array.element)) + "[";
  for (std::size_t d = 0; d < array.shape.size(); ++d) text += (d > 0 ? "," : "") + std::to_string(array.shape[d]);
  return text + "]\n" + ArrayText(array).text() + "\n";
}

}  // namespace lockstep::cli
