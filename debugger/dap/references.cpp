#include "debugger/dap/references.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::int64_t kHighest = 1'000'000'000;  // clients may hold numbers in 32 bits

template <typename Entries>
void forget(std::int64_t& first, Entries& entries) {
  first += static_cast<std::int64_t>(entries.size());
  if (first > kHighest) first = 1;
  entries.clear();
}

template <typename Entries, typename Entry>
std::int64_t append(std::int64_t first, Entries& entries, Entry entry) {
  if (entries.size() >= References::kMost) return 0;
  entries.push_back(std::move(entry));
  return first + static_cast<std::int64_t>(entries.size()) - 1;
}

template <typename Entries>
auto entry(std::int64_t first, const Entries& entries, std::int64_t number) -> decltype(&entries.front()) {
  const std::int64_t at = number - first;
  return number >= first && at < static_cast<std::int64_t>(entries.size()) ? &entries[static_cast<std::size_t>(at)]
                                                                           : nullptr;
}

}  // namespace

void References::clear() {
  forget(first_frame_, frames_);
  forget(first_container_, containers_);
}

std::int64_t References::add(FrameReference frame) { return append(first_frame_, frames_, frame); }
std::int64_t References::add(Container container) {
  return append(first_container_, containers_, std::move(container));
}

const FrameReference* References::frame(std::int64_t number) const { return entry(first_frame_, frames_, number); }
const Container* References::container(std::int64_t number) const {
  return entry(first_container_, containers_, number);
}

}  // namespace lockstep::debugger::dap
