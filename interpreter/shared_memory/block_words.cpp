#include "interpreter/shared_memory/block_words.h"

#include "interpreter/shared_memory/storage.h"

namespace lockstep::interpreter {

namespace {

class Words {
 public:
  explicit Words(const Plan& plan) : plan_(plan) {}

  void add(std::uint64_t word) { words_.push_back(word); }
  void add(const View& view) {
    for (const std::uint32_t word : {view.storage, view.start, view.base}) add(std::uint64_t{word});
  }
  void add(const TouchSet& set) {
    for (const std::uint64_t word : set.words) add(word);
  }
  void add(const Sight& sight) {
    add(sight.seen);
    add(sight.fenced);
  }
  void add(const Step* step) {
    add(step == nullptr ? ~std::uint64_t{0} : static_cast<std::uint64_t>(step - plan_.steps.data()));
  }
  void add(const WarpGroup& group) {
    add(static_cast<std::uint64_t>(group.state));
    for (const std::uint64_t number : group.filling) add(number);
    if (group.state == WarpGroup::State::idle || group.state == WarpGroup::State::ended) return;
    add(group.next);
    if (group.state != WarpGroup::State::waiting) return;
    add(group.barrier);
    for (const std::uint64_t word : {std::uint64_t{group.site}, group.parity, group.since}) add(word);
  }
  void add(const Barrier& barrier) {
    for (const std::uint64_t word : {std::uint64_t{barrier.storage}, std::uint64_t{barrier.byte}, barrier.phase,
                                     static_cast<std::uint64_t>(barrier.count),
                                     static_cast<std::uint64_t>(barrier.pending),
                                     static_cast<std::uint64_t>(barrier.bytes),
                                     static_cast<std::uint64_t>(barrier.expected), barrier.arrivals})
      add(word);
    add(barrier.coming);
    add(barrier.done);
    for (const std::uint32_t passed : barrier.passed) add(std::uint64_t{passed});
  }
  void add(const Flight& flight) {
    add(flight.step);
    for (const std::uint64_t word : {static_cast<std::uint64_t>(flight.queue), std::uint64_t{flight.group},
                                     flight.number, flight.order})
      add(word);
    for (const View& view : flight.views) add(view);
    add(flight.barrier);
    for (const std::uint64_t number : flight.numbers) add(number);
    add(flight.behind);
    add(flight.own);
  }
  void add(const Touch& touch) {
    add(touch.view);
    for (const std::uint64_t word :
         {std::uint64_t{touch.is_write}, std::uint64_t{touch.is_proxied}, std::uint64_t{touch.needs_fence},
          std::uint64_t{touch.group}, static_cast<std::uint64_t>(touch.queue), std::uint64_t{touch.site},
          static_cast<std::uint64_t>(touch.begin), static_cast<std::uint64_t>(touch.end), touch.number, touch.order,
          std::uint64_t{touch.barrier}, std::uint64_t{touch.barrier_byte}, std::uint64_t{touch.seen},
          std::uint64_t{touch.fenced}})
      add(word);
  }
  std::vector<std::uint64_t> take() { return std::move(words_); }

 private:
  const Plan& plan_;
  std::vector<std::uint64_t> words_;
};

}  // namespace

std::vector<std::uint64_t> state_words(const BlockState& state, const Plan& plan) {
  Words words(plan);
  for (const std::uint64_t word : {std::uint64_t{state.group_count}, std::uint64_t{state.current},
                                   std::uint64_t{state.barrier_count}, std::uint64_t{state.flight_count},
                                   std::uint64_t{state.touch_count}, state.order, state.clock, state.random,
                                   state.events})
    words.add(word);
  for (std::uint32_t i = 0; i < state.group_count; ++i) words.add(state.groups[i]);
  for (std::uint32_t i = 0; i < state.barrier_count; ++i) words.add(state.barriers[i]);
  for (std::size_t i = 0; i < kMostFlights; ++i) {
    if (state.flights[i].kind == nullptr) continue;
    words.add(std::uint64_t{i});
    words.add(state.flights[i]);
  }
  for (std::size_t i = 0; i < state.touch_count; ++i) {
    if (!state.touches[i].is_used) continue;
    words.add(std::uint64_t{i});
    words.add(state.touches[i]);
  }
  return words.take();
}

}  // namespace lockstep::interpreter
