// LinearForm: an integer or an address as a sum of products, for tiles that are strided boxes of memory. A term is a
// constant times parameters of the kernel times at most one index: a number that the kernel computes (an *atom*: a
// program's number, a loop's counter), or the place along a dimension of the tile. Wrapping of 32-bit arithmetic is
// ignored: an offset that leaves its type is a defect of the kernel (LS112). Not here: what is copied (boxes.h).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "ir/op.h"

namespace lockstep::backend_cuda {

struct LinearTerm {
  std::int64_t factor = 1;
  std::vector<const ir::Value*> parameters;  // of the kernel, by their index
  const ir::Value* atom = nullptr;
  int dimension = -1;

  bool has_index() const { return atom != nullptr || dimension >= 0; }
  bool meets(const LinearTerm& other) const {
    return parameters == other.parameters && atom == other.atom && dimension == other.dimension;
  }
};

/// No two terms meet, and no factor is 0.
using LinearForm = std::vector<LinearTerm>;

/// An address in the memory of one parameter; elements behind it.
struct LinearAddress {
  const ir::Value* parameter = nullptr;
  LinearForm offset;
};

LinearForm sum_of(const LinearForm& a, const LinearForm& b, std::int64_t sign = 1);

/// The form of an integer or a tile of them. `loop`: ops of its body are followed, and its counter is an atom; nullopt
/// where a value in the body is no such sum.
std::optional<LinearForm> linear_form(const ir::Value* value, const ir::Op& loop);
/// The form of a pointer or a tile of them, also where the loop moves it on by a constant step.
std::optional<LinearAddress> linear_address(const ir::Value* value, const ir::Op& loop);

}  // namespace lockstep::backend_cuda
