// PTX's approximate instructions over all 2^32 arguments against an H100's answers: gpu_bits_all [NAME]. The answers to
// 2^23 arguments are kept as a sum, and the sums as one hash. Without .ftz, only those are asked whose sums differ from
// the ones with .ftz. Prints the instructions that differ; exit code 1 if there are any. Minutes of one core.
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "interpreter/gpu_bits/instructions.h"

namespace {

using namespace lockstep::interpreter::gpu_bits;

template <auto instruction, Subnormals subnormals>
std::uint32_t with(std::uint32_t x) {
  return instruction(x, subnormals);
}

struct Row {
  const char* name;
  std::uint32_t (*instruction)(std::uint32_t);
  std::uint32_t first;  // the first 2^23 arguments and how many such
  std::uint32_t count;
  std::uint64_t hash;
};
const Row kRows[] = {
    {"ex2.approx.ftz.f32", with<ex2_approx, Subnormals::flush>, 0, 512, 0xea7904d912cc9157},
    {"lg2.approx.ftz.f32", with<lg2_approx, Subnormals::flush>, 0, 512, 0x96a9d1151d75b956},
    {"rcp.approx.ftz.f32", with<rcp_approx, Subnormals::flush>, 0, 512, 0xf0a00292fa397fda},
    {"rsqrt.approx.ftz.f32", with<rsqrt_approx, Subnormals::flush>, 0, 512, 0x73613a35232b0f96},
    {"sqrt.approx.ftz.f32", with<sqrt_approx, Subnormals::flush>, 0, 512, 0x2f3410b36650ced4},
    {"sin.approx.f32", sin_approx, 0, 512, 0xe894ccb138373b7d},
    {"cos.approx.f32", cos_approx, 0, 512, 0x4659084b50b502cc},
    {"tanh.approx.f32", tanh_approx, 0, 512, 0xfb1100eba0c78357},
    {"ex2.approx.f32", with<ex2_approx, Subnormals::keep>, 389, 2, 0xef5fde6e7a78345b},
    {"lg2.approx.f32", with<lg2_approx, Subnormals::keep>, 0, 1, 0x8f5aa8c375228c32},
    {"lg2.approx.f32", with<lg2_approx, Subnormals::keep>, 256, 1, 0x04f07ca374e2ce77},
    {"rcp.approx.f32", with<rcp_approx, Subnormals::keep>, 0, 1, 0xcb5933ee8c6b9c47},
    {"rcp.approx.f32", with<rcp_approx, Subnormals::keep>, 253, 2, 0xe5551dcf78898a84},
    {"rcp.approx.f32", with<rcp_approx, Subnormals::keep>, 256, 1, 0x4a8fbf9b8c954dde},
    {"rcp.approx.f32", with<rcp_approx, Subnormals::keep>, 509, 2, 0x530201f63d2ba729},
    {"rsqrt.approx.f32", with<rsqrt_approx, Subnormals::keep>, 0, 1, 0x244123be7b86b1e6},
    {"rsqrt.approx.f32", with<rsqrt_approx, Subnormals::keep>, 256, 1, 0x04f07ca374e2ce77},
    {"sqrt.approx.f32", with<sqrt_approx, Subnormals::keep>, 0, 1, 0x01b2dd37e786e865},
    {"sqrt.approx.f32", with<sqrt_approx, Subnormals::keep>, 256, 1, 0x84ef22f271e2ce77},
};

std::uint64_t sum_of(const Row& row, std::uint32_t binade) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < 1u << 23; ++i) {
    const std::uint32_t x = (binade << 23) + i;
    sum += std::uint64_t{row.instruction(x)} * (2 * std::uint64_t{x} + 1);
  }
  return sum;
}

bool agrees(const Row& row) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (std::uint32_t i = 0; i < row.count; ++i) {
    const std::uint64_t sum = sum_of(row, row.first + i);
    hash = (hash ^ (sum & 0xffffffffu)) * 0x100000001b3u;
    hash = (hash ^ sum >> 32) * 0x100000001b3u;
  }
  return hash == row.hash;
}

}  // namespace

int main(int argc, char** argv) {
  int asked = 0, differ = 0;
  for (const Row& row : kRows) {
    if (argc > 1 && std::strcmp(argv[1], row.name) != 0) continue;
    ++asked;
    if (agrees(row)) continue;
    ++differ;
    std::printf("%s differs from the GPU in the binades %u to %u\n", row.name, row.first, row.first + row.count - 1);
  }
  std::printf("gpu_bits_all: %d of %d agree\n", asked - differ, asked);
  return asked > 0 && differ == 0 ? 0 : 1;
}
