// OpDef: the row of an op, the only place with everything about it: text form, verification, meaning on the CPU, CUDA
// text, effects, definedness, traits, error bound, sampler, documentation. Parser, printer, verifier, interpreter,
// emitter, checkers, fuzzer and docs/ops.md all read it. Rows live in dialects/; op_list.def names them, a context gets
// them as an OpRegistry. Types of the engines are only forward-declared here: ir/ knows none of them.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ir/attribute.h"
#include "ir/op_traits.h"

namespace lockstep::interpreter {
class PlanBuilder;
struct ElementwiseLoops;
}  // namespace lockstep::interpreter
namespace lockstep::backend_cuda {
class EmitContext;
}
namespace lockstep::fuzz {
class Sampler;
}
namespace lockstep::enclosure {
class EncloseContext;
}

namespace lockstep::ir {

class Op;
class OpParser;       // ir/text/parse/op_parser.h: cursor handed to custom parse hooks
class OpPrinter;      // ir/text/printer.h
class VerifyContext;  // ir/verify/verifier.h: reports problems of one op

enum class Opcode : std::uint16_t;  // enumerators generated from ir/op_list.def in ir/opcode.h

/// How many values an operand group holds.
enum class Arity : std::uint8_t { one, optional, variadic };

/// The allowed types of an operand or result (predicates; relations between them are the row's verify hook or
/// `same_as`).
enum class TypeRule : std::uint8_t {
  any,
  scalar_or_tile_of_integer,
  scalar_or_tile_of_float,
  scalar_or_tile_of_number,
  scalar_or_tile_of_pointer,
  boolean_like,
  integer,
  floating,
  i1,
  i32,
  i64,
  pointer,
  tile,
  tile_of_integer,
  tile_of_float,
  descriptor,
  index_or_integer,
  i16,
  i128,
  memdesc,          // a memory descriptor
  tile_or_memdesc,
  token,            // !ttg.async.token
  aref,             // !nvws.aref<[...]>
};

struct OperandSpec {
  std::string_view name{};
  TypeRule rule = TypeRule::any;
  Arity arity = Arity::one;
};
struct ResultSpec {
  std::string_view name{};
  TypeRule rule = TypeRule::any;
  Arity arity = Arity::one;
};

struct EnumCase {
  std::string_view name{};
  std::int64_t value;
};
/// A closed set of names for an integer attribute, e.g. {none, ca, cg, ...}.
struct EnumSpec {
  std::string_view name{};
  std::span<const EnumCase> cases;
  bool is_flags = false;  // a set of bits, written a|b, low bits first; a case that names a whole set wins
};

enum class AttributeRule : std::uint8_t {
  any,
  unit,
  boolean,
  i32,
  i64,
  string,
  type,
  symbol,
  dense_array_i32,
  dense_or_scalar,
  enumeration
};
enum class Presence : std::uint8_t { required, optional, defaulted };

struct AttributeSpec {
  std::string_view name{};
  AttributeRule rule = AttributeRule::any;
  Presence presence = Presence::required;
  std::int64_t default_value = 0;  // defaulted: omitted from pretty text when equal
  const EnumSpec* enumeration = nullptr;
};

enum class Effects : std::uint8_t { pure, read, write, read_write, barrier, control, symbol };

/// Which undefined operand elements make which result elements undefined.
enum class Definedness : std::uint8_t {
  elementwise,
  by_selected_operand,
  across_axis,
  row_by_column,
  never,
  everything,
  control
};

/// How far a conforming result may be from the correctly rounded one. Bounds are in ulp of the result type; `worst_*`
/// is the largest error that tests/ops measured for f32 and f64 results, 0 where nothing was measured.
struct ErrorBound {
  enum class Kind : std::uint8_t { exact, ulp, by_length } kind = Kind::exact;
  double ulp = 0;        // Lockstep's result
  double gpu_ulp = 0;    // a GPU's own result (documented by NVIDIA, or measured on an H200); 0: as exact as ours
  double worst_f32 = 0;  // Lockstep's, measured
  double worst_f64 = 0;
};

/// A value for an unfilled column: gives a reason instead of nothing.
struct Unsupported {
  std::string_view reason;
};

using ParseHook = bool (*)(OpParser&, Op&);  // after the op's name (and results) was read; false: already diagnosed
using PrintHook = void (*)(OpPrinter&, const Op&);  // after the op's name was printed
using VerifyHook = bool (*)(VerifyContext&, const Op&);
/// Appends the steps that compute the op to a plan. False: reported as not supported.
using EvaluateHook = bool (*)(interpreter::PlanBuilder&, const Op&);
using EmitHook = bool (*)(backend_cuda::EmitContext&, const Op&);
/// Sets bounds of the results that hold for every legal execution. False: nothing is known, the results are unbounded.
using EncloseHook = bool (*)(enclosure::EncloseContext&, const Op&);
using SampleHook = void (*)(fuzz::Sampler&);
/// The result's element of the operands' elements in f64, not rounded to the op's type.
using ExactHook = double (*)(const double* operands);

/// A list of at most N rows' specs that can be written with braces in a constexpr row.
template <typename T, std::size_t N>
struct SpecList {
  std::array<T, N> items{};
  std::size_t count = 0;
  constexpr SpecList() = default;
  constexpr SpecList(std::initializer_list<T> list) {
    for (const T& item : list) items[count++] = item;
  }
  constexpr std::size_t size() const { return count; }
  constexpr bool empty() const { return count == 0; }
  constexpr const T& operator[](std::size_t i) const { return items[i]; }
  constexpr const T* begin() const { return items.data(); }
  constexpr const T* end() const { return items.data() + count; }
};

struct OpDef {
  Opcode opcode{};              // filled by dialects::row() from op_list.def, as is the spelling
  std::string_view spelling{};  // "tt.load"
  std::string_view summary{};   // an equation or one sentence
  SpecList<OperandSpec, 12> operands{};
  SpecList<AttributeSpec, 8> attributes{};
  SpecList<ResultSpec, 3> results{};
  std::uint8_t region_count = 0;
  std::uint8_t max_region_count = 0;  // 0: exactly region_count
  std::uint8_t successor_count = 0;   // branch targets; their arguments are the trailing operand groups
  bool is_terminator = false;
  bool needs_terminator = true;  // the blocks of its regions end in one
  bool is_isolated = false;      // regions see no outside values (tt.func)
  bool isolates_later_regions = false;  // all but the first see none (ttg.warp_specialize)
  bool single_block_regions = false;
  bool equal_variadic_groups = false;  // all variadic operand groups have one size; text has no operandSegmentSizes
  /// Declarative assembly, see ir/text/assembly_form.h for the language; "" with hooks = custom; "" without = generic
  /// form only.
  std::string_view form = "";
  /// Relations between the types of operands and results: "mask=bool(ptr) other=pointee(ptr) result=pointee(ptr)". The
  /// parser infers the types that the form leaves out; the verifier checks them. Language: ir/verify/type_relation.h.
  std::string_view relations = "";
  ParseHook parse = nullptr;
  PrintHook print = nullptr;
  VerifyHook verify = nullptr;  // dialects/verify_hooks.h
  Effects effects = Effects::pure;
  Definedness defined_if = Definedness::elementwise;
  // ---- traits (ir/op_traits.h) ----
  Arithmetic arithmetic = Arithmetic::none;
  Numbers numbers = Numbers::none;
  bool reads_bits = false;  // of integers: a number that wrapped is read as it was meant
  Movement movement = Movement::none;
  Combination combination = Combination::none;
  Origin origin = Origin::none;
  Control control = Control::none;
  Statement statement = Statement::none;
  bool acts_in_block = false;  // on what a GPU's block has: shared memory, barriers, groups of warps, copies in flight
  bool joins_threads = false;  // all threads of a program wait here for each other
  MemoryAccess access{};
  Provenance provenance = Provenance::unknown;
  BatchingRule batching = BatchingRule::by_effects;
  bool makes_nan = false;           // float results may be NaN or infinite where no operand is
  std::uint8_t flops = 0;           // of floats, for each element
  bool is_same_everywhere = true;   // results depend on nothing but operands, memory and the grid; and it may be run
  std::string_view mistaken_for{};  // the op that somebody may have meant to write, of the same operands and results
  // ---- hooks of the engines ----
  EvaluateHook evaluate = nullptr;                       // null: not implemented yet -> exit code 4, with the op named
  std::string_view evaluate_reason = "";                 // why evaluate is null
  const interpreter::ElementwiseLoops* loops = nullptr;  // of elementwise ops: interpreter/evaluators/loops.h
  EmitHook emit_cuda = nullptr;                          // backend_cuda/emit/emit.h
  /// For elementwise ops: the result's element as C++; %0 %1 ... are the operands', %T its type, functions those of
  /// backend_cuda/prelude.
  std::string_view cuda_text = "";
  std::string_view emit_reason = "";  // why emit_cuda is null
  ErrorBound bound{};
  EncloseHook enclose = nullptr;  // enclosure/enclose.h; null: reported by name, the results are unbounded
  ExactHook in_f64 = nullptr;     // null: nothing follows its exact results
  SampleHook sample = nullptr;    // fuzz/samples.h; null: types are drawn until the verifier is content
  std::string_view source = "";   // where the facts come from
  std::string_view note = "";     // for docs/ops.md: what a GPU does differently, or which rule (S-n) decides
  std::string_view since = "";    // first Triton version that prints the op; "": 3.6 or earlier
  std::string_view until = "";    // last Triton version that prints it; "": still does
};

/// More than one operand group of variable length: the op records Op::operand_segments (MLIR's operandSegmentSizes).
constexpr bool has_operand_segments(const OpDef& def) {
  int variable = 0;
  for (const OperandSpec& spec : def.operands) variable += spec.arity != Arity::one;
  return variable > 1;
}

}  // namespace lockstep::ir
