// PlaceReader: reads the place of one access from the IR, for access_places. Private to this folder.
#pragma once

#include <vector>

#include "interpreter/apart/access_place.h"
#include "ir/interfaces/lane_movement.h"

namespace lockstep::interpreter::apart {

class PlaceReader {
 public:
  PlaceReader(const ir::Op& kernel, KernelNumbers& numbers) : kernel_(kernel), numbers_(numbers) {}

  /// Sets what is known of the place; is_known only if all is.
  void read(const ir::Op& access, AccessPlace& out);

 private:
  using Index = KernelNumbers::Index;

  /// The same number in the same lanes of the access's tile.
  struct Bounded {
    const ir::Value* value = nullptr;
    ir::Dimensions dimensions;
    NumberBound bound;
  };

  void read_mask(const ir::Value& mask, const ir::Dimensions& dimensions, int depth);
  void read_comparison(const ir::Op& comparison, const ir::Dimensions& dimensions);
  void add_bound(const ir::Value* value, ir::Dimensions dimensions, const NumberBound& bound);
  std::vector<NumberBound> bounds_of(const ir::Value& value, const ir::Dimensions& dimensions) const;
  void add_pointer(const ir::Value& pointer, const ir::Dimensions& dimensions);
  void add_block_argument(const ir::Value& pointer, const ir::Dimensions& dimensions);
  void add_offset(const ir::Op& displacement, const ir::Dimensions& dimensions);
  void add(const ir::Value& value, std::vector<Index> factors, const ir::Dimensions& dimensions);
  void add_op(const ir::Op& op, Index number, std::vector<Index> factors, const ir::Dimensions& dimensions);
  void put(std::vector<Index> factors, Index number, std::vector<NumberBound> bounds);

  const ir::Op& kernel_;
  KernelNumbers& numbers_;
  AccessPlace* out_ = nullptr;
  std::vector<Bounded> bounded_;
  Index counter_ = -1, step_ = -1;  // of the loop whose moves are being read
  bool is_known_ = true;
  int steps_ = 0;
};

}  // namespace lockstep::interpreter::apart
