// The rows: one constant OpDef per entry of ir/op_list.def, defined in the family files beside this header. A row is
// made by row(), which refuses (at compile time) one without summary or source. Nothing here computes; evaluators live
// in interpreter/ and are assigned in dialects/evaluators.h, enclosures in compare/ (dialects/enclosures.h); verifiers in
// dialects/verify_hooks.h.
#pragma once

#include "ir/op_def.h"
#include "ir/opcode.h"
#include "dialects/emitters.h"
#include "dialects/enclosures.h"
#include "dialects/evaluators.h"
#include "dialects/verify_hooks.h"

namespace lockstep::dialects {

using ir::Arity;
using ir::AttributeRule;
using ir::Definedness;
using ir::Effects;
using ir::ErrorBound;
using ir::Opcode;
using ir::OpDef;
using ir::Presence;
using ir::TypeRule;

inline constexpr std::string_view kTritonOps = "Triton 3.6 TritonOps.td";
inline constexpr TypeRule kFloat = TypeRule::scalar_or_tile_of_float;
inline constexpr TypeRule kInteger = TypeRule::scalar_or_tile_of_integer;
inline constexpr TypeRule kPointer = TypeRule::scalar_or_tile_of_pointer;

#define LOCKSTEP_OP(identifier, spelling) extern const OpDef identifier;
#include "ir/op_list.def"
#undef LOCKSTEP_OP

/// Completes a row with its opcode and spelling; does not compile if a column that every row must fill is empty.
consteval OpDef row(Opcode opcode, OpDef def) {
  def.opcode = opcode;
  def.spelling = ir::spelling(opcode);
  if (def.evaluate == nullptr) def.evaluate = evaluator_of(opcode);
  if (def.emit_cuda == nullptr) def.emit_cuda = emitter_of(opcode);
  if (def.cuda_text.empty()) def.cuda_text = cuda_text_of(opcode);
  if (def.enclose == nullptr) def.enclose = enclosure_of(opcode);
  if (def.verify == nullptr) def.verify = verifier_of(opcode);
  if (def.summary.empty()) throw "a row needs a summary";
  if (def.source.empty()) throw "a row needs a source";
  if ((def.emit_cuda == nullptr) == emit_reason_of(opcode).empty()) throw "a row needs either CUDA text or a reason";
  if ((def.parse == nullptr) != (def.print == nullptr)) throw "custom text needs both hooks";
#ifdef LOCKSTEP_NO_CUDA  // a build without the room that would read them
  def.emit_cuda = nullptr;
  def.cuda_text = "";
#endif
  return def;
}

/// The row with the versions of Triton that print it.
consteval OpDef since(std::string_view version, OpDef def) {
  def.since = version;
  return def;
}
consteval OpDef until(std::string_view version, OpDef def) {
  def.until = version;
  return def;
}

}  // namespace lockstep::ops
