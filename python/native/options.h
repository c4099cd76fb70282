// The process-wide options of launches from Python (set_options). Invariant: replaced as a whole, under the
// interpreter's lock; a launch reads them once at its start. Callbacks may be null.
#pragma once

#include <Python.h>

#include <cstdint>

#include "interpreter/launch/launch.h"
#include "python/native/reference.h"
#include "python/native/silencing.h"
#include "sanitizer/core/check_options.h"

namespace lockstep::python {

struct Options {
  unsigned threads = 0;
  interpreter::Reach reach = interpreter::Reach::storage;
  interpreter::Limits limits;
  bool rollback = false;
  interpreter::ProfileRequest profiling;
  bool covers = false;  // ReportData::code
  bool is_real = false;  // ReportData::real
  bool bits = false;    // of kernels that are loaded from now on
  sanitizer::CheckOptions checks;
  std::uint64_t resident = 0;              // programs that have room at once; 0: any number, or as checks.gpu has
  std::shared_ptr<BaselineFile> baseline;  // null: none
  Reference progress, print, on_every_report, all_storages;
};

/// The options in force; valid until the next set_options().
Options& options();

}  // namespace lockstep::python
