#include "debugger/terminal/memory_text.h"

#include "debugger/expression/show.h"

namespace lockstep::debugger {

namespace {

/// The view of an argument that contains the bytes; null: none.
const memory_model::View* view_at(const memory_model::AddressSpace& memory, std::uint64_t address) {
  const auto storage = memory.find_storage(address);
  if (!storage) return nullptr;
  for (const memory_model::ViewId id : memory.views_of(*storage)) {
    const memory_model::View& view = memory.view(id);
    if (view.extent.begin <= address && address < view.extent.end) return &view;
  }
  return nullptr;
}

std::string element_name(const memory_model::View& view, std::uint64_t address) {
  const auto slot =
      (static_cast<std::int64_t>(address) - static_cast<std::int64_t>(view.base)) / size_bytes(view.element);
  const auto index = memory_model::find_index(view.shape, view.strides, slot);
  return view.name + (index ? index_text(*index) : "[...]");
}

}  // namespace

std::string number_text(ScalarKind kind, const std::string& bytes, const Scope& scope) {
  if (bytes.size() != static_cast<std::size_t>(size_bytes(kind))) return "?";
  return element_text(decode_tensor(kind, {}, bytes), 0, scope);
}

std::string element_text_at(const Session& session, std::uint64_t address) {
  const memory_model::View* view = view_at(session.engine().memory(), address);
  return view == nullptr ? "memory of no argument" : element_name(*view, address);
}

std::string range_at(const Session& session, ByteRange range) {
  const memory_model::View* view = view_at(session.engine().memory(), range.begin);
  if (view == nullptr) return std::to_string(range.end - range.begin) + " bytes of no argument";
  const std::string first = element_name(*view, range.begin);
  const std::string last = element_name(*view, range.end - static_cast<std::uint64_t>(size_bytes(view->element)));
  return first == last ? first : first + " to " + last;
}

std::string value_at(const Session& session, std::uint64_t address, const std::string& bytes) {
  const memory_model::View* view = view_at(session.engine().memory(), address);
  return view == nullptr ? "?" : number_text(view->element, bytes, session.scope());
}

}  // namespace lockstep::debugger
