// An asm string as statements, for code that splits it at memory accesses (expand_asm.h). Registers have unique names,
// without blocks. Invariant: unknown text gives a problem, and then nothing of it is used. Not here: what an
// instruction computes; only its registers matter.
// Source: PTX ISA 8.7, "ld", "st".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interpreter/ptx/constraints.h"

namespace lockstep::interpreter::ptx {

/// One ld or st of global memory.
struct MemoryAccess {
  enum class Order : std::uint8_t { weak, relaxed, acquire, release };
  bool is_store = false, is_signed = false;
  int bits = 32;  // of an element
  Order order = Order::weak;
  int scope = 0;                    // of ordered accesses: tt's numbers, 1 gpu, 2 cta, 3 sys
  std::vector<std::string> values;  // registers, in the order of their addresses; empty name: nowhere ('_')
  std::string address;              // a register; empty: the offset alone
  std::int64_t offset = 0;          // bytes
};

struct Statement {
  std::string text;                                // with the registers' own names, ends with ';'
  std::vector<std::string> mentioned;              // registers
  std::vector<std::string> written;                // those that it may change
  std::string guard;                               // a predicate's register; empty: always
  bool is_negated = false;                         // the guard
  bool orders_memory = false;                      // a fence or a barrier
  std::optional<MemoryAccess> access;              // else an instruction that touches no memory
  std::size_t offset = 0;                          // of its first word, bytes into the asm string
};

struct Statements {
  std::vector<Statement> list;
  std::map<std::string, int> widths;  // bits of each register; 1: a predicate
  std::vector<std::string> operands;  // register of $k
  bool touches_memory = false;
  std::string problem;     // empty: fine
  std::size_t offset = 0;  // of the problem
};

/// Precondition: the constraints have no problem.
Statements split_statements(std::string_view assembly, const Constraints& constraints);

}  // namespace lockstep::interpreter::ptx
