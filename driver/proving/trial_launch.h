// TrialLauncher: makes a launch of the contract from numbers, as words of `lockstep run`, and runs it. Not here: which
// numbers (trials.h, far_trials.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "driver/launch/launch_spec.h"
#include "driver/proving/asked.h"
#include "findings/report_file.h"
#include "prove/evaluate.h"

namespace lockstep::driver {

/// A finding, in words: it outlives the launch's module.
struct TrialFailure {
  std::string code, place, message;
  prove::Property property = prove::Property::bounds;
  ReportPlace where{};
};

struct Trial {
  std::vector<std::string> words;  // of `lockstep run`, after the target
  std::string grid;
  std::string only{};  // the programs that run; empty: all
  bool meets_conditions = false;
  bool has_run = false;
  std::vector<TrialFailure> failures{};  // of what is proved
};

/// A launch that meets all conditions but one, which it misses by the least that was found, and fails.
struct Boundary {
  std::optional<Trial> beyond;  // nullopt: none was found or run
  std::optional<Trial> contradiction{};  // a launch that meets all conditions and fails
  bool is_exact = false;        // all launches just beyond that were run fail, and those within are clean
};

class TrialLauncher {
 public:
  struct Making {
    prove::Integer most_elements;  // of a tensor
    bool values_differ = false;    // two programs that store one number do not race
  };

  TrialLauncher(const LaunchSpec& options, const Asked& asked, const prove::Statement& statement)
      : options_(options), asked_(asked), statement_(statement) {}
  /// nullopt: it has no numbers for something, or a tensor is too large.
  std::optional<Trial> make(const prove::Numbers& numbers, const Making& making) const;
  /// takes_all: a tensor whose size nobody said counts, too. looks_for: as --check has it. False: it did not run to its end.
  bool launch(Trial& trial, bool takes_all, const std::string& looks_for) const;
  bool meets(const std::vector<prove::Poly>& facts, const prove::Numbers& numbers) const;
  std::optional<prove::Integer> value(const prove::Poly& poly, const prove::Numbers& numbers) const {
    return prove::evaluate(poly, numbers, asked_.atoms);
  }

 private:
  std::optional<std::string> word_of(const AskedArgument& argument, const prove::Numbers& numbers, const Making& making) const;

  bool offsets_of_chunks(const std::string& name) const;
  std::optional<std::string> empty_word(const AskedArgument& argument, const prove::Output& output, const prove::Numbers& numbers) const;

  const LaunchSpec& options_;
  const Asked& asked_;
  const prove::Statement& statement_;
};

/// "lockstep run FILE.py::KERNEL --grid 2 n=65 ...".
std::string command_text(const LaunchSpec& options, const Trial& trial);

}  // namespace lockstep::driver
