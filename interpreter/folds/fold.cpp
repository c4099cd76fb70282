#include "interpreter/folds/fold.h"

#include <cstring>

#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

void release_sources(Machine& machine, const Fold& fold) {
  for (std::size_t i = 0; i < fold.sources.size(); ++i) {
    if (fold.dies[i]) machine.pool.release(machine.slots[fold.sources[i]]);
  }
}

void set_result(Machine& machine, Slot slot, const TileType& type, Tile tile) {
  if (type.is_scalar()) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, tile.data(), static_cast<std::size_t>(type.element_bytes));
    machine.pool.release(tile);
    tile = uniform_tile(bits);
  } else {
    set_row_major(type, tile.stride);
  }
  machine.set(slot, tile);
}

Tile reordered(Machine& machine, const Tile& tile, const TileType& type, const AxisView& view,
               const std::vector<std::int64_t>& places) {
  const Temporary in(machine, make_contiguous(machine, tile, type));
  const Tile out = machine.allocate(type);
  const std::int64_t bytes = view.inner * type.element_bytes;
  for (std::int64_t o = 0; o < view.outer; ++o) {
    for (std::int64_t p = 0; p < view.n; ++p)
      std::memcpy(out.data() + (o * view.n + p) * bytes,
                  in->data() + (o * view.n + places[static_cast<std::size_t>(p)]) * bytes,
                  static_cast<std::size_t>(bytes));
  }
  return out;
}

const Step* step_reduce_kernel(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  const Temporary in(machine, make_contiguous(machine, machine.slots[fold.sources[0]], *fold.source_types[0]));
  const Tile out = machine.allocate(*fold.result_types[0]);
  fold.reduce(out.data(), in->data(), fold.view.outer, fold.view.n, fold.view.inner);
  set_result(machine, fold.results[0], *fold.result_types[0], out);
  release_sources(machine, fold);
  return step + 1;
}

FoldElements::FoldElements(Machine& machine, const Fold& fold) : machine_(machine), fold_(fold) {
  for (std::size_t i = 0; i < fold.sources.size(); ++i) {
    const TileType& type = *fold.source_types[i];
    if (fold.order) {
      tiles_.push_back(reordered(machine, machine.slots[fold.sources[i]], type, fold.view, fold.order->places));
      continue;
    }
    const Temporary packed(machine, make_contiguous(machine, machine.slots[fold.sources[i]], type));
    tiles_.push_back(machine.allocate(type));
    std::memcpy(tiles_.back().data(), packed->data(), static_cast<std::size_t>(type.bytes()));
  }
}

FoldElements::~FoldElements() {
  for (Tile& tile : tiles_) machine_.pool.release(tile);
}

char* FoldElements::at(std::size_t operand, std::int64_t index) {
  return tiles_[operand].data() + index * fold_.source_types[operand]->element_bytes;
}

Tile FoldElements::take(std::size_t operand) {
  Tile tile = tiles_[operand];
  tiles_[operand].buffer = nullptr;
  return tile;
}

bool FoldElements::combine(std::int64_t a, std::int64_t b, std::int64_t to) {
  const std::size_t count = tiles_.size();
  for (std::size_t i = 0; i < count; ++i) {
    load(i, a, fold_.region_arguments[i]);
    load(i, b, fold_.region_arguments[count + i]);
  }
  if (!machine_.run_region(fold_.entry)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    std::memcpy(at(i, to), &machine_.slots[fold_.region_results[i]].base,
                static_cast<std::size_t>(fold_.source_types[i]->element_bytes));
  }
  return true;
}

void FoldElements::load(std::size_t operand, std::int64_t index, Slot slot) {
  Tile& target = machine_.slots[slot];
  target.base = 0;
  std::memcpy(&target.base, at(operand, index), static_cast<std::size_t>(fold_.source_types[operand]->element_bytes));
}

// A scan as Triton 3.6 compiles it: each thread its own values one after another, the threads' last values by shuffles
// (distances 1, 2, 4 ...), then chunk after chunk of a warp's width what came before; a thread's other values are
// combined with the last value of the thread before it.
// Source: ScanOpToLLVM.cpp of Triton 3.6; reverse is a scan of the flipped axis there.

namespace {

/// The places of an axis in the order of the threads, and what combines two of them.
template <typename Combine>
class OrderedScan {
 public:
  /// combine(a, b, is_raw): b = a op b; is_raw: b is still the scan's operand. False: the program must stop.
  OrderedScan(const gpu_bits::ScanOrder& order, std::int64_t n, bool is_reverse, Combine combine)
      : per_thread_(order.per_thread), lanes_(order.lanes), n_(n), is_reverse_(is_reverse), combine_(combine) {}

  bool run() { return in_threads() && in_warps() && across_warps() && behind_last(); }

 private:
  std::int64_t threads() const { return n_ / per_thread_; }
  std::int64_t last_of(std::int64_t thread) const { return (thread + 1) * per_thread_ - 1; }
  bool join(std::int64_t a, std::int64_t b, bool is_raw) {
    return is_reverse_ ? combine_(n_ - 1 - a, n_ - 1 - b, is_raw) : combine_(a, b, is_raw);
  }

  bool in_threads() {
    for (std::int64_t i = 0; i < n_; ++i) {
      if (i % per_thread_ != 0 && !join(i - 1, i, true)) return false;
    }
    return true;
  }
  bool in_warps() {
    for (std::int64_t distance = 1; distance < lanes_; distance *= 2) {
      for (std::int64_t thread = threads() - 1; thread >= 0; --thread) {
        if (thread % lanes_ < distance) continue;
        if (!join(last_of(thread - distance), last_of(thread), distance == 1 && per_thread_ == 1)) return false;
      }
    }
    return true;
  }
  bool across_warps() {
    for (std::int64_t thread = lanes_; thread < threads(); ++thread) {
      const std::int64_t before = last_of(thread - thread % lanes_ - 1);
      if (!join(before, last_of(thread), per_thread_ == 1 && lanes_ == 1)) return false;
    }
    return true;
  }
  bool behind_last() {
    for (std::int64_t thread = 1; thread < threads(); ++thread) {
      for (std::int64_t i = 0; i + 1 < per_thread_; ++i) {
        if (!join(last_of(thread - 1), thread * per_thread_ + i, i == 0)) return false;
      }
    }
    return true;
  }

  std::int64_t per_thread_, lanes_, n_;
  bool is_reverse_;
  Combine combine_;
};

template <typename Combine>
bool scan_in_order(const Fold& fold, Combine combine) {
  return OrderedScan<Combine>(*fold.scan_order, fold.view.n, fold.is_reverse, combine).run();
}

/// Whole rows at once, by the kernel of the region's only operation.
void scan_rows(Machine& machine, const Fold& fold, FoldElements& elements) {
  const AxisView& v = fold.view;
  const TileType& type = *fold.source_types[0];
  const bool has_factors = fold.fused != nullptr;
  const auto factor = [&](std::size_t i) {
    return has_factors ? make_contiguous(machine, machine.slots[fold.factors[i]], type) : Tile();
  };
  const Temporary x(machine, factor(0)), y(machine, factor(1));
  for (std::int64_t o = 0; o < v.outer; ++o) {
    scan_in_order(fold, [&](std::int64_t a, std::int64_t b, bool is_raw) {
      const std::int64_t to = (o * v.n + b) * v.inner;
      char *first = elements.at(0, (o * v.n + a) * v.inner), *second = elements.at(0, to);
      if (is_raw && has_factors)
        fold.fused(second, x->data() + to * type.element_bytes, y->data() + to * type.element_bytes, first, v.inner, 1, 1,
                   1);
      else
        fold.combine(second, first, second, v.inner, 1, 1);
      return true;
    });
  }
}

bool scan_elements(const Fold& fold, FoldElements& elements) {
  const AxisView& v = fold.view;
  for (std::int64_t line = 0; line < v.outer * v.inner; ++line) {
    const std::int64_t start = line / v.inner * v.n * v.inner + line % v.inner;
    const bool is_done = scan_in_order(fold, [&](std::int64_t a, std::int64_t b, bool) {
      return elements.combine(start + a * v.inner, start + b * v.inner, start + b * v.inner);
    });
    if (!is_done) return false;
  }
  return true;
}

}  // namespace

const Step* step_scan_ordered(Machine& machine, const Step* step) {
  const auto& fold = *static_cast<const Fold*>(step->record);
  FoldElements elements(machine, fold);
  if (fold.combine != nullptr) {
    scan_rows(machine, fold, elements);
  } else if (!scan_elements(fold, elements)) {
    machine.program->next = step;
    return nullptr;
  }
  for (std::size_t r = 0; r < fold.results.size(); ++r)
    set_result(machine, fold.results[r], *fold.result_types[r], elements.take(r));
  release_sources(machine, fold);
  return step + 1;
}

}  // namespace lockstep::interpreter
