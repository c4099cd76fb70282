#include "support/location.h"

namespace lockstep {
namespace {

/// File positions, innermost first. Their number is limited, because a hostile text's locations may nest without end in
/// effect.
std::vector<const LocationNode*> frames_of(Location location) {
  constexpr std::size_t kMaxVisited = 256;
  std::vector<const LocationNode*> frames;
  std::vector<Location> pending{location};
  for (std::size_t visited = 0; !pending.empty() && visited < kMaxVisited; ++visited) {
    const Location current = pending.back();
    pending.pop_back();
    if (current.is_unknown()) continue;
    if (current->kind == LocationNode::Kind::file) frames.push_back(current.node());
    const std::vector<Location>& children = current->children;
    const bool is_fused = current->kind == LocationNode::Kind::fused && !children.empty();
    pending.insert(pending.end(), children.rbegin() + (is_fused ? static_cast<std::ptrdiff_t>(children.size()) - 1 : 0),
                   children.rend());
  }
  return frames;
}

bool is_library(const LocationNode& frame) {
  return frame.text.starts_with("<triton.") || frame.text.starts_with("triton/language/") ||
         frame.text.find("/triton/language/") != std::string::npos;
}

}  // namespace

Location Location::innermost_file() const {
  // An explicit stack: locations of hostile .ttir text may nest deeper than the machine's stack allows.
  std::vector<Location> pending{*this};
  while (!pending.empty()) {
    const Location current = pending.back();
    pending.pop_back();
    if (current.is_unknown()) continue;
    if (current->kind == LocationNode::Kind::file) return current;
    const std::vector<Location>& children = current->children;
    // Last in, first out: the callee of a call site and the first part of a fusion come first.
    pending.insert(pending.end(), children.rbegin(), children.rend());
  }
  return {};
}

std::string Location::file_text() const {
  const Location place = innermost_file();
  if (place.is_unknown()) return "";
  return place->text + ":" + std::to_string(place->line) + ":" + std::to_string(place->column + std::uint64_t{1});
}

UserFrame user_frame(Location location) {
  const std::vector<const LocationNode*> frames = frames_of(location);
  if (frames.empty()) return {};
  std::size_t user = 0;
  while (user + 1 < frames.size() && is_library(*frames[user])) ++user;
  return {frames[user], user == 0 ? nullptr : frames[user - 1]};
}

std::vector<const LocationNode*> user_frames(Location location) {
  std::vector<const LocationNode*> frames = frames_of(location);
  if (frames.empty()) return frames;
  const LocationNode* outermost = frames.back();
  std::erase_if(frames, [](const LocationNode* frame) { return is_library(*frame); });
  if (frames.empty()) frames.push_back(outermost);
  return frames;
}

}  // namespace lockstep
