// A progress line with the time left, on a terminal only and only when a launch takes longer than a second.
#pragma once

#include <string>

#include "interpreter/launch/launch.h"

namespace lockstep::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();  // erases the line
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void update(const interpreter::Progress& progress);

 private:
  bool is_terminal_;
  bool is_drawn_ = false;
};

/// "[#########---------------------]  30 %  547 of 1,823 programs, 2.4 s left".
std::string progress_text(const interpreter::Progress& progress);

}  // namespace lockstep::cli
