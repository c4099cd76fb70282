#include "driver/words/parse_tensor.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "driver/words/dtype_name.h"
#include "driver/words/expression.h"
#include "driver/words/number.h"

namespace lockstep::driver {
namespace {

using Kind = TensorSpec::Kind;

struct KindName {
  std::string_view name;
  Kind kind;
};
constexpr std::array<KindName, 12> kKinds{{{"randn", Kind::randn},
                                           {"rand", Kind::rand},
                                           {"zeros", Kind::zeros},
                                           {"ones", Kind::ones},
                                           {"full", Kind::full},
                                           {"arange", Kind::arange},
                                           {"pairs", Kind::pairs},
                                           {"randint", Kind::randint},
                                           {"empty", Kind::empty},
                                           {"view", Kind::view},
                                           {"desc", Kind::view},
                                           {"addresses", Kind::addresses}}};

std::optional<Kind> find_kind(std::string_view word) {
  for (const KindName& entry : kKinds) {
    if (entry.name == word) return entry.kind;
  }
  return std::nullopt;
}

void report_unknown_kind(Cursor& cursor, std::size_t begin, std::string_view word) {
  std::array<std::string_view, kKinds.size()> names;
  std::transform(kKinds.begin(), kKinds.end(), names.begin(), [](const KindName& entry) { return entry.name; });
  const std::string_view near = nearest(word, names);
  cursor.move_to(begin + word.size());
  cursor.fail(begin, "LS2004", "unknown kind of tensor '" + std::string(word) + "'",
              near.empty()
                  ? "kinds are randn rand zeros ones full(V) arange pairs randint(LOW,HIGH) empty view(BASE) desc(BASE) "
                    "addresses(NAME,...) and @FILE"
                  : "did you mean '" + std::string(near) + "'?");
}

/// A size: an expression over the integer arguments of the same command.
std::optional<std::int64_t> take_size(Cursor& cursor) {
  static const GridNames kNone;
  return take_expression(cursor, cursor.names() == nullptr ? kNone : *cursor.names());
}

// "[" expression {"," expression} [","] "]"
std::optional<std::vector<std::int64_t>> take_list(Cursor& cursor, const std::string& hint) {
  if (!cursor.expect("[", hint)) return std::nullopt;
  const std::size_t begin = cursor.position();
  std::vector<std::int64_t> values;
  while (!cursor.take("]")) {
    if (!values.empty()) {
      if (!cursor.expect(",", "separate sizes with commas and close with ]")) return std::nullopt;
      if (cursor.take("]")) break;
    }
    if (cursor.at_end()) {
      cursor.fail(cursor.position(), "LS2006", "expected ']' at the end", "close the list that '[' opened");
      return std::nullopt;
    }
    const std::optional<std::int64_t> value = take_size(cursor);
    if (!value) return std::nullopt;
    values.push_back(*value);
    if (values.size() <= kMaxRank) continue;
    cursor.fail(begin, "LS2007", "more than " + std::to_string(kMaxRank) + " dimensions");
    return std::nullopt;
  }
  return values;
}

std::optional<std::vector<std::int64_t>> take_shape(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  auto shape = take_list(cursor, "write the shape in brackets: [64] or [4*1024, 8]; [] for a single element");
  if (!shape) return std::nullopt;
  std::int64_t count = 1;
  for (const std::int64_t extent : *shape) {
    if (extent < 0) {
      cursor.fail(begin, "LS2007", "a size is negative: " + std::to_string(extent));
      return std::nullopt;
    }
    if (!__builtin_mul_overflow(count, std::max<std::int64_t>(extent, 1), &count) && count <= kMaxElements) continue;
    cursor.fail(begin, "LS2007", "the tensor has more than 2^48 elements");
    return std::nullopt;
  }
  return shape;
}

std::optional<ScalarValue> take_integer(Cursor& cursor) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  std::optional<ScalarValue> number = take_number(cursor);
  if (!number) return std::nullopt;
  if (number->kind == ScalarValue::Kind::integer && !number->is_unsigned_64) return number;
  cursor.fail(begin, "LS2008", "an integer below 2^63 is needed here");
  return std::nullopt;
}

bool take_bounds(Cursor& cursor, TensorSpec& spec) {
  const std::optional<ScalarValue> first = take_integer(cursor);
  if (!first) return false;
  spec.high = first->integer;
  if (!cursor.take(",")) return true;
  const std::optional<ScalarValue> second = take_integer(cursor);
  if (!second) return false;
  spec.low = first->integer;
  spec.high = second->integer;
  return true;
}

bool take_kind_arguments(Cursor& cursor, TensorSpec& spec) {
  const bool needs_arguments = spec.kind == Kind::full || spec.kind == Kind::randint;
  if (!needs_arguments && cursor.peek() != '(') return true;
  if (!cursor.expect("(", spec.kind == Kind::full ? "write full(3):f32[64]" : "write randint(0,9):i32[64]"))
    return false;
  if (!needs_arguments && spec.kind != Kind::arange) return cursor.expect(")", "this kind takes no arguments");
  if (spec.kind == Kind::randint) {
    if (!take_bounds(cursor, spec)) return false;
  } else {
    std::optional<ScalarValue> number = take_number(cursor);
    if (!number) return false;
    spec.full_value = std::move(*number);
  }
  return cursor.expect(")");
}

// Integers without a sign of their own: a value fits if it fits as signed or as unsigned.
bool fits(const ScalarValue& number, ScalarKind kind, bool is_unsigned) {
  if (is_float(kind)) return true;
  if (number.kind == ScalarValue::Kind::floating) return false;
  const int width = bit_width(kind);
  if (number.is_unsigned_64) return width == 64;
  if (width == 64) return !is_unsigned || number.integer >= 0;
  const std::int64_t low = is_unsigned || kind == ScalarKind::i1 ? 0 : -(std::int64_t{1} << (width - 1));
  return number.integer >= low && number.integer < (std::int64_t{1} << width);
}

bool check_randint(Cursor& cursor, std::size_t begin, const TensorSpec& spec) {
  if (spec.low >= spec.high) {
    cursor.fail(begin, "LS2008", "randint needs a low bound below the high bound", "randint(0,9) gives 0 .. 8");
    return false;
  }
  ScalarValue low, last;
  low.kind = last.kind = ScalarValue::Kind::integer;
  low.integer = spec.low;
  last.integer = spec.high - 1;
  if (fits(low, spec.element, spec.is_unsigned) && fits(last, spec.element, spec.is_unsigned)) return true;
  cursor.fail(begin, "LS2008", "the bounds do not fit " + short_name(spec.element, spec.is_unsigned));
  return false;
}

bool check_values(Cursor& cursor, std::size_t begin, const TensorSpec& spec) {
  const std::string type = short_name(spec.element, spec.is_unsigned);
  if ((spec.kind == Kind::randn || spec.kind == Kind::rand) && !is_float(spec.element)) {
    cursor.fail(begin, "LS2008", "random floats cannot be made as " + type, "use randint(LOW,HIGH):" + type);
    return false;
  }
  if (spec.kind == Kind::randint) return check_randint(cursor, begin, spec);
  if (spec.kind != Kind::full && spec.kind != Kind::arange && spec.kind != Kind::pairs) return true;
  ScalarValue last = spec.full_value;  // of arange
  std::int64_t steps = 0;
  if (spec.kind == Kind::arange || spec.kind == Kind::pairs) {
    steps = 1;
    for (const std::int64_t extent : spec.shape) steps *= extent;
    steps = std::max<std::int64_t>(steps - 1, 0) / (spec.kind == Kind::pairs ? 2 : 1);
  }
  const bool overflows = __builtin_add_overflow(last.integer, steps, &last.integer) && !last.is_unsigned_64;
  if (!overflows && fits(spec.full_value, spec.element, spec.is_unsigned) && fits(last, spec.element, spec.is_unsigned))
    return true;
  cursor.fail(begin, "LS2008", "the values do not fit " + type);
  return false;
}

// padding=zero, padding=nan; block=[16,32]
bool take_descriptor_option(Cursor& cursor, std::string_view option, TensorSpec& spec) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  if (option == "padding") {
    const std::string_view padding = cursor.take_word();
    spec.pads_nan = padding == "nan";
    if (spec.pads_nan || padding == "zero") return true;
    cursor.fail(begin, "LS2015", "padding is zero or nan");
    return false;
  }
  auto block = take_list(cursor, "write the block in brackets: block=[16,32]");
  if (!block) return false;
  spec.block = std::move(*block);
  return true;
}

// After "view(" or "desc(": NAME {"," OPTION "=" VALUE} ")"
bool take_view_option(Cursor& cursor, TensorSpec& spec) {
  cursor.skip_spaces();
  const std::size_t begin = cursor.position();
  const std::string_view option = cursor.take_word();
  if (spec.is_descriptor && (option == "padding" || option == "block"))
    return cursor.expect("=") && take_descriptor_option(cursor, option, spec);
  if (option != "offset" && option != "shape" && option != "strides") {
    cursor.fail(begin, "LS2009", std::string("unknown option of ") + (spec.is_descriptor ? "desc" : "view"),
                std::string("options are ") + (spec.is_descriptor ? "padding=nan, block=[16,32], " : "") +
                    "offset=1, shape=[4,4] and strides=[8,1]");
    return false;
  }
  if (!cursor.expect("=")) return false;
  if (option == "offset") {
    const std::optional<std::int64_t> value = take_size(cursor);
    spec.offset = value.value_or(0);
    return value.has_value();
  }
  auto list = option == "shape" ? take_shape(cursor) : take_list(cursor, "write the strides in brackets: [8,1]");
  if (!list) return false;
  (option == "shape" ? spec.shape : spec.strides) = std::move(*list);
  (option == "shape" ? spec.has_shape : spec.has_strides) = true;
  return true;
}

std::optional<TensorSpec> take_view(Cursor& cursor, std::size_t begin, bool is_descriptor) {
  TensorSpec spec;
  spec.kind = Kind::view;
  spec.is_descriptor = is_descriptor;
  if (!cursor.expect("(", "write view(y, offset=1, shape=[4,4], strides=[8,1])")) return std::nullopt;
  spec.base = cursor.take_word(true);
  if (spec.base.empty()) {
    cursor.fail(cursor.position(), "LS2009", "view needs the name of another argument",
                "write view(y, offset=1, shape=[4])");
    return std::nullopt;
  }
  while (cursor.take(",")) {
    if (!take_view_option(cursor, spec)) return std::nullopt;
  }
  if (!cursor.expect(")", "close the view with )")) return std::nullopt;
  if (spec.has_strides && !spec.has_shape) {
    cursor.fail(begin, "LS2009", "strides need a shape", "add shape=[...] with as many sizes");
    return std::nullopt;
  }
  if (spec.has_strides && spec.strides.size() != spec.shape.size()) {
    cursor.fail(begin, "LS2009", "shape and strides have different lengths");
    return std::nullopt;
  }
  return spec;
}

// addresses(x, y, z): a row of 64-bit addresses of other arguments
std::optional<TensorSpec> take_addresses(Cursor& cursor) {
  TensorSpec spec;
  spec.kind = Kind::addresses;
  spec.element = ScalarKind::i64;
  if (!cursor.expect("(", "write addresses(x, y)")) return std::nullopt;
  do {
    cursor.skip_spaces();
    const std::string_view name = cursor.take_word(true);
    if (name.empty()) {
      cursor.fail(cursor.position(), "LS2016", "addresses needs the names of other arguments", "write addresses(x, y)");
      return std::nullopt;
    }
    spec.names.emplace_back(name);
  } while (cursor.take(","));
  if (!cursor.expect(")", "close the list with )")) return std::nullopt;
  spec.shape = {static_cast<std::int64_t>(spec.names.size())};
  return spec;
}

}  // namespace

bool is_tensor_word(std::string_view word) { return find_kind(word).has_value(); }

std::optional<TensorSpec> take_tensor(Cursor& cursor, std::size_t begin, std::string_view word) {
  const std::optional<Kind> kind = find_kind(word);
  if (!kind) {
    report_unknown_kind(cursor, begin, word);
    return std::nullopt;
  }
  if (*kind == Kind::view) return take_view(cursor, begin, word == "desc");
  if (*kind == Kind::addresses) return take_addresses(cursor);
  TensorSpec spec;
  spec.kind = *kind;
  spec.full_value.kind = ScalarValue::Kind::integer;
  if (!take_kind_arguments(cursor, spec)) return std::nullopt;
  if (!cursor.expect(":", "write the type and the shape: " + std::string(word) + ":f32[64]")) return std::nullopt;
  const std::optional<DtypeName> type = take_dtype(cursor);
  if (!type) return std::nullopt;
  spec.element = type->kind;
  spec.is_unsigned = type->is_unsigned && type->kind != ScalarKind::i1;
  auto shape = take_shape(cursor);
  if (!shape) return std::nullopt;
  spec.shape = std::move(*shape);
  if (!check_values(cursor, begin, spec)) return std::nullopt;
  return spec;
}

// "@data.npz:key", "@bits.npy:bf16", "@data.npz:key:bf16". A ':' before the extension belongs to the path.
std::optional<TensorSpec> take_file(Cursor& cursor) {
  const std::size_t begin = cursor.position();
  cursor.move_to(begin + 1);
  const std::string_view rest = cursor.rest();
  TensorSpec spec;
  spec.kind = Kind::file;
  const std::size_t npz = rest.rfind(".npz"), npy = rest.rfind(".npy");
  const bool is_npz = npz != std::string_view::npos && (rest.size() == npz + 4 || rest[npz + 4] == ':');
  const bool is_npy = npy != std::string_view::npos && (rest.size() == npy + 4 || rest[npy + 4] == ':');
  if (!is_npz && !is_npy) {
    cursor.move_to(cursor.text().size());
    cursor.fail(begin, "LS2013", "the file must be a .npy or a .npz", "write @in.npy, @bits.npy:bf16 or @data.npz:key");
    return std::nullopt;
  }
  const std::size_t path_end = (is_npz ? npz : npy) + 4;
  spec.path = rest.substr(0, path_end);
  cursor.move_to(begin + 1 + path_end);
  if (is_npz && cursor.peek() == ':') {
    cursor.move_to(cursor.position() + 1);
    const std::string_view after = cursor.rest();
    spec.key = after.substr(0, after.find(':'));
    cursor.move_to(cursor.position() + spec.key.size());
  }
  if (!cursor.take(":")) return spec;
  const std::optional<DtypeName> type = take_dtype(cursor);
  if (!type) return std::nullopt;
  spec.read_as = type->kind;
  spec.is_unsigned = type->is_unsigned && type->kind != ScalarKind::i1;
  return spec;
}

}  // namespace lockstep::driver
