// Host-side launch arguments: from text ("x=randn:f32[1823,781]", "n=98432", "BLOCK=1024", "y=view(x, offset=1, ...)")
// to storages, views, scalars and constexpr values. Every text here is hostile until checked: sizes are checked before
// memory is taken, expressions have a closed grammar. Errors: LS20xx with the argument's text and a caret.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "memory_model/view.h"
#include "support/diagnostics/diagnostic.h"

namespace lockstep::driver {

/// A parsed NAME=VALUE, before the kernel's parameter is known.
struct ScalarValue {
  enum class Kind : std::uint8_t { none, boolean, integer, floating, name } kind = Kind::none;
  bool is_unsigned_64 = false;  // integer does not fit int64 but fits uint64 (bits in `integer`)
  std::int64_t integer = 0;
  double floating = 0;
  std::string text;                       // name: "fp16", "tl.float16", any bare word or quoted string
  std::optional<ScalarKind> forced_type;  // n=5:i64
  bool forced_unsigned = false;           // n=5:u32
  bool is_quoted = false;                 // name: 'text' in quotes, never a dtype
};

/// A parsed tensor argument. make_tensor() makes its data.
struct TensorSpec {
  enum class Kind : std::uint8_t {
    randn,
    rand,
    zeros,
    ones,
    full,
    arange,
    pairs,  // 0, 0, 1, 0, 2, 0 ...
    randint,
    empty,
    file,
    view,
    addresses
  } kind = Kind::zeros;
  ScalarKind element = ScalarKind::f32;
  std::vector<std::int64_t> shape;
  bool is_unsigned = false;                     // the type was written u8..u64
  ScalarValue full_value;                       // full: integer or floating; arange: the first value
  std::int64_t low = 0, high = 0;               // randint: [low, high)
  std::string path, key;                        // file: .npy, or .npz with key
  std::optional<ScalarKind> read_as;            // file: @bits.npy:bf16
  std::string base;                             // view: the other argument's name
  std::int64_t offset = 0;                      // view: elements
  std::vector<std::int64_t> strides;            // view: elements
  bool has_shape = false, has_strides = false;  // view: what was given; else the base's, else row-major
  std::vector<std::string> names;               // addresses: the arguments whose addresses the elements are
  bool is_descriptor = false;                   // view: written desc(...), for a tensor descriptor parameter
  bool pads_nan = false;                        // desc: what is read outside is NaN instead of 0
  std::vector<std::int64_t> block;              // desc: extents of its blocks; empty: the kernel's type says
};

/// A parsed "(randn:f32[8], 5)" or "(x=randn:f32[8], n=5)", whose elements are separate arguments: t.0 and t.1, or t.x
/// and t.n.
struct TupleSpec {
  std::vector<std::string> parts;  // "0", "1", or the names
};

struct ArgumentText {
  std::string name;
  std::string text;  // after '='
  std::variant<ScalarValue, TensorSpec, TupleSpec> value;
  bool is_tensor() const { return std::holds_alternative<TensorSpec>(value); }
};


/// The names that expressions of grids and shapes may use.
struct GridNames {
  std::map<std::string, std::int64_t, std::less<>> integers;
  std::map<std::string, std::vector<std::int64_t>, std::less<>> shapes;
};

/// Parses one NAME=VALUE that is not a tuple. `names`: for its shape. nullopt: diagnosed.
std::optional<ArgumentText> parse_argument(std::string_view text, DiagnosticSink& sink, const GridNames& names = {});
/// Parses one NAME=VALUE; the elements follow a tuple. False: diagnosed.
bool parse_arguments(std::string_view text, DiagnosticSink& sink, std::vector<ArgumentText>& arguments,
                     const GridNames& names = {});
/// All arguments of a command: shapes may name its integers, "x=randn:f32[rows,columns]", in any order.
bool parse_all_arguments(const std::vector<std::string>& texts, DiagnosticSink& sink,
                         std::vector<ArgumentText>& arguments);

/// Evaluates a grid expression list "cdiv(n, BLOCK), 2" over integer names: + - * / // % ( ) min max cdiv
/// next_power_of_2 and x.shape[0], x.numel. 1..3 parts, each 0 .. 2^31-1. nullopt: diagnosed.
std::optional<std::vector<std::int64_t>> evaluate_grid(std::string_view text, const GridNames& names,
                                                       DiagnosticSink& sink);

struct Tensor {
  std::string name;
  memory_model::ViewId view;
  std::string allocated_by;                      // the argument's text, for messages
  bool is_unsigned = false;                      // "*u8", and .npy files of unsigned integers
  bool is_descriptor = false, pads_nan = false;  // as in TensorSpec
  std::vector<std::int64_t> block{};
};

/// The largest rank and the largest number of elements of an argument.
inline constexpr std::size_t kMaxRank = 16;
inline constexpr std::int64_t kMaxElements = std::int64_t{1} << 48;

/// Bytes that tensors may have; 0: no limit. `filled`: the limit for tensors with contents. Zeros and empty tensors
/// take memory only where a kernel touches them, so they may be larger than the machine's.
struct TensorLimits {
  std::uint64_t all = 0, filled = 0;
  TensorLimits(std::uint64_t all_bytes, std::uint64_t filled_bytes = 0) : all(all_bytes), filled(filled_bytes) {}
};

/// Allocates and fills the tensors of `arguments` (views after their bases, whatever the order given); the result has
/// them in the order given, scalars left out. max_bytes: of all tensors together, 0 for no limit (LS2012). `seed`: of
/// the counter-based Philox4x32-10 generator, whose bytes are forever a function of (seed, argument name, element
/// index).
std::optional<std::vector<Tensor>> make_tensors(const std::vector<ArgumentText>& arguments, std::uint64_t seed,
                                                const TensorLimits& limits, memory_model::AddressSpace& memory,
                                                DiagnosticSink& sink);

}  // namespace lockstep::driver
