#include "driver/proving/z3.h"

#include <cctype>
#include <cstdlib>
#include <sstream>
#include <utility>

#ifndef __EMSCRIPTEN__
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>

extern char** environ;
#endif

namespace lockstep::driver {
namespace {

using prove::SolverReply;

std::string question_text(const std::string& declarations, std::size_t steps) {
  return "(reset)\n(set-option :print-success false)\n(set-option :rlimit " + std::to_string(steps) + ")\n" + declarations + "(check-sat)\n";
}

/// After `sat`: small numbers make a launch that can be run.
std::string request_text(const std::vector<std::string>& wanted) {
  std::string text;
  for (const std::string& name : wanted) text += "(assert (<= " + name + " 64))\n";
  text += "(check-sat)\n(get-value (";
  for (const std::string& name : wanted) text += name + " ";
  return text + "))\n";
}

/// ((v0 5) (v3 (- 7))): a number for each name, in their order; else nothing.
std::vector<prove::Integer> read_values(const std::string& text, const std::vector<std::string>& wanted) {
  std::string words;
  for (const char letter : text) words += letter == '(' || letter == ')' ? ' ' : letter;
  std::istringstream in(words);
  std::vector<prove::Integer> values;
  constexpr std::size_t kMostDigits = 30;
  for (const std::string& name : wanted) {
    std::string found, number;
    in >> found >> number;
    const bool is_negative = number == "-";
    if (is_negative) in >> number;
    bool is_number = found == name && !number.empty() && number.size() <= kMostDigits;
    for (const char digit : number) is_number = is_number && std::isdigit(static_cast<unsigned char>(digit)) != 0;
    if (!is_number) return {};
    values.emplace_back(number);
    if (is_negative) values.back() = -values.back();
  }
  return values;
}

#ifndef __EMSCRIPTEN__

constexpr const char* kEnd = "lockstep-end";

bool is_program(const std::string& path) { return access(path.c_str(), X_OK) == 0; }

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "" : path.substr(0, slash + 1);
}

#endif

}  // namespace

SolverReply Z3::ask(const prove::Question& question) {
  SolverReply reply;
  if (path_.empty()) return reply.kind = SolverReply::Kind::absent, reply.note = "z3 was not found", reply;
  if (failure_.empty() && (asked_ >= limits_.questions || unknown_ >= limits_.unknown)) return reply.note = name() + " was asked often enough", reply;
  const std::string declarations = prove::smt_text(question);
  if (declarations.size() > limits_.question) return reply.note = "the question is too large for it", reply;
  ++asked_;
  std::vector<std::string> wanted;
  for (const prove::AtomId id : question.numbers) wanted.push_back(prove::letter_name(question, id));
  std::string answer;
  if (!failure_.empty() || !talk(question_text(declarations, limits_.steps), answer)) return reply.note = failure_, reply;
  if (answer == "unsat\n") {
    reply.kind = SolverReply::Kind::impossible;
  } else if (answer == "sat\n") {
    reply.kind = SolverReply::Kind::possible;
    std::string values;
    if (!wanted.empty() && exchange(request_text(wanted), values) && values.starts_with("sat\n"))
      reply.values = read_values(values.substr(4), wanted);
  } else if (answer == "unknown\n") {
    ++unknown_;
    reply.note = name() + " does not know within " + std::to_string(limits_.steps) + " steps";
  } else {
    fail("z3 gives no answer that makes sense");
    reply.note = failure_;
  }
  return reply;
}

bool Z3::fail(const std::string& why) {
  failure_ = why;
  end();
  return false;
}

bool Z3::talk(const std::string& text, std::string& answer) {
  if (child_ < 0) {
    std::string told;
    if (!start() || !exchange("(get-info :version)\n", told)) return false;
    for (const char letter : told) version_ += std::isdigit(static_cast<unsigned char>(letter)) != 0 || letter == '.' ? std::string(1, letter) : "";
    constexpr std::size_t kLongestVersion = 24;
    if (version_.empty() || version_.size() > kLongestVersion) return version_.clear(), fail("z3 gives no answer that makes sense");
  }
  return exchange(text, answer);
}

#ifdef __EMSCRIPTEN__

std::string find_z3() { return {}; }
bool Z3::start() { return fail("no process can be started here"); }
void Z3::end() { socket_ = -1; }
bool Z3::exchange(const std::string& /*text*/, std::string& /*answer*/) { return false; }

#else

std::string find_z3() {
  if (const char* given = std::getenv("LOCKSTEP_Z3"); given != nullptr && *given != '\0') return std::string(given) == "off" ? "" : given;
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (!folder.empty() && is_program(folder + "/z3")) return folder + "/z3";
  }
  const char* python = std::getenv("LOCKSTEP_PYTHON");
  const std::string beside = python == nullptr ? "" : folder_of(python);
  return !beside.empty() && is_program(beside + "z3") ? beside + "z3" : "";
}

bool Z3::start() {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) return fail("z3 could not be started");
  for (const int one : ends) fcntl(one, F_SETFD, FD_CLOEXEC);
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);  // what it starts ends with it
  std::array<std::string, 4> words{path_, "-smt2", "-in", "-memory:2048"};
  std::array<char*, 5> arguments{words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t child = -1;
  const int problem = posix_spawnp(&child, path_.c_str(), &actions, &attributes, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close(ends[1]);
  socket_ = ends[0];
  if (problem != 0) return fail("z3 could not be started: " + path_);
  child_ = child;
  return true;
}

void Z3::end() {
  if (socket_ >= 0) close(socket_);
  socket_ = -1;
  if (child_ < 0) return;
  kill(static_cast<pid_t>(-child_), SIGKILL);
  waitpid(static_cast<pid_t>(child_), nullptr, 0);
  child_ = -1;
}

// Reads while it writes: a child that answers before it has read all would else wait for ever.
bool Z3::exchange(const std::string& text, std::string& answer) {
#ifdef MSG_NOSIGNAL
  constexpr int kFlags = MSG_NOSIGNAL;
#else
  constexpr int kFlags = 0;
#endif
  const std::string all = text + "(echo \"" + kEnd + "\")\n", mark = std::string(kEnd) + "\n";
  const auto latest = std::chrono::steady_clock::now() + std::chrono::milliseconds(limits_.milliseconds);
  std::size_t sent = 0;
  while (!answer.ends_with(mark)) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(latest - std::chrono::steady_clock::now()).count();
    if (left <= 0) return fail(name() + " was stopped after " + std::to_string(limits_.milliseconds / 1000) + " s");
    pollfd wait{socket_, static_cast<short>(POLLIN | (sent < all.size() ? POLLOUT : 0)), 0};
    if (poll(&wait, 1, static_cast<int>(left)) < 0 && errno != EINTR) return fail("z3 could not be asked");
    if ((wait.revents & POLLOUT) != 0) {
      const ssize_t count = send(socket_, all.data() + sent, all.size() - sent, kFlags);
      if (count < 0 && errno != EAGAIN && errno != EINTR) return fail("z3 ended before it answered");
      if (count > 0) sent += static_cast<std::size_t>(count);
    }
    if ((wait.revents & (POLLIN | POLLHUP | POLLERR)) == 0) continue;
    std::array<char, 4096> part{};
    const ssize_t count = recv(socket_, part.data(), part.size(), 0);
    if (count == 0 || (count < 0 && errno != EAGAIN && errno != EINTR)) return fail("z3 ended before it answered");
    if (count > 0) answer.append(part.data(), static_cast<std::size_t>(count));
    if (answer.size() > limits_.answer) return fail("z3 gives no answer that makes sense");
  }
  answer.resize(answer.size() - mark.size());
  return true;
}

#endif

}  // namespace lockstep::driver
