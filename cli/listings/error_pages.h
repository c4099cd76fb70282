// The pages of docs/errors, built into the program (cmake/LockstepErrorPages.cmake): no file is needed at run time.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::cli {

struct ErrorPage {
  std::string_view code;  // "LS101"
  std::string_view text;  // Markdown; the first line is "# LS101: title"
};

/// Sorted by code's text.
std::span<const ErrorPage> error_pages();

}  // namespace lockstep::cli
