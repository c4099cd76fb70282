// The browser of whoever sits at this machine.
#pragma once

#include <string>

namespace lockstep::cli {

/// Asks the desktop to open the address; where there is none, nothing happens, and the printed address is left.
void open_browser(const std::string& address);

}  // namespace lockstep::cli
