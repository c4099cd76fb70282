// Status: the environment lacks something (LS3xxx) or a usage error (LS2xxx): one line and what to do. Travels in
// Expected.
#pragma once

#include <string>

namespace lockstep {

struct Status {
  std::string code;     // "LS3001"
  std::string message;  // one sentence
  std::string hint;     // what to do; may be empty
};

}  // namespace lockstep
