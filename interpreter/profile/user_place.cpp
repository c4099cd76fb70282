#include "interpreter/profile/user_place.h"

namespace lockstep::interpreter {

ProfilePlace user_place(Location location, std::string& library) {
  const UserFrame frame = user_frame(location);
  if (frame.user == nullptr) return {};
  if (frame.library != nullptr) {
    std::string file = frame.library->text.substr(frame.library->text.rfind('/') + 1);
    if (file.starts_with("<") && file.ends_with(">")) file = file.substr(1, file.size() - 2);
    library = file + ":" + std::to_string(frame.library->line);
  }
  return {frame.user->text, frame.user->line, frame.user->display_column()};
}

}  // namespace lockstep::interpreter
