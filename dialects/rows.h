// The rows: one constant OpDef per entry of ir/op_list.def, defined in the family files next to this header. row()
// makes a row, and refuses (at compile time) one without summary or source; family files have builders for what their
// ops share, and a row has the differences. Nothing here computes: rows name hooks, which live in the room of their
// engine. Not here: the parts of rows (ir/op_def.h, ir/op_traits.h).
#pragma once

#include "backend_cuda/emit/emit.h"
#include "dialects/verify_hooks.h"
#include "enclosure/enclose.h"
#include "fuzz/samples.h"
#include "interpreter/evaluators/loops.h"
#include "interpreter/plan/evaluate.h"
#include "ir/op.h"
#include "ir/op_def.h"
#include "ir/opcode.h"

namespace lockstep::dialects {

using backend_cuda::emit_text;
using interpreter::evaluate_elementwise;
using interpreter::kBinaryLoops;
using interpreter::kConversionLoops;
using interpreter::kTernaryLoops;
using interpreter::kUnaryLoops;
using interpreter::StructuredRule;
using interpreter::kernels::Binary;
using interpreter::kernels::Conversion;
using interpreter::kernels::Ternary;
using interpreter::kernels::Unary;
using ir::Arithmetic;
using ir::Arity;
using ir::AttributeRule;
using ir::BatchingRule;
using ir::Combination;
using ir::Control;
using ir::Definedness;
using ir::Effects;
using ir::ErrorBound;
using ir::MemoryAccess;
using ir::Movement;
using ir::Numbers;
using ir::Opcode;
using ir::OpDef;
using ir::Origin;
using ir::Presence;
using ir::Provenance;
using ir::Statement;
using ir::TypeRule;

inline constexpr std::string_view kTritonOps = "Triton 3.6 TritonOps.td";
inline constexpr TypeRule kFloat = TypeRule::scalar_or_tile_of_float;
inline constexpr TypeRule kInteger = TypeRule::scalar_or_tile_of_integer;
inline constexpr TypeRule kPointer = TypeRule::scalar_or_tile_of_pointer;

#define LOCKSTEP_OP(identifier, spelling) extern const OpDef identifier;
#include "ir/op_list.def"
#undef LOCKSTEP_OP

/// Completes a row with its opcode and spelling; does not compile if a required column is empty, or if a column is set
/// without its partner.
consteval OpDef row(Opcode opcode, OpDef def) {
  def.opcode = opcode;
  def.spelling = ir::spelling(opcode);
  if (def.summary.empty()) throw "a row needs a summary";
  if (def.source.empty()) throw "a row needs a source";
  if ((def.emit_cuda == nullptr) == def.emit_reason.empty()) throw "a row needs either CUDA text or a reason";
  if ((def.emit_cuda == emit_text) == def.cuda_text.empty()) throw "emit_text and cuda_text need each other";
  if ((def.parse == nullptr) != (def.print == nullptr)) throw "custom text needs both hooks";
  if (def.evaluate == evaluate_elementwise && def.loops == nullptr) throw "an elementwise op needs its loops";
#ifdef LOCKSTEP_NO_CUDA  // a build without the rooms that would read them
  def.emit_cuda = nullptr;
  def.cuda_text = "";
  def.sample = nullptr;
#endif
  return def;
}

/// The row, with the op that its user may have meant.
consteval OpDef mistaken_for(std::string_view other, OpDef def) {
  def.mistaken_for = other;
  return def;
}

/// The row, with the versions of Triton that print it.
consteval OpDef since(std::string_view version, OpDef def) {
  def.since = version;
  return def;
}
consteval OpDef until(std::string_view version, OpDef def) {
  def.until = version;
  return def;
}

}  // namespace lockstep::dialects
