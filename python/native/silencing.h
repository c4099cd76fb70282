// Which findings of launches from Python do not count: those that a comment in the source or a baseline names
// (findings/silence.h), and the baseline's growth where new ones are added to it. Invariant: what is silenced stays in
// the report, apart. Used under the interpreter's lock.
#pragma once

#include <Python.h>

#include <memory>
#include <string>

#include "findings/silence.h"
#include "python/native/kernel_data.h"

namespace lockstep::python {

/// A baseline that was read, and the file that findings which it lacks are added to.
class BaselineFile {
 public:
  BaselineFile(std::string path, Baseline known, bool grows)
      : path_(std::move(path)), known_(std::move(known)), grows_(grows) {}

  const Baseline& known() const { return known_; }
  /// Findings that nothing silences are now known, if the baseline grows. False: a Python exception is set (OSError).
  bool add_new(const std::string& kernel, std::vector<ReportedFinding>& findings);

 private:
  std::string path_;
  Baseline known_;
  bool grows_ = false;
};

/// Moves what is silenced from the report's findings to data.silenced. False: a Python exception is set.
bool silence_findings(ReportData& data, BaselineFile* baseline);

}  // namespace lockstep::python
