// Solvers: who is asked where the prover finds no proof, in this order: isl, if this build has it; z3, if there is one.
#pragma once

#include <memory>
#include <string>

#include "driver/proving/isl.h"
#include "driver/proving/z3.h"

namespace lockstep::driver {

class Solvers : public prove::Solver {
 public:
  Solvers() : isl_(find_isl()), z3_(find_z3()) {}
  prove::SolverReply ask(const prove::Question& question) override;
  std::string name() const override { return answered_; }

 private:
  std::unique_ptr<prove::Solver> isl_;
  Z3 z3_;
  std::string answered_;
};

}  // namespace lockstep::driver
