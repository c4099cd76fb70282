// Profile of a launch: the time of each op of each source line, the workers' other time, and (on request) a record of
// single steps for a trace. Invariant: the rows' time, the time spent on measuring, and the workers' time outside of
// steps add up to the launch's wall time times its threads (up to rounding). It holds texts only, so it may outlive the
// module. Not here: measuring (profiler.h), showing (profile_text.h). Units: nanoseconds, bytes.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

namespace lockstep::interpreter {

/// prologue: once per worker, before its first program. batch: in a batch of programs.
enum class ProfilePart : std::uint8_t { prologue, program, batch };

struct ProfilePlace {
  std::string file;
  std::uint32_t line = 0, column = 0;  // 1-based; 0: unknown
  friend bool operator==(const ProfilePlace&, const ProfilePlace&) = default;
  friend bool operator<(const ProfilePlace& a, const ProfilePlace& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  }
};

/// One op at one place.
struct ProfileRow {
  std::string op;        // "tt.load"
  ProfilePlace place;    // of the user's line: where a library function was called
  std::string function;  // the library function that the op is a part of, "standard.py:42"; mostly empty
  ProfilePart part = ProfilePart::program;
  std::uint64_t calls = 0;
  double ns = 0;               // by all workers, without what measuring it cost
  std::uint64_t elements = 0;  // of the largest tile that each call looks at
  std::uint64_t bytes_read = 0, bytes_written = 0;
  std::uint64_t scattered = 0;  // calls whose addresses were separate pointers
  bool is_shared = false;       // measured together with other ops, its share estimated
};

/// A worker's use of the launch's time. The sum of the five is the launch's wall time.
struct ProfileWorker {
  std::uint64_t runs = 0;    // of a program, or of a batch as a whole
  double steps_ns = 0;       // in the rows
  double measuring_ns = 0;   // what the profile itself took
  double scheduling_ns = 0;  // from arrival to its last program, not in steps
  double before_ns = 0;      // until it arrived
  double after_ns = 0;       // from its last program to the launch's end
};

/// A known cost in time, and its place.
struct ProfileAdvice {
  enum class Kind : std::uint8_t { order, batches, scattered, plan } kind = Kind::plan;
  ProfilePlace place;
  std::string text;
};

/// A slice of a worker's time: a step (`row` is its index in Profile::rows) or, with row -1, a run of programs.
struct ProfileSlice {
  double begin_ns = 0, end_ns = 0;  // since the launch's start
  std::int32_t row = -1;
  std::uint32_t worker = 0;
  std::uint64_t first_program = 0, last_program = 0;
  bool is_whole = true;  // of a run: it holds all its steps as slices
};

struct Profile {
  std::string kernel;          // of joined profiles: their names
  std::uint64_t launches = 1;  // more where profiles were joined
  std::int64_t start_ns = 0;   // of the steady clock
  double wall_ns = 0;          // of all launches together
  double thread_ns = 0;        // wall time times threads
  unsigned threads = 1;        // that the launch might use; those that did not come are no workers
  std::uint64_t programs = 0;
  double ns_per_measurement = 0;  // what measuring a step costs, and is subtracted from it
  std::vector<ProfileRow> rows;   // by time, most first
  std::vector<ProfileWorker> workers;
  std::vector<ProfileAdvice> advice;
  std::vector<ProfileSlice> slices;  // by worker and begin, a run before its steps
  std::uint64_t sampled_every = 1;   // programs whose steps are among the slices: one of so many
};

/// Adds another launch's profile, of the same kernel or of another one; drops slices beyond `max_slices`.
void join_profile(Profile& sum, const Profile& one, std::size_t max_slices);

}  // namespace lockstep::interpreter
