#include "driver/files/npy_header.h"

#include <array>
#include <charconv>
#include <utility>

#include "driver/arguments/failure.h"

namespace lockstep::driver {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr std::size_t kMaxHeaderBytes = std::size_t{1} << 16;
constexpr std::size_t kMaxFileRank = 32;
constexpr std::uint64_t kMaxDataBytes = std::uint64_t{1} << 50;

std::size_t little_endian(std::string_view bytes, std::size_t offset, std::size_t width) {
  std::size_t value = 0;
  for (std::size_t i = width; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes[offset + i]);
  return value;
}

struct Dtype {
  std::string_view code;  // without the byte order
  ScalarKind kind;
  bool is_unsigned;
};
// V1 and V2 are NumPy's dtypes for bfloat16 and 8-bit floats of extension packages: bytes without a meaning.
constexpr std::array<Dtype, 14> kDtypes{{{"b1", ScalarKind::i1, false},
                                         {"i1", ScalarKind::i8, false},
                                         {"i2", ScalarKind::i16, false},
                                         {"i4", ScalarKind::i32, false},
                                         {"i8", ScalarKind::i64, false},
                                         {"u1", ScalarKind::i8, true},
                                         {"u2", ScalarKind::i16, true},
                                         {"u4", ScalarKind::i32, true},
                                         {"u8", ScalarKind::i64, true},
                                         {"f2", ScalarKind::f16, false},
                                         {"f4", ScalarKind::f32, false},
                                         {"f8", ScalarKind::f64, false},
                                         {"V1", ScalarKind::i8, true},
                                         {"V2", ScalarKind::i16, true}}};

// A reader of the few Python literals that a header may hold. Every take_ returns false at the first surprise.
class Literal {
 public:
  explicit Literal(std::string_view text) : text_(text) {}
  bool take(char c) {
    skip();
    if (position_ >= text_.size() || text_[position_] != c) return false;
    ++position_;
    return true;
  }
  bool take_string(std::string& out) {
    skip();
    const char quote = position_ < text_.size() ? text_[position_] : '\0';
    if (quote != '\'' && quote != '"') return false;
    const std::size_t end = text_.find(quote, position_ + 1);
    if (end == std::string_view::npos) return false;
    out = text_.substr(position_ + 1, end - position_ - 1);
    position_ = end + 1;
    return out.find('\\') == std::string::npos;
  }
  bool take_bool(bool& out) {
    skip();
    for (const auto& [word, value] : {std::pair<std::string_view, bool>{"True", true}, {"False", false}}) {
      if (!text_.substr(position_).starts_with(word)) continue;
      position_ += word.size();
      out = value;
      return true;
    }
    return false;
  }
  bool take_tuple(std::vector<std::int64_t>& out) {
    if (!take('(')) return false;
    while (!take(')')) {
      if (!out.empty() && !take(',')) return false;
      if (take(')')) return true;
      std::int64_t value = 0;
      if (!take_integer(value) || out.size() >= kMaxFileRank) return false;
      out.push_back(value);
    }
    return true;
  }
  bool at_end() {
    skip();
    return position_ == text_.size();
  }

 private:
  void skip() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\n')) ++position_;
  }
  bool take_integer(std::int64_t& value) {
    skip();
    const char* first = text_.data() + position_;
    const auto [end, error] = std::from_chars(first, text_.data() + text_.size(), value);
    if (error != std::errc()) return false;
    position_ += static_cast<std::size_t>(end - first);
    if (position_ < text_.size() && text_[position_] == 'L') ++position_;  // written by Python 2
    return value >= 0;
  }

  std::string_view text_;
  std::size_t position_ = 0;
};

struct Dictionary {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
  bool has_descr = false, has_fortran_order = false, has_shape = false;
};

// True the first time.
bool mark(bool& has) { return !std::exchange(has, true); }

bool take_entry(Literal& literal, Dictionary& out) {
  std::string key;
  if (!literal.take_string(key) || !literal.take(':')) return false;
  if (key == "descr") return mark(out.has_descr) && literal.take_string(out.descr);
  if (key == "fortran_order") return mark(out.has_fortran_order) && literal.take_bool(out.fortran_order);
  if (key == "shape") return mark(out.has_shape) && literal.take_tuple(out.shape);
  return false;
}

bool parse_dictionary(std::string_view text, Dictionary& out) {
  Literal literal(text);
  if (!literal.take('{')) return false;
  for (bool first = true; !literal.take('}'); first = false) {
    if (!first && !literal.take(',')) return false;
    if (literal.take('}')) break;
    if (!take_entry(literal, out)) return false;
  }
  return literal.at_end() && out.has_descr && out.has_fortran_order && out.has_shape;
}

bool set_dtype(std::string_view descr, NpyHeader& header) {
  if (descr.size() < 2) return false;
  const char order = descr[0];
  if (order != '<' && order != '>' && order != '|' && order != '=') return false;
  for (const Dtype& dtype : kDtypes) {
    if (dtype.code != descr.substr(1)) continue;
    header.element = dtype.kind;
    header.is_unsigned = dtype.is_unsigned;
    header.is_big_endian = order == '>';
    return true;
  }
  return false;
}

bool set_size(NpyHeader& header) {
  std::uint64_t bytes = static_cast<std::uint64_t>(size_bytes(header.element));
  bool is_empty = false;
  for (const std::int64_t extent : header.shape) {
    is_empty |= extent == 0;
    const auto factor = static_cast<std::uint64_t>(extent == 0 ? 1 : extent);
    if (__builtin_mul_overflow(bytes, factor, &bytes) || bytes > kMaxDataBytes) return false;
  }
  header.data_bytes = is_empty ? 0 : bytes;
  return true;
}

char order_mark(ScalarKind element) { return size_bytes(element) == 1 ? '|' : '<'; }

std::string dtype_code(ScalarKind element, bool is_unsigned) {
  const std::string size = std::to_string(size_bytes(element));
  if (element == ScalarKind::i1) return "b1";
  if (element == ScalarKind::f16 || element == ScalarKind::f32 || element == ScalarKind::f64) return "f" + size;
  return (is_integer(element) && !is_unsigned ? "i" : "u") + size;
}

}  // namespace

Expected<NpyHeader, Status> parse_npy_header(std::string_view bytes) {
  if (bytes.size() < 10 || !bytes.starts_with(kMagic))
    return fail("LS2103", "this is not a .npy file", "save it with numpy.save");
  const int version = static_cast<unsigned char>(bytes[6]);
  if (version < 1 || version > 3) return fail("LS2103", "unknown .npy format version " + std::to_string(version));
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  const std::size_t start = 8 + length_bytes;
  if (bytes.size() < start) return fail("LS2106", "the .npy file ends inside its header");
  const std::size_t length = little_endian(bytes, 8, length_bytes);
  if (length > kMaxHeaderBytes) return fail("LS2105", "the .npy header is longer than 65536 bytes");
  if (bytes.size() - start < length) return fail("LS2106", "the .npy file ends inside its header");
  Dictionary dictionary;
  const std::string_view text = bytes.substr(start, length);
  if (!parse_dictionary(text, dictionary)) {
    const bool has_records = text.find("'descr': [") != std::string_view::npos;
    if (has_records) return fail("LS2104", "the .npy file holds records (a structured dtype)", "save one plain array");
    return fail("LS2105", "the .npy header cannot be read", "save it with numpy.save");
  }
  NpyHeader header;
  if (!set_dtype(dictionary.descr, header)) {
    return fail("LS2104", "the .npy file's dtype '" + dictionary.descr.substr(0, 40) + "' has no type in Lockstep",
                "use bool, int8..int64, uint8..uint64, float16, float32 or float64");
  }
  header.is_fortran_order = dictionary.fortran_order;
  header.shape = std::move(dictionary.shape);
  if (!set_size(header)) return fail("LS2107", "the .npy file's shape is too large");
  header.data_offset = start + length;
  return header;
}

std::string make_npy_header(ScalarKind element, bool is_unsigned, const std::vector<std::int64_t>& shape) {
  std::string text = "{'descr': '";
  text += order_mark(element) + dtype_code(element, is_unsigned) + "', 'fortran_order': False, 'shape': (";
  for (const std::int64_t extent : shape) text += std::to_string(extent) + ", ";
  if (shape.size() > 1) text.resize(text.size() - 2);  // "(3, 4)" but "(3,)"
  if (shape.size() == 1) text.resize(text.size() - 1);
  text += "), }";
  const std::size_t unpadded = 10 + text.size() + 1;
  text.append((64 - unpadded % 64) % 64, ' ');
  text += '\n';
  std::string header(kMagic);
  header += {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8 & 0xff)};
  return header + text;
}

}  // namespace lockstep::driver
