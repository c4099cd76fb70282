#include "ir/text/parse/dense_parser.h"

#include <optional>

#include "ir/text/float_text.h"
#include "ir/text/parse/parse_number.h"

namespace lockstep::ir {
namespace {

/// A literal in the text's form, before the element type is known.
struct Literal {
  Token token;
  bool is_negative = false;
};

void append_bytes(std::vector<std::byte>& data, std::uint64_t bits, int size) {
  for (int i = 0; i < size; ++i) data.push_back(static_cast<std::byte>(bits >> (8 * i)));
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::optional<std::vector<std::byte>> bytes_of_hex(std::string_view text) {
  if (!text.starts_with("0x") || text.size() % 2 != 0) return std::nullopt;
  std::vector<std::byte> data;
  for (std::size_t i = 2; i < text.size(); i += 2) {
    const int high = hex_digit(text[i]);
    const int low = hex_digit(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    data.push_back(static_cast<std::byte>(high * 16 + low));
  }
  return data;
}

/// The bits of a literal in the element type; nullopt if it does not fit.
std::optional<std::uint64_t> bits_of(const Literal& literal, Type element) {
  const std::string_view text = literal.token.text;
  const ScalarKind kind = *element.scalar_kind();
  if (literal.token.is(Token::Kind::bare_id)) {
    if (!element.is_integer(1)) return std::nullopt;
    return text == "true" ? 1 : 0;
  }
  if (literal.token.is(Token::Kind::floating)) {
    if (!element.is_float()) return std::nullopt;
    return parse_float(kind, (literal.is_negative ? "-" : "") + std::string(text));
  }
  std::uint64_t magnitude = 0;
  if (!read_integer_literal(text, magnitude)) return std::nullopt;
  if (element.is_float()) {
    const int width = bit_width(kind);
    const bool is_bits = text.starts_with("0x") && !literal.is_negative && (width == 64 || magnitude >> width == 0);
    return is_bits ? std::optional(magnitude) : std::nullopt;
  }
  if (!integer_fits(element, literal.is_negative, magnitude)) return std::nullopt;
  const std::uint64_t bits = literal.is_negative ? 0 - magnitude : magnitude;
  return element.is_integer(1) ? bits & 1 : bits;
}

/// Reads the literals of dense<...> and, when the type is known, turns them into bytes.
class DenseParser {
 public:
  explicit DenseParser(TypeParser& parser) : parser_(parser) {}

  Attribute parse() {
    const std::uint32_t begin = parser_.take().begin;
    if (!parser_.expect('<')) return {};
    if (parser_.peek().is(Token::Kind::string))
      hex_ = parser_.take();
    else if (!parser_.at('>') && !parse_literals(0))
      return {};
    if (!parser_.expect('>') || !parser_.expect(':')) return {};
    const Type type = parser_.parse_type();
    if (!type) return {};
    range_ = parser_.range_from(begin);
    const Type element = type.element();
    if (!type.is_tensor() || !element.scalar_kind() || element.is_pointer()) {
      parser_.error(range_, "LS1007", "dense<...> cannot have type " + type.to_string());
      return {};
    }
    return hex_.is(Token::Kind::string) ? from_hex(type) : from_literals(type);
  }

 private:
  bool parse_literals(std::size_t level) {
    if (!parser_.at('[')) return parse_literal();
    if (level >= kMaxRank) return parser_.error_here("a number");
    is_list_ = true;
    parser_.take();
    std::int64_t count = 0;
    if (level >= shape_.size()) shape_.push_back(-1);
    if (!parser_.at(']')) {
      do {
        const bool is_leaf = !parser_.at('[');
        if (is_leaf && leaf_level_ == kNoLevel) leaf_level_ = level;
        if (is_leaf != (leaf_level_ == level)) return parser_.error_here("lists of equal depth");
        if (!parse_literals(level + 1)) return false;
        ++count;
      } while (parser_.consume(','));
    }
    if (shape_[level] >= 0 && shape_[level] != count) return parser_.error_here("lists of equal length");
    shape_[level] = count;
    return parser_.expect(']');
  }

  bool parse_literal() {
    Literal literal;
    literal.is_negative = parser_.consume('-');
    const Token& token = parser_.peek();
    const bool is_word = token.is_word("true") || token.is_word("false");
    if (!token.is(Token::Kind::integer) && !token.is(Token::Kind::floating) && (!is_word || literal.is_negative)) {
      return parser_.error_here("a number");
    }
    literal.token = parser_.take();
    literals_.push_back(literal);
    return true;
  }

  Attribute from_literals(Type type) {
    const Type element = type.element();
    const bool is_splat = !is_list_ && literals_.size() == 1;
    if (!is_splat && (static_cast<std::int64_t>(literals_.size()) != type.element_count() ||
                      (!literals_.empty() && shape_ != type.shape()))) {
      parser_.error(range_, "LS1007", "the elements do not have the shape of " + type.to_string());
      return {};
    }
    std::vector<std::byte> data;
    for (const Literal& literal : literals_) {
      const auto bits = bits_of(literal, element);
      if (!bits) {
        parser_.error({literal.token.begin, literal.token.end}, "LS1008",
                      "this is not a number of type " + element.to_string());
        return {};
      }
      append_bytes(data, *bits, size_bytes(*element.scalar_kind()));
    }
    return finished(type, std::move(data), is_splat);
  }

  Attribute from_hex(Type type) {
    const Type element = type.element();
    auto data = bytes_of_hex(unescape(hex_.text));
    const auto size = static_cast<std::size_t>(size_bytes(*element.scalar_kind()));
    const auto count = static_cast<std::size_t>(type.element_count());
    if (data && element.is_integer(1)) data = unpacked_bits(*data, count);
    if (!data || (data->size() != size && data->size() != size * count)) {
      parser_.error({hex_.begin, hex_.end}, "LS1007", "these are not the bytes of " + type.to_string());
      return {};
    }
    const bool is_splat = data->size() == size && count != 1;
    return finished(type, std::move(*data), is_splat);
  }

  /// Equal elements make a splat, as in MLIR; so equal constants are one attribute in any spelling.
  Attribute finished(Type type, std::vector<std::byte> data, bool is_splat) {
    const auto size = static_cast<std::size_t>(size_bytes(*type.element().scalar_kind()));
    if (!is_splat && !data.empty()) {
      is_splat = true;
      for (std::size_t i = size; i < data.size() && is_splat; ++i) is_splat = data[i] == data[i - size];
      if (is_splat) data.resize(size);
    }
    return parser_.context().dense(type, std::move(data), is_splat);
  }

  static std::optional<std::vector<std::byte>> unpacked_bits(const std::vector<std::byte>& packed, std::size_t count) {
    if (packed.size() == 1 && count != 1 && (packed[0] == std::byte{0} || packed[0] == std::byte{0xFF})) {
      return std::vector<std::byte>{packed[0] & std::byte{1}};
    }
    if (packed.size() != (count + 7) / 8) return std::nullopt;
    std::vector<std::byte> data(count);
    for (std::size_t i = 0; i < count; ++i) data[i] = (packed[i / 8] >> (i % 8)) & std::byte{1};
    return data;
  }

  static constexpr std::size_t kNoLevel = static_cast<std::size_t>(-1);
  TypeParser& parser_;
  SourceRange range_;
  Token hex_;
  bool is_list_ = false;
  std::size_t leaf_level_ = kNoLevel;
  std::vector<std::int64_t> shape_;
  std::vector<Literal> literals_;
};

}  // namespace

Attribute parse_dense(TypeParser& parser) { return DenseParser(parser).parse(); }

}  // namespace lockstep::ir
