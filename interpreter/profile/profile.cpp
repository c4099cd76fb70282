#include "interpreter/profile/profile.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace lockstep::interpreter {

namespace {

/// Adds the rows; returns where each of them went.
std::vector<std::int32_t> join_rows(Profile& sum, const Profile& one) {
  using Key = std::tuple<std::string, ProfilePlace, std::string, ProfilePart>;
  const auto key = [](const ProfileRow& row) { return Key{row.op, row.place, row.function, row.part}; };
  std::map<Key, std::int32_t> known;
  for (std::size_t i = 0; i < sum.rows.size(); ++i) known.emplace(key(sum.rows[i]), static_cast<std::int32_t>(i));
  std::vector<std::int32_t> moved;
  for (const ProfileRow& row : one.rows) {
    const auto [at, is_new] = known.try_emplace(key(row), static_cast<std::int32_t>(sum.rows.size()));
    moved.push_back(at->second);
    if (is_new) {
      sum.rows.push_back(row);
      continue;
    }
    ProfileRow& into = sum.rows[static_cast<std::size_t>(at->second)];
    into.calls += row.calls;
    into.ns += row.ns;
    into.elements += row.elements;
    into.bytes_read += row.bytes_read;
    into.bytes_written += row.bytes_written;
    into.scattered += row.scattered;
    into.is_shared = into.is_shared || row.is_shared;
  }
  return moved;
}

void join_workers(Profile& sum, const Profile& one) {
  if (sum.workers.size() < one.workers.size()) sum.workers.resize(one.workers.size());
  for (std::size_t i = 0; i < one.workers.size(); ++i) {
    ProfileWorker& into = sum.workers[i];
    const ProfileWorker& from = one.workers[i];
    into.runs += from.runs;
    into.steps_ns += from.steps_ns;
    into.measuring_ns += from.measuring_ns;
    into.scheduling_ns += from.scheduling_ns;
    into.before_ns += from.before_ns;
    into.after_ns += from.after_ns;
  }
}

void join_advice(Profile& sum, const Profile& one) {
  for (const ProfileAdvice& advice : one.advice) {
    const bool is_known = std::any_of(sum.advice.begin(), sum.advice.end(), [&](const ProfileAdvice& known) {
      return known.place == advice.place && known.kind == advice.kind;
    });
    if (!is_known) sum.advice.push_back(advice);
  }
}

bool names(const std::string& list, const std::string& name) {
  return (", " + list + ", ").find(", " + name + ", ") != std::string::npos;
}

}  // namespace

void join_profile(Profile& sum, const Profile& one, std::size_t max_slices) {
  if (!names(sum.kernel, one.kernel)) sum.kernel += ", " + one.kernel;
  const std::vector<std::int32_t> moved = join_rows(sum, one);
  join_workers(sum, one);
  join_advice(sum, one);
  if (sum.slices.size() + one.slices.size() <= max_slices) {
    const auto shift = static_cast<double>(one.start_ns - sum.start_ns);
    for (ProfileSlice slice : one.slices) {
      slice.begin_ns += shift;
      slice.end_ns += shift;
      if (slice.row >= 0) slice.row = moved[static_cast<std::size_t>(slice.row)];
      sum.slices.push_back(slice);
    }
    sum.sampled_every = std::max(sum.sampled_every, one.sampled_every);
  }
  sum.launches += one.launches;
  sum.wall_ns += one.wall_ns;
  sum.thread_ns += one.thread_ns;
  sum.threads = std::max(sum.threads, one.threads);
  sum.programs += one.programs;
  sum.ns_per_measurement = one.ns_per_measurement;
}

}  // namespace lockstep::interpreter
