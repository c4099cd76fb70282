#include "debugger/session/padding_text.h"

#include "debugger/expression/show.h"
#include "debugger/session/break_locations.h"

namespace lockstep::debugger {

std::string filling_text(const PaddingSource& source, const Scope& scope) {
  switch (source.kind) {
    case PaddingSource::Kind::nothing: return "a mask without other";
    case PaddingSource::Kind::block: return "beyond the tensor";
    case PaddingSource::Kind::other: break;
  }
  const Datum& value = source.value;
  std::string text = element_text(decode_tensor(value.kind, {}, value.bytes, value.provenance), 0, scope);
  if (text.ends_with('.')) text += '0';
  return "other=" + text;
}

std::string source_text(const PaddingSource& source, const Scope& scope) {
  return filling_text(source, scope) + " (" + place_text(source.load->place()) + ")";
}

std::string origins_text(const PaddingCounts& counts, const Scope& scope) {
  std::string text = std::to_string(counts.lanes) + (counts.lanes == 1 ? " lane:" : " lanes:");
  const char* between = " ";
  const auto add = [&](std::int64_t count, const std::string& what) {
    if (count == 0) return;
    text += between + std::to_string(count) + " " + what;
    between = ", ";
  };
  add(counts.loaded, "loaded");
  add(counts.lanes - counts.loaded - counts.padding(), "of no load");
  for (const PaddingCounts::Share& share : counts.shares) add(share.lanes, "from " + source_text(share.source, scope));
  return text;
}

}  // namespace lockstep::debugger
