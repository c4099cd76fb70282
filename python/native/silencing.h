// Which findings of launches from Python do not count: those that a comment in the source or a baseline names
// (findings/silence.h), and the baseline's growth where new ones are added to it. Invariant: silenced findings stay in
// the report, in a list of their own. Used under the interpreter's lock.
#pragma once

#include <Python.h>

#include <memory>
#include <string>

#include "findings/silence.h"
#include "python/native/kernel_data.h"

namespace lockstep::python {

/// A baseline, and the file to which new findings are added.
class BaselineFile {
 public:
  BaselineFile(std::string path, Baseline known, bool grows)
      : path_(std::move(path)), known_(std::move(known)), grows_(grows) {}

  const Baseline& known() const { return known_; }
  /// Adds findings that nothing silences to the baseline, if it may grow. False: a Python exception is set (OSError).
  bool add_new(const std::string& kernel, std::vector<ReportedFinding>& findings);

 private:
  std::string path_;
  Baseline known_;
  bool grows_ = false;
};

/// Moves silenced findings from the report's list to data.silenced. False: a Python exception is set.
bool silence_findings(ReportData& data, BaselineFile* baseline);

}  // namespace lockstep::python
