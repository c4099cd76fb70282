// Pipeline: loads of a loop that feed its dots run ahead of it, as asynchronous copies to buffers in shared memory. The
// operands of their addresses and masks in the loop (its *slice*) are computed a second time, some iterations ahead,
// with variables of its own. Invariants: the slice has only pure ops; a load moves only if dots alone read it (through
// a transposition) and the loop writes no memory. Source of the scheme: multistage copies as in NVIDIA's CUTLASS
// documentation. Where all loads are boxes (boxes.h), the copy engine brings whole tiles (box_pipeline.cpp). Not here:
// the dots themselves (emit_dot.cpp).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "backend_cuda/emit/emit_context.h"
#include "backend_cuda/layout/boxes.h"

namespace lockstep::backend_cuda {

/// Whether the counter of an scf.for may pass the end of its type.
bool may_wrap(const ir::Op& loop);

class Pipeline {
 public:
  /// nullopt: no gain. `loop`: an scf.for.
  static std::optional<Pipeline> plan(EmitContext& context, const ir::Op& loop);

  /// Before the loop: buffers, the copies of the first iterations.
  bool begin();
  /// First in the loop's body: waits for this iteration's tiles, starts the copies of a later one.
  bool step();
  /// Last in the body.
  void advance();
  /// Behind the loop.
  void end();
  /// Whether two groups of warps multiply in turn. Then the body may hold no barrier of all warps.
  bool takes_turns() const { return takes_turns_; }

 private:
  struct Copied {
    const ir::Op* load = nullptr;
    bool is_transposed = false;  // runs of addresses go down the columns
    int width = 1;               // elements of a copy
    std::int64_t bytes = 0;      // of a tile
    std::int64_t offset = 0;     // of its first buffer
  };

  Pipeline(EmitContext& context, const ir::Op& loop) : context_(context), loop_(loop) {}
  bool find_loads();
  std::optional<Copied> copied(const ir::Op& load) const;
  bool find_slice();
  void find_flying_dot();
  const ir::Value* carried_sum(const ir::Op& dot) const;
  bool reads_buffers(const ir::Op& dot) const;
  const ir::Op* first_dot() const;
  bool begins_with_wgmma() const;
  bool add_to_slice(const ir::Value* value);
  bool choose_stages();
  bool copy_ahead(const std::string& stage);
  void emit_copy(const Copied& copied, const std::string& stage);
  std::string buffer(const Copied& copied, const std::string& stage) const;
  void reserve_buffers();
  void bind_buffers();

  // box_pipeline.cpp
  bool find_boxes();
  std::optional<std::vector<const ir::Op*>> copying_slice() const;
  void name_barriers();
  std::int64_t barrier_bytes() const;
  void emit_fits(const std::string& lower, const std::string& upper);
  void emit_boxes(const std::string& stage, const std::string& counter);
  std::string slow_copy(std::size_t n, const std::string& stage, const std::string& place) const;
  void begin_boxes();
  bool begin_persistent(const std::vector<const ir::Op*>& slice);
  bool emit_copying_warp(const std::vector<const ir::Op*>& slice);
  std::string last_buffer() const;
  std::string start_later(const std::string& counter);
  void step_boxes();
  void end_boxes();

  static constexpr std::uint64_t kFarStep = std::uint64_t{1} << 24;
  EmitContext& context_;
  const ir::Op& loop_;
  std::vector<Copied> loads_;
  std::vector<const ir::Op*> slice_;  // in the body's order
  std::vector<const ir::Value*> carried_;  // loop arguments that the slice reads
  const ir::Op* flying_ = nullptr;    // a dot that need not end with its iteration: the loop's last
  const ir::Value* sum_ = nullptr;    // the loop's argument that it adds to
  bool is_alone_ = false;             // the loop has no other dot
  int stages_ = 0;                    // buffers of each load
  int ahead_count_ = 0;               // iterations that copies run ahead
  std::int64_t first_buffer_ = 0;
  Variable induction_;           // some iterations ahead
  EmitContext::Bindings ahead_;  // the slice's loop arguments there
  std::string stage_;
  std::string ahead_now_;        // C++ name: whether the iteration of `induction_` exists
  std::vector<Box> boxes_;       // of loads_; empty: threads copy
  bool takes_turns_ = false;
  bool persists_ = false;        // a warp of its own starts the copies, for one program after another
  std::int64_t step_ = 0;        // of the loop's counter
  std::string bars_, phase_, fits_;  // C++ names: the barriers' address, the parity of the buffers' use, see emit_fits
};

}  // namespace lockstep::backend_cuda
