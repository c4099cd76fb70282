#include "cli/listings/open_browser.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace lockstep::cli {

void open_browser(const std::string& address) {
#ifdef __APPLE__
  const std::string program = "open";
#else
  const char* chosen = std::getenv("BROWSER");
  const std::string program = chosen != nullptr && *chosen != '\0' ? chosen : "xdg-open";
#endif
  const pid_t child = fork();
  if (child != 0) return;
  // A browser's own messages do not belong on this terminal.
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    for (const int one : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, one);
  }
  // Nor are the server's port and files: a browser that stays would keep them.
  const long most = std::min(sysconf(_SC_OPEN_MAX), 1L << 16);
  for (int one = STDERR_FILENO + 1; one < most; ++one) close(one);
  setsid();
  execlp(program.c_str(), program.c_str(), address.c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

}  // namespace lockstep::cli
