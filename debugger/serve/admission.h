// Admission: whether a request may be answered: its host, its origin, its token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::debugger::serve {

/// 32 random hexadecimal digits.
std::string make_token();
/// Takes the same time for any number of equal characters.
bool is_same_token(std::string_view given, std::string_view token);
/// The value of `token` in the query of "/dap?token=...&x=y"; empty: none.
std::string_view token_of(std::string_view target);
/// The value of `name` in the query; empty: none.
std::string_view value_in(std::string_view target, std::string_view name);
/// "/js/main.js" of "/js/main.js?x".
std::string_view path_of(std::string_view target);

/// The names of this server: loopback addresses, and the host that it listens on.
class Names {
 public:
  /// `host`: the server's given host; empty: loopback only.
  Names(std::string host, std::uint16_t port) : host_(std::move(host)), port_(port) {}
  /// The Host header: "localhost:4711". A server that listens on all addresses accepts every number, and no other name.
  bool has_host(std::string_view header) const;
  /// The Origin header: empty (not from a browser), or "http://" and the same host.
  static bool is_own_origin(std::string_view origin, std::string_view host);

 private:
  std::string host_;
  std::uint16_t port_;
};

}  // namespace lockstep::debugger::serve
