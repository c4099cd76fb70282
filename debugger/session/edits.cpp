#include "debugger/session/edits.h"

#include <algorithm>
#include <vector>

#include "debugger/session/program_text.h"
#include "debugger/session/summary.h"

namespace lockstep::debugger {

namespace {

/// Bytes for the elements of the place: a value for each, or one for all.
Expected<std::string, std::string> bytes_for(const Tensor& value, ScalarKind kind, std::int64_t elements) {
  auto bytes = encode_tensor(value, kind);
  if (!bytes) return bytes;
  if (value.count() == elements) return bytes;
  if (value.count() != 1)
    return Unexpected{std::to_string(value.count()) + " values for " + std::to_string(elements) + " elements"};
  std::string all;
  for (std::int64_t i = 0; i < elements; ++i) all += *bytes;
  return all;
}

void walk_window(const MemoryWindow& window, std::size_t dimension, std::uint64_t address,
                 std::vector<std::uint64_t>& addresses) {
  if (dimension == window.shape.size()) {
    addresses.push_back(address);
    return;
  }
  for (std::int64_t i = 0; i < window.shape[dimension]; ++i) {
    const std::int64_t offset = i * window.strides[dimension] * size_bytes(window.kind);
    walk_window(window, dimension + 1, address + static_cast<std::uint64_t>(offset), addresses);
  }
}

Expected<void, Problem> change_memory(Session& session, const std::vector<Engine::MemoryEdit>& edits) {
  for (const Engine::MemoryEdit& edit : edits) {
    const bool is_fixed =
        std::any_of(session.setup().read_only.begin(), session.setup().read_only.end(), [&](const ByteRange& range) {
          return edit.address < range.end && range.begin < edit.address + edit.bytes.size();
        });
    if (is_fixed) return Unexpected{Problem{"the program's array is read-only", "pass a copy of it to the kernel"}};
  }
  session.engine().set_memory(edits);
  return {};
}

Expected<void, Problem> set_window(Session& session, const MemoryWindow& window, const Tensor& value) {
  const auto bytes = bytes_for(value, window.kind, window.count());
  if (!bytes) return Unexpected{Problem{bytes.error(), ""}};
  std::vector<std::uint64_t> addresses;
  walk_window(window, 0, window.base, addresses);
  const auto size = static_cast<std::size_t>(size_bytes(window.kind));
  std::vector<Engine::MemoryEdit> edits;
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    const std::string element = bytes->substr(i * size, size);
    if (!edits.empty() && edits.back().address + edits.back().bytes.size() == addresses[i]) {
      edits.back().bytes += element;
    } else {
      edits.push_back({addresses[i], element});
    }
  }
  return change_memory(session, edits);
}

Expected<void, Problem> set_variable(Session& session, const Target& target, const Tensor& value) {
  const auto variable = target.variable.starts_with('%') ? session.frame().find_ssa(target.variable)
                                                         : session.frame().find(target.variable);
  if (!variable) return Unexpected{Problem{"'" + target.variable + "' cannot be set", "the kernel does not keep it"}};
  Datum datum = read(session.engine(), variable->slot);
  const auto bytes = bytes_for(value, datum.kind, static_cast<std::int64_t>(target.elements.size()));
  if (!bytes) return Unexpected{Problem{bytes.error(), ""}};
  const auto size = static_cast<std::size_t>(size_bytes(datum.kind));
  for (std::size_t i = 0; i < target.elements.size(); ++i) {
    datum.bytes.replace(static_cast<std::size_t>(target.elements[i]) * size, size, *bytes, i * size, size);
  }
  session.engine().set_value(variable->slot, datum.bytes);
  return {};
}

}  // namespace

Expected<std::string, Problem> assign_text(Session& session, std::string_view target, std::string_view expression) {
  if (session.engine().point() == nullptr)
    return Unexpected{Problem{"the launch has ended", "go back with `rs` or `rc`"}};
  const auto place = parse_expression(target);
  if (!place) return Unexpected{problem_with("set", target, place.error())};
  const auto resolved = resolve_target(*place, session.scope());
  if (!resolved) return Unexpected{problem_with("set", target, resolved.error())};
  const auto value = evaluate(expression, session.scope());
  if (!value) return Unexpected{problem_with("set", expression, value.error())};
  const auto tensor = tensor_of(*value, session.scope());
  if (!tensor) return Unexpected{Problem{tensor.error(), ""}};
  const auto done =
      resolved->is_memory ? set_window(session, resolved->window, *tensor) : set_variable(session, *resolved, *tensor);
  if (!done) return Unexpected{done.error()};
  const auto now = evaluate(target, session.scope());
  return resolved->text + " = " + (now ? brief_text(*now, session.scope()) : "?");
}

Expected<void, Problem> write_bytes(Session& session, std::uint64_t address, const std::string& bytes) {
  if (session.engine().point() == nullptr)
    return Unexpected{Problem{"the launch has ended", "go back with `rs` or `rc`"}};
  const auto storage = session.engine().memory().find_storage(address);
  if (!storage || bytes.size() > session.engine().memory().storage(*storage).extent.end - address)
    return Unexpected{Problem{"these bytes do not lie in one argument", ""}};
  return change_memory(session, {{address, bytes}});
}

}  // namespace lockstep::debugger
