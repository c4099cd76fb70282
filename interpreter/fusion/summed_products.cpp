#include "interpreter/fusion/summed_products.h"

#include <algorithm>
#include <memory>

#include "interpreter/evaluators/elementwise_step.h"
#include "interpreter/folds/fold.h"
#include "interpreter/fusion/group_graph.h"
#include "interpreter/kernels/kernels.h"
#include "interpreter/plan/shared_steps.h"

namespace lockstep::interpreter {

namespace {

bool is_packed(const Tile& tile) { return tile.form == Form::dense && tile.is_contiguous; }

const float* floats_of(const Tile& tile) { return reinterpret_cast<const float*>(tile.data()); }

bool is_product(const Step& step) {
  if (!is_elementwise_step(step.run)) return false;
  const auto& op = *static_cast<const Elementwise*>(step.record);
  return op.arity == Elementwise::Arity::binary && op.result->kind == ScalarKind::f32 &&
         op.binary == kernels::binary(kernels::Binary::mulf, ScalarKind::f32);
}

bool is_sum_of(const Step& step, Slot slot) {
  if (step.run != step_reduce_kernel) return false;
  const auto& fold = *static_cast<const Fold*>(step.record);
  return fold.sources.size() == 1 && fold.sources[0] == slot && fold.source_types[0]->kind == ScalarKind::f32 &&
         fold.view.inner == 1 && fold.view.n >= kernels::kLeastSummedProducts &&
         fold.reduce == kernels::reduce(kernels::Binary::addf, ScalarKind::f32);
}

class Joiner {
 public:
  Joiner(Plan& plan, std::vector<Step>& steps, OpNotes& notes)
      : plan_(plan), steps_(steps), notes_(notes), facts_(plan, notes) {}

  void run() {
    for (std::size_t at = 0; at < steps_.size(); ++at) {
      if (!is_product(steps_[at])) continue;
      const std::size_t sum = sum_of(at);
      if (sum != steps_.size()) join(at, sum);
    }
  }

 private:
  /// Whether the step may end the life of one of the product's factors.
  bool ends(const Step& step, const Step& product) const {
    const auto is_factor = [&](Slot slot) { return slot == product.operand[0] || slot == product.operand[1]; };
    for (std::size_t i = 0; i < step.operand_count; ++i) {
      if ((step.dies >> i & 1) != 0 && is_factor(step.operand[i])) return true;
    }
    const OpNote* note = facts_.note_of(step);
    if (note == nullptr) return false;
    for (std::size_t i = 0; i < note->reads.size(); ++i) {
      if (note->dies[i] && is_factor(note->reads[i])) return true;
    }
    return std::any_of(note->writes.begin(), note->writes.end(), is_factor);
  }

  /// The sum that alone reads the product, behind steps that leave its factors alone; the number of steps: none.
  std::size_t sum_of(std::size_t at) const {
    const Step& product = steps_[at];
    const OpNote* note = facts_.note_of(product);
    if (note == nullptr || note->op->result(0)->uses().size() != 1) return steps_.size();
    for (std::size_t next = at + 1; next < steps_.size(); ++next) {
      const OpNote* reader = facts_.note_of(steps_[next]);
      if (is_sum_of(steps_[next], product.result) && reader != nullptr)
        return reader->op->block() == note->op->block() ? next : steps_.size();
      if (!can_move(facts_, steps_[next]) || ends(steps_[next], product)) return steps_.size();
    }
    return steps_.size();
  }

  void join(std::size_t at, std::size_t sum) {
    const auto made = std::make_shared<SummedProducts>(SummedProducts{steps_[at], steps_[sum]});
    OpNote& note = notes_.at(steps_[sum].site);
    const OpNote& factors = notes_.at(steps_[at].site);
    note.reads = factors.reads;
    note.dies = factors.dies;
    steps_[sum].run = step_sum_products;
    steps_[sum].record = made.get();
    Step nothing;
    nothing.run = step_release;
    nothing.site = steps_[at].site;
    steps_[at] = nothing;
    plan_.records.push_back(made);
  }

  Plan& plan_;
  std::vector<Step>& steps_;
  OpNotes& notes_;
  GroupFacts facts_;
};

}  // namespace

const Step* step_sum_products(Machine& machine, const Step* step) {
  const auto& joined = *static_cast<const SummedProducts*>(step->record);
  const Tile &x = machine.slots[joined.product.operand[0]], &y = machine.slots[joined.product.operand[1]];
  if (!is_packed(x) || !is_packed(y)) {
    joined.product.run(machine, &joined.product);
    joined.sum.run(machine, &joined.sum);
    return step + 1;
  }
  static const kernels::SumProductsFn sum_products = kernels::sum_products();
  const auto& fold = *static_cast<const Fold*>(joined.sum.record);
  const Tile out = machine.allocate(*fold.result_types[0]);
  sum_products(reinterpret_cast<float*>(out.data()), floats_of(x), floats_of(y), fold.view.outer, fold.view.n);
  set_result(machine, fold.results[0], *fold.result_types[0], out);
  machine.release_dead(joined.product);
  return step + 1;
}

void join_summed_products(Plan& plan, std::vector<Step>& steps, OpNotes& notes) { Joiner(plan, steps, notes).run(); }

}  // namespace lockstep::interpreter
