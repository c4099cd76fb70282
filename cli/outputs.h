// What the user asked to do with tensors after a launch: --save, --print, --expect. Reads a view's elements in C order whatever
// its strides; changes no memory. Errors: LS2203 NAME=@FILE is malformed, LS2204 no such tensor, LS2205 the reference does not fit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compare/tolerance.h"
#include "host/npy.h"
#include "memory_model/view.h"
#include "support/result.h"
#include "support/status.h"

namespace lockstep::cli {

/// A file named by --save or --expect.
struct FileRequest {
  std::string name;                      // of the tensor
  std::string path, key;                 // .npy, or .npz with its key
  std::optional<ScalarKind> read_as;     // @ref.npy:bf16
};
Expected<FileRequest, Status> parse_file_request(const std::string& option, const std::string& text);

/// The elements of a view in C order.
host::Array copy_view(const memory_model::AddressSpace& memory, memory_model::ViewId view);

/// Nested brackets; above 1,000 elements the middle of each dimension is left out.
std::string format_array(const std::string& name, const host::Array& array);

/// Reads a reference for an output of that type and shape. A float reference of another width is rounded to the output's.
Expected<host::Array, Status> read_reference(const FileRequest& request, const host::Array& output);

struct ExpectResult {
  bool is_equal = true;
  std::string text;                      // says where and by how much
};
ExpectResult check_expectation(const FileRequest& request, const host::Array& output, const host::Array& reference,
                               const compare::Tolerance& tolerance);

}  // namespace lockstep::cli
