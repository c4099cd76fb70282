#include "backend_cuda/text/cuda_writer.h"

#include <cctype>

namespace lockstep::backend_cuda {

namespace {

std::string identifier(std::string_view text) {
  std::string name;
  for (const char c : text) name += std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name = "v" + name;
  return name;
}

}  // namespace

std::string CudaWriter::fresh(std::string_view stem) {
  const std::string base = identifier(stem);
  const int count = names_[base]++;
  return count == 0 ? base + "_" : base + "_" + std::to_string(count);
}

std::optional<std::string> CudaWriter::capture(const std::function<bool()>& write) {
  const std::string before = std::exchange(text_, "");
  const bool is_complete = write();
  const std::string written = std::exchange(text_, before);
  return is_complete ? std::optional(written) : std::nullopt;
}

std::string CudaWriter::indented(const std::string& line) const {
  return std::string(static_cast<std::size_t>(2 * depth_), ' ') + line + "\n";
}

void CudaWriter::line(const std::string& text) { text_ += indented(text); }

bool CudaWriter::replace_line(const std::string& line, const std::string& other) {
  const std::string last = indented(line);
  if (!text_.ends_with(last)) return false;
  text_.resize(text_.size() - last.size());
  text_ += indented(other);
  return true;
}

void CudaWriter::note_place(const std::string& place) {
  if (place.empty() || place == last_place_) return;
  last_place_ = place;
  line("// " + place);
}

void CudaWriter::open(const std::string& head) {
  line(head + (head.empty() ? "{" : " {"));
  ++depth_;
}

void CudaWriter::close(std::string_view after) {
  --depth_;
  line("}" + std::string(after));
}

}  // namespace lockstep::backend_cuda
