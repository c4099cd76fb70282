// Encodings as text, byte for byte as MLIR prints them. The text has no version mark: what one version of Triton
// prints and another does not (CTASplitM, CGALayout, blockRepOrder) is a parameter of its own in encoding.h, so that
// printing gives back what was read.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "ir/layouts/encoding.h"

namespace lockstep::ir {

/// The alias that is written for an encoding ("#blocked1"); "" writes it in full.
using EncodingAliases = std::function<std::string(const Encoding& encoding)>;

/// "#ttg.slice<{dim = 0, parent = #blocked}>". Parents are written as `aliases` says; without it, in full.
std::string print_encoding(const Encoding& encoding, const EncodingAliases& aliases = {});

/// What MLIR calls its aliases: "blocked", "linear", "mma", "shared", "tmem", ...; "" for those that are always written
/// in full (slices, operands of dots).
std::string_view alias_stem(const Encoding& encoding);

}  // namespace lockstep::ir
