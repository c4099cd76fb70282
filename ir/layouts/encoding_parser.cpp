#include "ir/layouts/encoding_parser.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "ir/context.h"
#include "ir/layouts/encoding_bases.h"
#include "ir/layouts/encoding_rules.h"
#include "ir/text/lexer.h"
#include "ir/text/nearest_name.h"
#include "ir/text/parse/token_cursor.h"

namespace lockstep::ir {
namespace {

constexpr std::size_t kMaxEntries = 64;  // of a list: bits of an input, dimensions
constexpr std::uint32_t kMaxStep = std::uint32_t{1} << 30;
constexpr int kMaxParents = 40;  // each slice takes a dimension away, and there are at most 32

constexpr std::array<std::string_view, 16> kKnown{
    "blocked",    "slice",         "dot_op",        "nvidia_mma",    "linear",          "generic_linear",
    "swizzled_shared", "padded_shared", "shared_linear", "nvmma_shared", "amd_mfma",        "amd_wmma",
    "amd_rotating_shared", "partitioned_shared", "rotating_shared", "mfma"};
constexpr std::size_t kRead = 10;  // of kKnown; the rest are AMD's

/// A parameter: its name, where it goes, whether it may be left out.
struct Field {
  std::string_view name;
  std::variant<std::uint32_t*, bool*, Extents*, Bases*, const Encoding**, std::string*> place;
  bool is_optional = false;
  bool is_given = false;
};

class EncodingReader {
 public:
  EncodingReader(TokenCursor& cursor, Context& context, const EncodingResolver& resolve)
      : cursor_(cursor), context_(context), resolve_(resolve) {}

  const Encoding* read();

 private:
  std::optional<EncodingParameters> read_named(std::string_view name);
  std::optional<EncodingParameters> read_padded();
  std::optional<EncodingParameters> read_shared_linear();
  bool read_short_padding(PaddedSharedEncoding& e, const Extents& order, const Extents& shape, SourceRange range);
  const Encoding* intern(EncodingParameters parameters, SourceRange range);

  bool read_struct(std::vector<Field> fields);   // <{...}>
  bool read_params(std::vector<Field> fields);   // <...>
  bool read_braces(std::vector<Field>& fields);  // {...}; `is_given` says which were there
  bool read_fields(std::vector<Field>& fields, char end);
  bool read_field(std::vector<Field>& fields);
  bool require(const std::vector<Field>& fields, std::uint32_t begin);
  bool read_value(Field& field);
  bool read_number(std::uint32_t& value);
  bool read_flag(bool& value);
  bool read_numbers(Extents& values);
  bool read_bases(Bases& bases);
  bool too_many(std::size_t count);

  TokenCursor& cursor_;
  Context& context_;
  const EncodingResolver& resolve_;
  int depth_ = 0;
};

bool EncodingReader::read_number(std::uint32_t& value) {
  if (!cursor_.parse_uint32(value)) return false;
  if (!cursor_.consume(':')) return true;  // a type, which MLIR takes and does not print
  if (!cursor_.peek().is(Token::Kind::bare_id)) return cursor_.error_here("an integer type");
  cursor_.take();
  return true;
}

bool EncodingReader::read_flag(bool& value) {
  value = cursor_.consume_word("true");
  return value || cursor_.consume_word("false") || cursor_.error_here("'true' or 'false'");
}

bool EncodingReader::too_many(std::size_t count) {
  if (count <= kMaxEntries) return false;
  cursor_.error({cursor_.peek().begin, cursor_.peek().end}, "LS1021",
                "a list of more than " + std::to_string(kMaxEntries) + " entries");
  return true;
}

bool EncodingReader::read_numbers(Extents& values) {
  if (!cursor_.expect('[')) return false;
  if (cursor_.consume(']')) return true;
  do {
    if (!read_number(values.emplace_back()) || too_many(values.size())) return false;
  } while (cursor_.consume(','));
  return cursor_.expect(']');
}

bool EncodingReader::read_bases(Bases& bases) {
  if (!cursor_.expect('[')) return false;
  if (cursor_.consume(']')) return true;
  do {
    const std::uint32_t begin = cursor_.peek().begin;
    Extents values;
    if (!read_numbers(values) || too_many(bases.size() + 1)) return false;
    if (std::any_of(values.begin(), values.end(), [](auto v) { return v > kMaxStep; })) {
      return cursor_.error(cursor_.range_from(begin), "LS1008", "this number is too large");
    }
    bases.emplace_back(values.begin(), values.end());
  } while (cursor_.consume(','));
  return cursor_.expect(']');
}

bool EncodingReader::read_value(Field& field) {
  struct Reader {
    EncodingReader& reader;
    bool operator()(std::uint32_t* place) const { return reader.read_number(*place); }
    bool operator()(bool* place) const { return reader.read_flag(*place); }
    bool operator()(Extents* place) const { return reader.read_numbers(*place); }
    bool operator()(Bases* place) const { return reader.read_bases(*place); }
    bool operator()(const Encoding** place) const {
      *place = reader.read();
      return *place != nullptr;
    }
    bool operator()(std::string* place) const {
      if (!reader.cursor_.peek().is(Token::Kind::bare_id)) return reader.cursor_.error_here("a word");
      *place = std::string(reader.cursor_.take().text);
      return true;
    }
  };
  return std::visit(Reader{*this}, field.place);
}

bool EncodingReader::read_field(std::vector<Field>& fields) {
  const Token name = cursor_.peek();
  if (!name.is(Token::Kind::bare_id)) return cursor_.error_here("the name of a parameter");
  const auto field = std::find_if(fields.begin(), fields.end(), [&](const Field& f) { return f.name == name.text; });
  if (field == fields.end()) {
    std::vector<std::string_view> names;
    for (const Field& one : fields) names.push_back(one.name);
    const std::string near = nearest_name(name.text, names);
    return cursor_.error({name.begin, name.end}, "LS1021", "no parameter " + in_quotes(name.text) + " is known here",
                         near.empty() ? "" : "did you mean '" + near + "'?");
  }
  if (field->is_given) {
    return cursor_.error({name.begin, name.end}, "LS1021", in_quotes(name.text) + " is given twice");
  }
  cursor_.take();
  field->is_given = true;
  return cursor_.expect('=') && read_value(*field);
}

bool EncodingReader::read_fields(std::vector<Field>& fields, char end) {
  if (cursor_.consume(end)) return true;
  do {
    if (!read_field(fields)) return false;
  } while (cursor_.consume(','));
  return cursor_.expect(end);
}

bool EncodingReader::require(const std::vector<Field>& fields, std::uint32_t begin) {
  for (const Field& field : fields) {
    if (field.is_given || field.is_optional) continue;
    return cursor_.error(cursor_.range_from(begin), "LS1021", "'" + std::string(field.name) + "' is missing here");
  }
  return true;
}

bool EncodingReader::read_braces(std::vector<Field>& fields) { return cursor_.expect('{') && read_fields(fields, '}'); }

bool EncodingReader::read_struct(std::vector<Field> fields) {
  const std::uint32_t begin = cursor_.peek().begin;
  return cursor_.expect('<') && read_braces(fields) && cursor_.expect('>') && require(fields, begin);
}

bool EncodingReader::read_params(std::vector<Field> fields) {
  const std::uint32_t begin = cursor_.peek().begin;
  return cursor_.expect('<') && read_fields(fields, '>') && require(fields, begin);
}

bool EncodingReader::read_short_padding(PaddedSharedEncoding& e, const Extents& order, const Extents& shape,
                                        SourceRange range) {
  Extents sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool fits = order.size() == shape.size() && !order.empty();
  for (std::size_t i = 0; fits && i < order.size(); ++i) fits = sorted[i] == i;
  if (!fits) return cursor_.error(range, "LS1131", "order must be a permutation of the dimensions of shape");
  for (const std::uint32_t extent : shape) {
    if (is_power_of_two(extent) && extent <= kMaxStep) continue;
    return cursor_.error(range, "LS1131", "the entries of shape must be powers of two");
  }
  e.offsets = identity_bases(shape, order);
  return true;
}

std::optional<EncodingParameters> EncodingReader::read_padded() {
  PaddedSharedEncoding e;
  if (!cursor_.expect('<') || !cursor_.expect('[')) return std::nullopt;
  do {
    if (!cursor_.parse_uint32(e.intervals.emplace_back()) || !cursor_.expect(':') || !cursor_.expect('+') ||
        !cursor_.parse_uint32(e.paddings.emplace_back()) || too_many(e.intervals.size())) {
      return std::nullopt;
    }
  } while (cursor_.consume(','));
  if (!cursor_.expect(']')) return std::nullopt;
  const std::uint32_t begin = cursor_.peek().begin;
  Extents order, shape;
  std::vector<Field> fields{{"order", &order, true}, {"shape", &shape, true}, {"offset", &e.offsets, true},
                            {"block", &e.blocks, true}};
  if (!read_braces(fields)) return std::nullopt;
  const bool is_long = fields[2].is_given || fields[3].is_given;
  for (Field& field : fields) field.is_optional = is_long == (field.name == "order" || field.name == "shape");
  if (!require(fields, begin)) return std::nullopt;
  if (is_long && (fields[0].is_given || fields[1].is_given)) {
    cursor_.error(cursor_.range_from(begin), "LS1021", "either order and shape, or offset and block");
    return std::nullopt;
  }
  if (!is_long && !read_short_padding(e, order, shape, cursor_.range_from(begin))) return std::nullopt;
  if (!cursor_.expect('>')) return std::nullopt;
  return e;
}

std::optional<EncodingParameters> EncodingReader::read_shared_linear() {
  SharedLinearEncoding e;
  const std::uint32_t begin = cursor_.peek().begin;
  std::vector<Field> fields{{"offset", &e.offsets}, {"block", &e.blocks, true}};
  if (!cursor_.expect('<') || !read_braces(fields) || !require(fields, begin)) return std::nullopt;
  std::vector<Field> after{{"alignment", &e.alignment}};
  if (!cursor_.expect(',') || !read_fields(after, '>') || !require(after, begin)) return std::nullopt;
  return e;
}

std::optional<EncodingParameters> EncodingReader::read_named(std::string_view name) {
  const auto done = [](bool ok, auto& e) {
    return ok ? std::optional<EncodingParameters>(std::move(e)) : std::nullopt;
  };
  if (name == "blocked") {
    BlockedEncoding e;
    return done(read_struct({{"sizePerThread", &e.size_per_thread}, {"threadsPerWarp", &e.threads_per_warp},
                             {"warpsPerCTA", &e.warps_per_cta}, {"order", &e.order}, {"CGALayout", &e.cga, true}}),
                e);
  }
  if (name == "slice") {
    SliceEncoding e;
    return done(read_struct({{"dim", &e.dim}, {"parent", &e.parent}}), e);
  }
  if (name == "dot_op") {
    DotOperandEncoding e;
    return done(read_struct({{"opIdx", &e.operand}, {"parent", &e.parent}, {"kWidth", &e.k_width, true}}), e);
  }
  if (name == "nvidia_mma") {
    NvidiaMmaEncoding e;
    return done(read_struct({{"versionMajor", &e.version_major}, {"versionMinor", &e.version_minor},
                             {"warpsPerCTA", &e.warps_per_cta}, {"CGALayout", &e.cga, true},
                             {"instrShape", &e.instr_shape}}),
                e);
  }
  if (name == "linear" || name == "generic_linear") {
    LinearEncoding e;
    e.is_generic = name != "linear";
    return done(
        read_struct({{"register", &e.registers}, {"lane", &e.lanes}, {"warp", &e.warps}, {"block", &e.blocks}}), e);
  }
  if (name == "swizzled_shared") {
    SwizzledSharedEncoding e;
    return done(read_struct({{"vec", &e.vec}, {"perPhase", &e.per_phase}, {"maxPhase", &e.max_phase},
                             {"order", &e.order}, {"CGALayout", &e.cga, true}}),
                e);
  }
  if (name == "nvmma_shared") {
    NvmmaSharedEncoding e;
    e.rank = 0;
    const bool ok = read_struct(
        {{"swizzlingByteWidth", &e.swizzling_byte_width}, {"transposed", &e.is_transposed, true},
         {"elementBitWidth", &e.element_bit_width}, {"fp4Padded", &e.is_fp4_padded, true}, {"CGALayout", &e.cga, true},
         {"rank", &e.rank, true}});
    if (e.rank == 0) e.rank = e.cga.empty() ? 2 : static_cast<std::uint32_t>(e.cga.front().size());
    return done(ok, e);
  }
  if (name == "tensor_memory_encoding") {
    TensorMemoryEncoding e;
    return done(read_params({{"blockM", &e.block_m}, {"blockN", &e.block_n}, {"colStride", &e.col_stride},
                             {"CTASplitM", &e.cta_split_m, true}, {"CTASplitN", &e.cta_split_n, true},
                             {"CGALayout", &e.cga, true}, {"twoCTAs", &e.has_two_ctas, true},
                             {"fp4Padded", &e.is_fp4_padded, true}}),
                e);
  }
  if (name == "tensor_memory_scales_encoding") {
    TensorMemoryScalesEncoding e;
    std::string order = "mnThenK";
    const Token at = cursor_.peek();
    bool ok = read_params({{"CTASplitM", &e.cta_split_m, true}, {"CTASplitN", &e.cta_split_n, true},
                           {"CGALayout", &e.cga, true}, {"blockRepOrder", &order, true}});
    e.is_k_then_mn = order == "kThenMn";
    if (ok && !e.is_k_then_mn && order != "mnThenK") {
      ok = cursor_.error(cursor_.range_from(at.begin), "LS1021", "blockRepOrder is mnThenK or kThenMn");
    }
    return done(ok, e);
  }
  if (name == "padded_shared") return read_padded();
  return read_shared_linear();
}

const Encoding* EncodingReader::intern(EncodingParameters parameters, SourceRange range) {
  if (auto fault = find_encoding_fault(parameters)) {
    cursor_.error(range, "LS1131", std::move(fault->message), std::move(fault->hint));
    return nullptr;
  }
  return context_.encodings().get(std::move(parameters));
}

const Encoding* EncodingReader::read() {
  const Token word = cursor_.peek();
  if (!word.is(Token::Kind::hash_id)) {
    cursor_.error_here("an encoding");
    return nullptr;
  }
  cursor_.take();
  if (word.text.find('.') == std::string_view::npos) return resolve_(word);
  const SourceRange range{word.begin, word.end};
  if (!names_encoding(word.text)) {
    std::vector<std::string_view> names(kKnown.begin(), kKnown.begin() + kRead);
    const std::string near = nearest_name(word.text.substr(word.text.find('.') + 1), names);
    cursor_.error(range, "LS1021", in_quotes(word.text) + " is not an encoding of Triton 3.6 to 3.9",
                  near.empty() ? "" : "did you mean '#ttg." + near + "'?");
    return nullptr;
  }
  const std::string_view name = word.text.substr(1);
  if (name.starts_with("gluon")) return intern(OpenEncoding{name == "gluon.coalesced_encoding"}, range);
  const auto known = std::find(kKnown.begin() + kRead, kKnown.end(), name.substr(name.find('.') + 1));
  if (known != kKnown.end()) {
    cursor_.unsupported(range, "LS1021", in_quotes(word.text) + " is a layout of AMD's GPUs, which are not supported");
    return nullptr;
  }
  if (++depth_ > kMaxParents) {
    cursor_.error(range, "LS1009", "nested more than " + std::to_string(kMaxParents) + " levels deep");
    return nullptr;
  }
  auto parameters = read_named(name.substr(name.find('.') + 1));
  --depth_;
  return parameters ? intern(std::move(*parameters), cursor_.range_from(word.begin)) : nullptr;
}

}  // namespace

bool names_encoding(std::string_view hash_word) {
  if (hash_word.starts_with("#ttg.")) {
    return std::find(kKnown.begin(), kKnown.end(), hash_word.substr(5)) != kKnown.end();
  }
  return hash_word == "#ttng.tensor_memory_encoding" || hash_word == "#ttng.tensor_memory_scales_encoding" ||
         hash_word == "#gluon.auto_encoding" || hash_word == "#gluon.coalesced_encoding";
}

const Encoding* parse_encoding(TokenCursor& cursor, Context& context, const EncodingResolver& resolve) {
  return EncodingReader(cursor, context, resolve).read();
}

}  // namespace lockstep::ir
