// Opens the desktop's browser.
#pragma once

#include <string>

namespace lockstep::cli {

/// Asks the desktop to open the address; does nothing without a desktop, and the user has the printed address.
void open_browser(const std::string& address);

}  // namespace lockstep::cli
