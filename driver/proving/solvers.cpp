#include "driver/proving/solvers.h"

namespace lockstep::driver {

using prove::SolverReply;

SolverReply Solvers::ask(const prove::Question& question) {
  std::string note;
  if (isl_ != nullptr) {
    SolverReply reply = isl_->ask(question);
    answered_ = isl_->name();
    if (reply.kind != SolverReply::Kind::unknown) return reply;
    note = reply.note + "; ";
  }
  SolverReply reply = z3_.ask(question);
  answered_ = z3_.name();
  reply.note = note + reply.note;
  return reply;
}

}  // namespace lockstep::driver
