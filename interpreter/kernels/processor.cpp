#include "interpreter/kernels/processor.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstdint>
#include <string_view>
#endif

namespace lockstep::interpreter::kernels {

#if defined(__x86_64__)

namespace {

struct Features {
  bool v3 = false, v4 = false, avx512_vnni = false, avx_vnni = false, avx512_bf16 = false;
};

/// A leaf of cpuid; zeros if the processor has no such leaf.
struct Leaf {
  unsigned eax = 0, ebx = 0, ecx = 0, edx = 0;
  explicit Leaf(unsigned leaf, unsigned subleaf = 0) { (void)__get_cpuid_count(leaf, subleaf, &eax, &ebx, &ecx, &edx); }
};

constexpr bool all(unsigned word, unsigned bits) { return (word & bits) == bits; }

/// The parts of the register file that the system saves (XCR0). The caller has seen OSXSAVE.
std::uint32_t saved_state() {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

Features ask() {
  constexpr std::uint32_t kYmm = 0x6, kZmm = 0xe6;
  Features found;
  const Leaf basic(1), extended(7), extended_1(7, 1), vendor(0x80000001U);
  const bool v2 = all(basic.ecx, bit_SSE3 | bit_SSSE3 | bit_SSE4_1 | bit_SSE4_2 | bit_POPCNT | bit_CMPXCHG16B) &&
                  all(vendor.ecx, bit_LAHF_LM);
  if (!v2 || !all(basic.ecx, bit_OSXSAVE)) return found;
  const std::uint32_t saved = saved_state();
  found.v3 = all(saved, kYmm) && all(basic.ecx, bit_AVX | bit_F16C | bit_FMA | bit_MOVBE) &&
             all(extended.ebx, bit_AVX2 | bit_BMI | bit_BMI2) && all(vendor.ecx, bit_LZCNT);
  found.v4 = found.v3 && all(saved, kZmm) &&
             all(extended.ebx, bit_AVX512F | bit_AVX512BW | bit_AVX512CD | bit_AVX512DQ | bit_AVX512VL);
  found.avx512_vnni = found.v4 && all(extended.ecx, bit_AVX512VNNI);
  found.avx512_bf16 = found.v4 && all(extended_1.eax, bit_AVX512BF16);
  found.avx_vnni = found.v3 && all(extended_1.eax, bit_AVXVNNI);
  return found;
}

}  // namespace

bool processor_has(const char* name) {
  static const Features features = ask();
  const std::string_view wanted = name;
  if (wanted == "x86-64-v3") return features.v3;
  if (wanted == "x86-64-v4") return features.v4;
  if (wanted == "avx512vnni") return features.avx512_vnni;
  if (wanted == "avxvnni") return features.avx_vnni;
  if (wanted == "avx512bf16") return features.avx512_bf16;
  return false;
}

#else

bool processor_has(const char* /*name*/) { return false; }

#endif

}  // namespace lockstep::interpreter::kernels
