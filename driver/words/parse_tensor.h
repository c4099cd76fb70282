// The texts that make tensors: KIND[(ARGUMENTS)]:TYPE[SHAPE], view(BASE, offset=, shape=, strides=), @FILE[:KEY or
// TYPE]. Makes every check that needs neither memory nor files. Errors: LS2004 (kind), LS2006 (punctuation), LS2007
// (shape), LS2008 (values outside of the kind or the type), LS2009 (view), LS2013 (file name).
#pragma once

#include <optional>
#include <string_view>

#include "driver/arguments/arguments.h"
#include "driver/words/cursor.h"

namespace lockstep::driver {

/// A word for tensors only: randn, zeros, view, ...
bool is_tensor_word(std::string_view word);
/// After `kind`, which began at `begin`; ':' or '(' is next.
std::optional<TensorSpec> take_tensor(Cursor& cursor, std::size_t begin, std::string_view kind);
/// '@' is next; the rest of the text belongs to the file.
std::optional<TensorSpec> take_file(Cursor& cursor);

}  // namespace lockstep::driver
