// A scan as Triton 3.6 compiles it: each thread its own values one after another, the threads' last values by shuffles
// (distances 1, 2, 4 ...), then chunk after chunk of a warp's width what came before; a thread's other values are
// combined with the last value of the thread before it.
// Source: ScanOpToLLVM.cpp of Triton 3.6; reverse is a scan of the flipped axis there.
#include "interpreter/evaluators/fold.h"
#include "interpreter/tile/dense.h"

namespace lockstep::interpreter {

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
