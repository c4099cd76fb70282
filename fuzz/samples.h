// The `sample` hooks of the ops' rows: they make ops that the generic sampler cannot, because these have regions,
// branch targets or callees, or shapes with a special rule. Each adds one op in valid text; the sampler still asks the
// verifier.
#pragma once

#include "ir/op.h"
#include "ir/op_def.h"

namespace lockstep::fuzz {

void sample_constant(Sampler& s);
void sample_index_cast(Sampler& s);
void sample_index_castui(Sampler& s);
void sample_select(Sampler& s);
void sample_nothing(Sampler& s);  // in every kernel: module, function, return
void sample_branch(Sampler& s);
void sample_cond(Sampler& s);
void sample_scf_if(Sampler& s);
void sample_scf_for(Sampler& s);
void sample_scf_while(Sampler& s);
void sample_advance(Sampler& s);
void sample_broadcast(Sampler& s);
void sample_call(Sampler& s);
void sample_cat(Sampler& s);
void sample_descriptor_gather(Sampler& s);
void sample_descriptor_load(Sampler& s);
void sample_descriptor_reduce(Sampler& s);
void sample_descriptor_scatter(Sampler& s);
void sample_descriptor_store(Sampler& s);
void sample_dot(Sampler& s);
void sample_dot_scaled(Sampler& s);
void sample_inline_asm(Sampler& s);
void sample_expand_dims(Sampler& s);
void sample_old_gather(Sampler& s);
void sample_old_load(Sampler& s);
void sample_old_scatter(Sampler& s);
void sample_old_store(Sampler& s);
void sample_extern_elementwise(Sampler& s);
void sample_gather(Sampler& s);
void sample_histogram(Sampler& s);
void sample_join(Sampler& s);
void sample_make_range(Sampler& s);
void sample_make_tensor_descriptor(Sampler& s);  // and a load from it
void sample_make_tensor_ptr(Sampler& s);
void sample_map_elementwise(Sampler& s);
void sample_print(Sampler& s);
void sample_reduce(Sampler& s);
void sample_reshape(Sampler& s);
void sample_scan(Sampler& s);
void sample_split(Sampler& s);
void sample_trans(Sampler& s);
void sample_unsplat(Sampler& s);

}  // namespace lockstep::fuzz
