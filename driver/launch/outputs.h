// The comparisons after a launch: --expect, and the NAME=@FILE texts of --save and --expect. Errors: LS2203 NAME=@FILE
// is malformed; LS2110 a file cannot be written.
#pragma once

#include <string>
#include <variant>

#include "driver/files/npy.h"
#include "driver/launch/launch_spec.h"
#include "enclosure/tolerance.h"
#include "support/diagnostics/status.h"
#include "support/result.h"

namespace lockstep::driver {

/// A file named by --save or --expect.
struct FileRequest {
  std::string name;       // of the tensor
  std::string path, key;  // .npy, or .npz with its key
};
Expected<FileRequest, Status> parse_file_request(const std::string& option, const std::string& text);

/// Whether a file of that path could be written; does not write it. Errors: LS2110.
Expected<void, Status> check_writable(const std::string& path);

/// Writes a whole file. Errors: LS2110.
Expected<void, Status> write_text(const std::string& path, const std::string& text);

/// --expect with its reference, read before the launch: a mistake costs no run, and --save may then overwrite the file.
struct Expectation {
  FileRequest request;
  Array reference;
};

/// --rtol, --atol and --ulp; the type's own default for missing ones.
enclosure::Tolerance tolerance_of(const LaunchSpec& options, ScalarKind kind);

struct ExpectResult {
  bool is_equal = true;
  std::string text;  // says where and by how much
};
/// Both arrays have the same shape and element type.
ExpectResult check_expectation(const FileRequest& request, const Array& output, const Array& reference,
                               const enclosure::Tolerance& tolerance);

}  // namespace lockstep::driver
