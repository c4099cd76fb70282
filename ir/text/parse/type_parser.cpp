#include "ir/text/parse/type_parser.h"

#include <algorithm>

#include "support/ascii.h"

namespace lockstep::ir {
namespace {

/// "i32" -> 32; 0 if it is not the name of an integer type.
std::uint32_t integer_width_of(std::string_view word) {
  if (word.size() < 2 || word.size() > 8 || word[0] != 'i') return 0;
  std::uint32_t width = 0;
  for (const char c : word.substr(1)) {
    if (!is_digit(c)) return 0;
    width = width * 10 + static_cast<std::uint32_t>(c - '0');
  }
  return width;
}

std::optional<ScalarKind> float_kind_of(std::string_view word) {
  for (int i = static_cast<int>(ScalarKind::f8E4M3FN); i <= static_cast<int>(ScalarKind::f64); ++i) {
    if (spelling(static_cast<ScalarKind>(i)) == word) return static_cast<ScalarKind>(i);
  }
  return std::nullopt;
}

}  // namespace

Type TypeParser::parse_type() {
  const Nesting nesting(*this);
  if (!nesting.ok()) return {};
  if (token_.is(Token::Kind::bare_id)) return parse_bare_type(token_);
  if (token_.is(Token::Kind::bang_id)) return parse_dialect_type();
  if (token_.is('(')) return parse_function_type();
  error_here("a type");
  return {};
}

Type TypeParser::parse_bare_type(const Token& token) {
  const std::string_view word = token.text;
  const SourceRange range{token.begin, token.end};
  if (word == "tensor") return parse_tensor_type();
  if (word == "none" || word == "index") {
    advance();
    return word == "none" ? context().none() : context().index();
  }
  if (const auto kind = float_kind_of(word)) {
    advance();
    return context().floating(*kind);
  }
  const bool has_sign = descriptor_sign_ != nullptr && (word.starts_with("si") || word.starts_with("ui"));
  if (const std::uint32_t width = integer_width_of(has_sign ? word.substr(1) : word); width != 0) {
    if (width > 128) {
      error(range, "LS1006", "integers wider than 128 bits do not occur in TTIR");
      return {};
    }
    if (has_sign) *descriptor_sign_ = word.front() == 's' ? Signedness::is_signed : Signedness::is_unsigned;
    advance();
    return context().integer(width);
  }
  if (word == "tuple" || word == "vector" || word == "memref" || word == "complex" || word.starts_with("f8") ||
      word == "tf32") {
    unsupported(range, "LS1006", "type '" + std::string(word) + "' is not supported yet");
    return {};
  }
  error(range, "LS1006", "'" + std::string(word) + "' is not a type");
  return {};
}

bool TypeParser::parse_shape(std::vector<std::int64_t>& shape) {
  const std::string_view text = lexer_.text();
  std::uint32_t at = token_.begin;
  while (at < text.size() && is_digit(text[at])) {
    const std::uint32_t begin = at;
    std::int64_t extent = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      extent = extent * 10 + (text[at] - '0');
      if (extent > kMaxElements) return error({begin, at + 1}, "LS1013", "a tile extent of more than 2^31");
    }
    if (at >= text.size() || text[at] != 'x') return error({begin, at}, "LS1001", "expected 'x' after the extent");
    ++at;
    shape.push_back(extent);
    if (shape.size() > kMaxRank) {
      return error({begin, at}, "LS1013", "a tile of more than " + std::to_string(kMaxRank) + " axes");
    }
  }
  if (at < text.size() && (text[at] == '?' || text[at] == '*')) {
    return error({at, at + 1}, "LS1006", "tiles have constant shapes");
  }
  move_to(at);
  return true;
}

Type TypeParser::parse_tensor_type() {
  const std::uint32_t begin = take().begin;
  if (!token_.is('<')) {
    error_here("'<'");
    return {};
  }
  advance();
  return parse_tensor_body(begin);
}

Type TypeParser::parse_tensor_body(std::uint32_t begin, bool leave_open) {
  std::vector<std::int64_t> shape;
  if (!parse_shape(shape)) return {};
  const Type element = parse_type();
  if (!element) return {};
  Attribute encoding;
  if (consume(',')) {
    const SourceRange at{token_.begin, token_.end};
    encoding = parse_opaque_attribute("an encoding");
    if (!encoding) return {};
    if (!encoding.is_encoding()) {
      error(at, "LS1007", in_quotes(lexer_.text().substr(at.begin, at.end - at.begin)) + " is not an encoding");
      return {};
    }
  }
  if (!leave_open && !expect('>')) return {};
  const SourceRange range = range_from(begin);
  if (element.is_tensor() || element.is_function() || element.is_none() || element.is_descriptor() ||
      element.is_memdesc()) {
    error(range, "LS1006", "a tile cannot have elements of type " + element.to_string());
    return {};
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= extent;
    if (count > kMaxElements) {
      error(range, "LS1013", "a tile of more than 2^31 elements");
      return {};
    }
  }
  return context().tensor(std::move(shape), element, encoding);
}

Type TypeParser::parse_dialect_type() {
  const Token name = take();
  if (name.text == "!tt.ptr") return parse_pointer_body();
  if (name.text == "!tt.tensordesc") return parse_descriptor_body();
  if (name.text == "!ttg.memdesc") return parse_memdesc_body();
  if (name.text.find('.') == std::string_view::npos) {
    const AliasDefinition* alias = resolve_alias(name);
    if (alias == nullptr) return {};
    if (!alias->type)
      error({name.begin, name.end}, "LS1011", "'" + std::string(name.text) + "' is not the name of a type");
    return alias->type;
  }
  const Attribute text = parse_opaque_body(name);
  return text ? context().opaque(text) : Type();
}

Attribute TypeParser::parse_opaque_body(const Token& name) {
  std::string text(name.text);
  std::vector<Attribute> elements;
  if (token_.is('<') && token_.begin == name.end && !parse_opaque_part(text, elements)) return {};
  weight_ += text.size() / 8;  // an alias of a long text stands for much, too
  return context().opaque_attribute(std::move(text), std::move(elements));
}

bool TypeParser::parse_opaque_part(std::string& text, std::vector<Attribute>& elements) {
  const std::string_view all = lexer_.text();
  const std::uint32_t begin = token_.begin;
  const std::uint32_t end = balanced_end();
  if (end == 0) return false;
  for (std::uint32_t at = begin; at < end;) {
    const char c = all[at];
    if (c == AttributeNode::kHole) return error({at, at + 1}, "LS1015", "a character that has no meaning here");
    if (c == '"') {
      const std::uint32_t from = at;
      for (++at; at < end && all[at] != '"'; ++at) {
        if (all[at] == '\\') ++at;
      }
      at = std::min(at + 1, end);
      text += all.substr(from, at - from);
      continue;
    }
    const bool is_named = at + 1 < end && (is_letter(all[at + 1]) || all[at + 1] == '_');
    if ((c != '#' && c != '!') || !is_named) {
      text += all[at++];
      continue;
    }
    move_to(at);
    Attribute element;
    if (c == '#') {
      element = parse_opaque_attribute("an attribute");
    } else if (const Type type = parse_type()) {
      element = context().type_attribute(type);
    }
    if (!element) return false;
    if (elements.size() > kMaxValuesPerOp) return error({begin, at}, "LS1008", "too many attributes");
    elements.push_back(element);
    text += AttributeNode::kHole;
    at = last_end_;
  }
  move_to(end);
  last_end_ = end;
  return true;
}

Type TypeParser::parse_memdesc_body() {
  const Nesting nesting(*this);
  const std::uint32_t begin = token_.begin;
  if (!nesting.ok() || !expect('<')) return {};
  const Type view = parse_tensor_body(begin, true);
  if (!view) return {};
  if (!view.encoding()) {
    error_here("','");
    return {};
  }
  if (!expect(',')) return {};
  const SourceRange at{token_.begin, token_.end};
  const Attribute space = parse_opaque_attribute("a memory space");
  if (!space) return {};
  if (!space.is_opaque() || (space->text != "#ttg.shared_memory" && space->text != "#ttng.tensor_memory")) {
    error(at, "LS1006", "a buffer lies in #ttg.shared_memory or #ttng.tensor_memory");
    return {};
  }
  bool is_mutable = false;
  std::vector<std::int64_t> buffer;
  while (consume(',')) {
    if (!is_mutable && buffer.empty() && consume_word("mutable")) {
      is_mutable = true;
    } else if (!buffer.empty() || !token_.is(Token::Kind::integer) || !parse_dimensions(buffer)) {
      if (buffer.empty() && token_.is(Token::Kind::integer)) return {};
      error_here("the shape of the buffer");
      return {};
    }
  }
  return expect('>') ? context().memdesc(view, space, is_mutable, std::move(buffer)) : Type();
}

bool TypeParser::parse_dimensions(std::vector<std::int64_t>& shape) {
  // Read by the character: "2x64x64" is no token.
  const std::string_view text = lexer_.text();
  std::uint32_t at = token_.begin;
  while (true) {
    const std::uint32_t begin = at;
    std::int64_t extent = 0;
    for (; at < text.size() && is_digit(text[at]); ++at) {
      extent = extent * 10 + (text[at] - '0');
      if (extent > kMaxElements) return error({begin, at + 1}, "LS1013", "a tile extent of more than 2^31");
    }
    if (at == begin) return error({at, at + 1}, "LS1001", "expected an extent");
    shape.push_back(extent);
    if (shape.size() > kMaxRank)
      return error({begin, at}, "LS1013", "a tile of more than " + std::to_string(kMaxRank) + " axes");
    if (at >= text.size() || text[at] != 'x') break;
    ++at;
  }
  move_to(at);
  last_end_ = at;
  return true;
}

Type TypeParser::parse_pointer_body() {
  const Nesting nesting(*this);
  if (!nesting.ok() || !expect('<')) return {};
  const Type pointee = parse_type();
  if (!pointee) return {};
  std::uint32_t space = 1;
  if (consume(',') && !parse_uint32(space)) return {};
  if (!expect('>')) return {};
  return context().pointer(pointee, space);
}

Type TypeParser::parse_descriptor_body() {
  const Nesting nesting(*this);
  if (!nesting.ok() || !expect('<')) return {};
  const Token at_block = token_;
  Signedness sign = Signedness::none;
  const bool is_short = !at_block.is_word("tensor");
  descriptor_sign_ = &sign;
  const Type block = is_short ? parse_tensor_body(at_block.begin) : parse_type();
  descriptor_sign_ = nullptr;
  if (!block) return {};
  if (!block.is_tensor()) {
    error({at_block.begin, last_end_}, "LS1006", "a tensor descriptor describes blocks: tensor<...>");
    return {};
  }
  if (!is_short && !expect('>')) return {};
  return context().descriptor(block, sign, is_short);
}

Type TypeParser::parse_base_type(std::string_view kind) {
  if (!token_.is('<')) return parse_type();
  if (kind == "memdesc") return parse_memdesc_body();
  if (kind == "aref") {
    const Attribute text = parse_opaque_body({Token::Kind::bang_id, token_.begin, token_.begin, "!nvws.aref"});
    return text ? context().opaque(text) : Type();
  }
  return kind == "tensordesc" ? parse_descriptor_body() : parse_pointer_body();
}

bool TypeParser::parse_type_list(std::vector<Type>& types) {
  do {
    const Type type = parse_type();
    if (!type) return false;
    types.push_back(type);
    if (types.size() > kMaxValuesPerOp) return error(range_from(last_end_), "LS1008", "too many types");
  } while (consume(','));
  return true;
}

bool TypeParser::parse_function_results(std::vector<Type>& types) {
  if (!token_.is('(')) {
    const Type type = parse_type();
    if (!type) return false;
    types.push_back(type);
    return true;
  }
  advance();
  if (consume(')')) return true;
  return parse_type_list(types) && expect(')');
}

bool TypeParser::parse_signature(std::vector<Type>& inputs, std::vector<Type>& results) {
  if (!expect('(')) return false;
  if (!consume(')') && (!parse_type_list(inputs) || !expect(')'))) return false;
  return expect_arrow() && parse_function_results(results);
}

Type TypeParser::parse_function_type() {
  std::vector<Type> inputs;
  std::vector<Type> results;
  if (!parse_signature(inputs, results)) return {};
  return context().function(std::move(inputs), std::move(results));
}

}  // namespace lockstep::ir
