// The language of OpDef::relations: equations between the types of operand and result groups, separated by blanks.
//   a=b   where each side is  name | i1 | i32 | ... | async_token | bool(x) | pointee(x) | element(x) | block(x) |
//   block_base(x) | shape(x) | each(x) | members(x)   where each(x), right of a variadic group, is the types of x one
//   by one, and members(x) the types that an aref holds;
//   of a memory descriptor, element, block and shape are those of the tensor that it shows
//   bool(x)        i1 with the shape of x (of what x points to, for a block pointer) pointee(x)     what is
//   loaded through x: tensor<..x!tt.ptr<T>> gives tensor<..xT>, !tt.ptr<T> gives T element(x)     element type of a
//   tile (a scalar is its own element) block(x)       the tile type of a descriptor            block_base(x)   the
//   pointer type a block pointer is made from shape(x)       only on both sides: equal shapes (scalars have the empty
//   shape); never infers
// An equation "name=..." also gives the type of `name` where text leaves it out. All members of a variadic group are
// meant.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ir/context.h"
#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::ir {

struct RelationTerm {
  enum class Function : std::uint8_t {
    same,
    boolean,
    pointee,
    element,
    block,
    block_base,
    shape,
    element_of_block,
    each,
    members,
    fixed
  };
  Function function = Function::same;
  std::string_view name;  // the group, or the fixed type's spelling
  bool is_result = false;
  std::size_t index = 0;
};
struct Relation {
  RelationTerm left, right;
  std::string_view text;
};

/// The equations of a row. Computed when first asked for.
const std::vector<Relation>& relations_of(const OpDef& def);

/// Applies a term's function to the type of its group; null if it has no meaning there. `type` is ignored by `fixed`.
Type apply_term(Context& context, const RelationTerm& term, Type type);

/// each(x) and members(x) give a list of types, from those of their group.
bool is_list(const RelationTerm& term);
std::vector<Type> apply_list(const RelationTerm& term, const std::vector<Type>& types);

/// "element type of 'src'", for messages.
std::string describe(const RelationTerm& term);

}  // namespace lockstep::ir
