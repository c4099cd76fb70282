// Functions of one or two numbers: evaluated in f64 at the ends of monotone pieces and widened by the error that a GPU
// may make: the row's bound (the larger of Lockstep's and the GPU's) or, for functions that Triton lowers for no GPU,
// CUDA's documented bound of the function that our CUDA text calls. 16-bit results are f32 results rounded once more
// (S-80). Sources: the rows; CUDA C++ Programming Guide, "Mathematical Functions Appendix".
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::enclosure {

bool enclose_angle(EncloseContext& context, const ir::Op& op);
bool enclose_power(EncloseContext& context, const ir::Op& op);  // also whole exponents
bool enclose_sincos(EncloseContext& context, const ir::Op& op);  // functions of one number: enclosure/functions.h
bool enclose_extern(EncloseContext& context, const ir::Op& op);

}  // namespace lockstep::enclosure
