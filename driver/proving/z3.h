// Z3: z3 as a child process, spoken to in SMT-LIB 2 over a socket: never linked, started when it is first asked, ended with
// this object. Its effort is counted (rlimit), so the same version answers the same everywhere. Its answers are not
// trusted beyond `unsat`: an answer that is late, too long or none of the three words ends the child, and it is not asked again.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "prove/outside/solver.h"

namespace lockstep::driver {

/// LOCKSTEP_Z3, else a z3 on PATH, else one beside the Python that LOCKSTEP_PYTHON names. Empty: there is none, or
/// LOCKSTEP_Z3=off.
std::string find_z3();

class Z3 : public prove::Solver {
 public:
  struct Limits {
    std::size_t steps = 3'000'000;  // rlimit of a question
    std::size_t questions = 60;     // of a kernel
    std::size_t unknown = 4;        // of them that took all steps
    int milliseconds = 20'000;      // of an answer, as a net
    std::size_t question = 400'000, answer = 1 << 16;  // bytes
  };
  /// path: of the program; empty: every answer is that there is none.
  explicit Z3(std::string path) : Z3(std::move(path), Limits()) {}
  Z3(std::string path, Limits limits) : path_(std::move(path)), limits_(limits) {}
  ~Z3() override { end(); }
  Z3(const Z3&) = delete;
  Z3& operator=(const Z3&) = delete;

  prove::SolverReply ask(const prove::Question& question) override;
  std::string name() const override { return version_.empty() ? "z3" : "z3 " + version_; }
  std::size_t steps_of_a_question() const { return limits_.steps; }

 private:
  bool start();
  void end();
  /// Sends `text` and reads up to the line that ends its answer. False: `failure_` says why, and the child is ended.
  bool talk(const std::string& text, std::string& answer);
  bool exchange(const std::string& text, std::string& answer);
  bool fail(const std::string& why);

  std::string path_;
  Limits limits_;
  std::string version_, failure_;
  std::size_t asked_ = 0, unknown_ = 0;
  int socket_ = -1;
  long child_ = -1;
};

}  // namespace lockstep::driver
