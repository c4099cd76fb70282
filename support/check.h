// Always-on invariants. A failed check is a defect of Lockstep itself: it throws InternalError, which only main(), the
// DAP loop and the Python boundary catch (exit code 70). No input of a user may cause one.
#pragma once

#include <stdexcept>
#include <string>

namespace lockstep {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] void fail_check(const char* file, int line, const char* condition, const std::string& message);

}  // namespace lockstep

#define LOCKSTEP_CHECK(condition, message)                               \
  do {                                                                   \
    if (!(condition)) [[unlikely]]                                       \
      ::lockstep::fail_check(__FILE__, __LINE__, #condition, (message)); \
  } while (false)
