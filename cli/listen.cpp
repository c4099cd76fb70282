#include "cli/listen.h"

namespace lockstep::cli {

Expected<debugger::dap::HostPort, Status> parse_listen(const std::string& text, const std::string& example) {
  const auto at = debugger::dap::parse_host_port(text);
  if (at) return *at;
  return Unexpected{Status{"LS2202", "'--listen " + text + "' is not [HOST:]PORT", "for example " + example}};
}

}  // namespace lockstep::cli
