// BlockPlaces: where the block of a block pointer, or the tensor of a descriptor, comes from: the op that made it, and for
// a block pointer its offsets as numbers of 64 bits. What loops and branches carry gets its offsets carried beside it. Not
// here: the accesses (rewrite_block_pointers.cpp).
#pragma once

#include <map>
#include <vector>

#include "ir/builder.h"

namespace lockstep::ir::passes {

bool is_block_pointer(Type type);

class BlockPlaces {
 public:
  BlockPlaces(Op& function, Context& context) : function_(function), builder_(context) {}
  /// Finds the origins, and carries offsets through loops and branches. False, with nothing changed: some block pointer
  /// or descriptor may come from two ops, or goes through branches between blocks.
  bool prepare();
  /// The op whose operands are base, shape, strides and offsets; null: a descriptor of the launch.
  Op* origin(const Value& place) const;
  /// Of a block pointer, in front of the op that gives it. What is carried is its own first offset, as finish() makes it.
  const std::vector<Value*>& offsets(Value* pointer);
  /// Loops and branches carry numbers only. Precondition: no access is left.
  void finish();

 private:
  bool find_origins();
  bool learn(const Value& value);
  bool carry();
  void add_targets(const std::vector<Value*>& targets);

  Op& function_;
  Builder builder_;
  struct Origin {
    Op* op = nullptr;
    bool is_of_launch = false, is_unclear = false;
    friend bool operator==(const Origin&, const Origin&) = default;
  };
  struct Carried {
    Op* from = nullptr;
    std::vector<std::size_t> sources;  // operands
  };
  Origin origin_by(const Value& value) const;
  std::map<const Value*, Origin> origins_;
  std::map<const Value*, std::vector<Value*>> offsets_;
  std::vector<Carried> carried_;
};

}  // namespace lockstep::ir::passes
