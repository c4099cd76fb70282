// Admission: whether a request may be answered: its host, its origin, its token.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep::debugger::serve {

/// 32 hexadecimal digits that nobody can guess.
std::string make_token();
/// Takes the same time however many characters agree.
bool is_same_token(std::string_view given, std::string_view token);
/// The value of `token` in the query of "/dap?token=...&x=y"; empty: none.
std::string_view token_of(std::string_view target);
/// The value of `name` there; empty: none.
std::string_view value_in(std::string_view target, std::string_view name);
/// "/js/main.js" of "/js/main.js?x".
std::string_view path_of(std::string_view target);

/// The names under which this server may be asked: of loopback addresses, and the one that it was told to listen on.
class Names {
 public:
  /// `host`: as the server was given it; empty: loopback only.
  Names(std::string host, std::uint16_t port) : host_(std::move(host)), port_(port) {}
  /// The Host header: "localhost:4711". A server that listens on all addresses takes every number, no other name.
  bool has_host(std::string_view header) const;
  /// The Origin header: empty (no browser sent it), or "http://" and the same host.
  static bool is_own_origin(std::string_view origin, std::string_view host);

 private:
  std::string host_;
  std::uint16_t port_;
};

}  // namespace lockstep::debugger::serve
