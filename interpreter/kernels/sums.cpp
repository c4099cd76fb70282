#include "interpreter/kernels/sums.h"

#include <string_view>

#include "interpreter/kernels/dispatch.h"

#if defined(__x86_64__)
#define LOCKSTEP_ISA v2
#include "interpreter/kernels/isa/isa_sums.h"
#undef LOCKSTEP_ISA
#define LOCKSTEP_ISA v3
#include "interpreter/kernels/isa/isa_sums.h"
#undef LOCKSTEP_ISA
#define LOCKSTEP_ISA v4
#include "interpreter/kernels/isa/isa_sums.h"
#undef LOCKSTEP_ISA
#else
#define LOCKSTEP_ISA base
#include "interpreter/kernels/isa/isa_sums.h"
#undef LOCKSTEP_ISA
#endif

namespace lockstep::interpreter::kernels {

SumProductsFn sum_products() {
#if defined(__x86_64__)
  const std::string_view name = isa_name();
  return name == "v4" ? v4::sum_products : name == "v3" ? v3::sum_products : v2::sum_products;
#else
  return base::sum_products;
#endif
}

}  // namespace lockstep::interpreter::kernels
