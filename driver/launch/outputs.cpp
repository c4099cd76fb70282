#include "driver/launch/outputs.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "driver/arguments/arguments.h"

namespace lockstep::driver {
namespace {

std::string place_text(const FileRequest& request) {
  return request.path + (request.key.empty() ? "" : ":" + request.key);
}

Expected<void, Status> not_writable(const std::string& path, int reason) {
  return Unexpected{
      Status{"LS2110", "cannot write '" + path + "': " + std::strerror(reason), "check the folder and the free space"}};
}

}  // namespace

Expected<FileRequest, Status> parse_file_request(const std::string& option, const std::string& text) {
  DiagnosticSink sink;
  const std::optional<ArgumentText> argument = parse_argument(text, sink);
  const auto* spec = argument ? std::get_if<TensorSpec>(&argument->value) : nullptr;
  if (spec == nullptr || spec->kind != TensorSpec::Kind::file) {
    return Unexpected{
        Status{"LS2203", option + " " + text + " is not NAME=@FILE", "for example " + option + " out=@out.npy"}};
  }
  return FileRequest{argument->name, spec->path, spec->key};
}

Expected<void, Status> check_writable(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) return not_writable(path, EISDIR);
  if (access(path.c_str(), F_OK) == 0) {
    return access(path.c_str(), W_OK) == 0 ? Expected<void, Status>{}
                                           : not_writable(path, errno);
  }
  const std::string parent = std::filesystem::path(path).parent_path().string();
  if (access(((parent.empty() ? "." : parent) + "/.").c_str(), W_OK | X_OK) != 0) return not_writable(path, errno);
  return {};
}

Expected<void, Status> write_text(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path, std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  return file ? Expected<void, Status>{} : not_writable(path, errno == 0 ? EIO : errno);
}

enclosure::Tolerance tolerance_of(const LaunchSpec& options, ScalarKind kind) {
  return enclosure::Tolerance::given(kind, options.rtol, options.atol, options.ulp);
}

ExpectResult check_expectation(const FileRequest& request, const Array& output, const Array& reference,
                               const enclosure::Tolerance& tolerance) {
  const std::uint64_t count = output.data.size() / static_cast<std::size_t>(size_bytes(output.element));
  const enclosure::Comparison result =
      enclosure::compare(output.element, output.data.data(), reference.data.data(), count, tolerance, output.is_unsigned);
  const auto report = [&](const std::string& name) {
    return enclosure::report_text(name, result, output.element, output.is_unsigned, output.shape, tolerance);
  };
  const std::string place = place_text(request);
  if (result.is_equal) return {true, report(request.name + " and " + place)};
  return {false, "error: " + request.name + " differs from " + place + "\n" + report(request.name)};
}

}  // namespace lockstep::driver
