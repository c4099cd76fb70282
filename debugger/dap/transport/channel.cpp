#include "debugger/dap/transport/channel.h"

#include "debugger/dap/transport/framing.h"

namespace lockstep::debugger::dap {

namespace {

constexpr std::size_t kMaxCommand = 200;

/// The id of every failure: clients show the text of the error, some only `message`.
constexpr int kErrorId = 1;

}  // namespace

Expected<Request, Rejected> parse_request(std::string_view message) {
  Request request;
  const auto reject = [&request](std::string problem) { return Unexpected{Rejected{request, std::move(problem)}}; };
  auto parsed = parse_json(message);
  if (!parsed) return reject(parsed.error());
  if (parsed->object() == nullptr) return reject("the message is not an object");
  const Json* seq = parsed->find("seq");
  if (seq == nullptr || seq->integer() == nullptr) return reject("'seq' is not an integer");
  request.seq = *seq->integer();
  const Json* type = parsed->find("type");
  if (type == nullptr || type->text() == nullptr || *type->text() != "request")
    return reject("the message is neither a request nor an expected answer");
  const Json* command = parsed->find("command");
  if (command == nullptr || command->text() == nullptr) return reject("'command' is not a text");
  if (command->text()->size() > kMaxCommand) return reject("'command' is too long");
  request.command = *command->text();
  const Json* arguments = parsed->find("arguments");
  if (arguments != nullptr && arguments->object() == nullptr && !arguments->is_null())
    return reject("'arguments' is not an object");
  if (arguments != nullptr) request.arguments = *arguments;
  return request;
}

void Channel::respond(const Request& request, Json body) {
  Json message = Json::record(
      {{"type", "response"}, {"request_seq", request.seq}, {"success", true}, {"command", request.command}});
  if (!body.is_null()) message.set("body", std::move(body));
  send(std::move(message));
}

void Channel::fail(const Request& request, const std::string& message, const std::string& kind) {
  Json error = Json::record({{"id", kErrorId}, {"format", message}, {"showUser", kind.empty()}});
  // `format` may name variables in braces; ours are texts of kernels.
  if (message.find('{') != std::string::npos) {
    error.set("format", "{text}");
    error.set("variables", Json::record({{"text", message}}));
  }
  send(Json::record({{"type", "response"},
                     {"request_seq", request.seq},
                     {"success", false},
                     {"command", request.command},
                     {"message", kind.empty() ? message : kind},
                     {"body", Json::record({{"error", std::move(error)}})}}));
}

void Channel::reject(const Rejected& rejected) {
  if (rejected.request.seq > 0) return fail(rejected.request, rejected.problem);
  event("output", Json::record({{"category", "important"}, {"output", "lockstep: " + rejected.problem + "\n"}}));
}

void Channel::event(const std::string& name, Json body) {
  Json message = Json::record({{"type", "event"}, {"event", name}});
  if (!body.is_null()) message.set("body", std::move(body));
  send(std::move(message));
}

bool Channel::is_broken() {
  const std::lock_guard lock(mutex_);
  return is_broken_;
}

void Channel::send(Json message) {
  const std::lock_guard lock(mutex_);
  if (is_broken_) return;
  Json numbered = Json::record({{"seq", next_seq_++}});
  for (const auto& [key, value] : *message.object()) numbered.set(key, value);
  if (!stream_.write(framed(numbered.dump()))) is_broken_ = true;
}

}  // namespace lockstep::debugger::dap
