#include "debugger/serve/admission.h"

#include <algorithm>
#include <array>
#include <random>

#include "debugger/dap/transport/stream.h"

namespace lockstep::debugger::serve {

namespace {

bool is_numeric_address(std::string_view host) {
  return !host.empty() && host.find_first_not_of("0123456789.:abcdefABCDEF") == std::string_view::npos &&
         (host.find(':') != std::string_view::npos || host.find_first_not_of("0123456789.") == std::string_view::npos);
}

}  // namespace

std::string make_token() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device source;  // the operating system's
  std::string token;
  for (int i = 0; i < 4; ++i) {
    std::uint32_t bits = source();
    for (int digit = 0; digit < 8; ++digit, bits >>= 4) token += kDigits[bits & 15];
  }
  return token;
}

bool is_same_token(std::string_view given, std::string_view token) {
  unsigned different = given.size() == token.size() ? 0 : 1;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const char one = i < given.size() ? given[i] : '\0';
    different |= static_cast<unsigned char>(one ^ token[i]);
  }
  return different == 0;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find_first_of("?#")); }

std::string_view value_in(std::string_view target, std::string_view name) {
  const std::size_t at = target.find('?');
  std::string_view query = at == std::string_view::npos ? std::string_view{} : target.substr(at + 1);
  while (!query.empty()) {
    const std::size_t end = query.find('&');
    const std::string_view word = query.substr(0, end);
    if (word.starts_with(name) && word.substr(name.size()).starts_with('=')) return word.substr(name.size() + 1);
    query = end == std::string_view::npos ? std::string_view{} : query.substr(end + 1);
  }
  return {};
}

std::string_view token_of(std::string_view target) { return value_in(target, "token"); }

bool Names::has_host(std::string_view header) const {
  // Without a port the port is 80, which a browser leaves out.
  const bool has_port = header.find(':') != std::string_view::npos && !header.ends_with(']');
  const auto at = dap::parse_host_port(has_port ? std::string(header) : std::string(header) + ":80");
  if (!at || at->port != port_) return false;
  constexpr std::array<std::string_view, 3> kLoopback{"127.0.0.1", "localhost", "::1"};
  if (std::find(kLoopback.begin(), kLoopback.end(), at->host) != kLoopback.end()) return true;
  if (host_.empty()) return false;
  const bool is_any = host_ == "0.0.0.0" || host_ == "::";
  return at->host == host_ || (is_any && is_numeric_address(at->host));
}

bool Names::is_own_origin(std::string_view origin, std::string_view host) {
  return origin.empty() || (origin.starts_with("http://") && origin.substr(7) == host);
}

}  // namespace lockstep::debugger::serve
