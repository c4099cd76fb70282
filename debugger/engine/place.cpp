#include "debugger/engine/place.h"

namespace lockstep::debugger {

std::vector<Place> places_of(Location location) {
  std::vector<Place> places;
  for (const LocationNode* frame : user_frames(location)) places.push_back({&frame->text, frame->line, frame->column});
  return places;
}

}  // namespace lockstep::debugger
