#include "findings/places.h"

namespace lockstep {

namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxPlaces = 16, kMaxVisited = 1024;

struct Walk {
  std::vector<Location> places;
  std::size_t visited = 0;

  void visit(const Location& location, int depth) {
    const bool is_over = depth > kMaxDepth || places.size() >= kMaxPlaces || ++visited > kMaxVisited;
    if (location.is_unknown() || is_over) return;
    if (location->kind == LocationNode::Kind::file) {
      places.push_back(location);
      return;
    }
    for (const Location& part : location->children) visit(part, depth + 1);
  }
};

thread_local SourceCache* cache = nullptr;

SourceFilePtr read(const std::string& path) {
  auto file = SourceFile::read(path);
  return file ? *file : nullptr;
}

}  // namespace

std::vector<Location> file_places(const Location& location) {
  Walk walk;
  walk.visit(location, 0);
  return std::move(walk.places);
}

SourceCache::SourceCache() : is_outermost_(cache == nullptr) {
  if (is_outermost_) cache = this;
}

SourceCache::~SourceCache() {
  if (is_outermost_) cache = nullptr;
}

SourceFilePtr source_of(const std::string& path) {
  if (cache == nullptr) return read(path);
  const auto [known, is_new] = cache->files_.try_emplace(path);
  if (is_new) known->second = read(path);
  return known->second;
}

}  // namespace lockstep
