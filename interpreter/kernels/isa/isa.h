// Declares, in the namespace of the instruction set LOCKSTEP_ISA, what the files isa_*.cpp define. Included by each of
// them and once per instruction set by dispatch.cpp, so it has no include guard on purpose. Plain declarations only:
// nothing here may give the linker a symbol that two instruction sets share.
#include "interpreter/kernels/ops.h"

#include <cstdint>

namespace lockstep::interpreter::kernels::LOCKSTEP_ISA {

BinaryFn find_integer_binary(Binary op, Kind kind);  // isa_integer.cpp
UnaryFn find_integer_unary(Unary op, Kind kind);
BinaryFn find_integer_division(Binary op, Kind kind);        // isa_division.cpp
BinaryFn find_compare_int(CompareInt predicate, Kind kind);  // isa_compare.cpp
BinaryFn find_compare_float(CompareFloat predicate, Kind kind);
BinaryFn find_float_binary(Binary op, Kind kind);  // isa_float.cpp
UnaryFn find_float_unary(Unary op, Kind kind);
TernaryFn find_float_ternary(Ternary op, Kind kind);
UnaryFn find_math(Unary op, Kind kind);                                // isa_math.cpp: f32 and f64 only
ConvertFn find_convert(Kind from, Kind to, Conversion how);            // isa_convert.cpp
ConvertFn find_convert_integer(Kind from, Kind to, bool is_unsigned);  // isa_convert_integer.cpp
ReduceFn find_reduce(Binary op, Kind kind);                            // isa_reduce.cpp
void sum_products(float* out, const float* x, const float* y, std::int64_t outer, std::int64_t n);
ScanFn find_scan(Binary op, Kind kind);                                // isa_scan.cpp
CompareExchangeFn find_compare_exchange(Kind kind, bool is_unsigned);  // isa_compare_exchange.cpp
GemmFn find_gemm(Kind kind);                                           // isa_dot.cpp
GemmFn find_gemm_of_exact_products();
GemmFn find_gemm_of_pairs();  // isa_dot_pairs.cpp
void pair_lines(void* out, const void* a, const void* b, std::int64_t n);
GemmFn find_gemm_of_pairs_at_once();  // isa_dot_vnni.cpp: null where the processor lacks it
Bf16Products find_bf16_products();    // isa_dot_bf16.cpp: none where the processor lacks it
UnaryFn find_dot_piece(DotPiece piece);
void tensor_core(const TensorCore& product);  // isa_tensor_core.cpp
GatherFn find_gather(int element_bytes);  // isa_memory.cpp
ScatterFn find_scatter(int element_bytes);
BoxFn find_copy_box(int element_bytes);
FillFn find_fill(int element_bytes);
IotaFn find_iota(Kind kind);
TernaryFn find_select(int element_bytes);
void stream(char* out, const char* in, std::int64_t bytes);
void finish_streams();
bool address_range(const std::uint64_t* addresses, const std::uint8_t* mask, std::int64_t n, std::uint64_t* lowest,
                   std::uint64_t* highest);
std::int64_t count_true(const std::uint8_t* mask, std::int64_t n);

// Loops that other files of the same instruction set call directly.
void convert_f16_to_f32(void* out, const void* in, std::int64_t n);
void convert_f32_to_f16(void* out, const void* in, std::int64_t n);
void convert_bf16_to_f32(void* out, const void* in, std::int64_t n);
void convert_f32_to_bf16(void* out, const void* in, std::int64_t n);

}  // namespace lockstep::interpreter::kernels::LOCKSTEP_ISA
