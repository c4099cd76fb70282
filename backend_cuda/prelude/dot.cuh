// Matrix products of tiles in shared memory: rows of Columns elements, cut to chunks of 16 bytes whose order within 128
// bytes depends on the row, so that neither rows nor columns meet in one bank.
template <class T, int Columns> struct Swizzled {
  static constexpr int kChunk = 16 / (int)sizeof(T);           // elements
  static constexpr int kChunks = Columns / kChunk;             // of a row
  static constexpr int kMask = kChunks >= 8 ? 7 : kChunks > 0 ? kChunks - 1 : 0;
  static constexpr int kRepeat = kChunks >= 8 || kChunks == 0 ? 1 : 8 / kChunks;  // rows in 128 bytes
  static LS_FN int place(int row, int column) {
    if (kChunks <= 1) return row * Columns + column;
    const int chunk = (column / kChunk) ^ ((row / kRepeat) & kMask);
    return row * Columns + chunk * kChunk + column % kChunk;
  }
  static LS_FN T& at(char* base, int index) {
    return reinterpret_cast<T*>(base)[place(index / Columns, index % Columns)];
  }
  static LS_FN T& at(char* base, int row, int column) { return reinterpret_cast<T*>(base)[place(row, column)]; }
};

struct tf32;
template <class T> struct Operand { using memory = T; };
template <> struct Operand<tf32> { using memory = float; };

// D += A * B for m16n8: 4 registers of A, 2 of B, 4 accumulators. K is 32 bytes of operands.
template <class A, class B> struct Mma;
#define LS_MMA(A, B, text)                                                                                     \
  template <> struct Mma<A, B> {                                                                               \
    static LS_FN void run(float* d, const unsigned* a, const unsigned* b) {                                    \
      asm volatile("mma.sync.aligned." text " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"           \
                   : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])                                            \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));                        \
    }                                                                                                          \
  };
LS_MMA(f16, f16, "m16n8k16.row.col.f32.f16.f16.f32")
LS_MMA(bf16, bf16, "m16n8k16.row.col.f32.bf16.bf16.f32")
LS_MMA(tf32, tf32, "m16n8k8.row.col.f32.tf32.tf32.f32")
LS_MMA(f8e4m3, f8e4m3, "m16n8k32.row.col.f32.e4m3.e4m3.f32")
LS_MMA(f8e5m2, f8e5m2, "m16n8k32.row.col.f32.e5m2.e5m2.f32")
LS_MMA(f8e4m3, f8e5m2, "m16n8k32.row.col.f32.e4m3.e5m2.f32")
LS_MMA(f8e5m2, f8e4m3, "m16n8k32.row.col.f32.e5m2.e4m3.f32")
template <> struct Mma<signed char, signed char> {
  static LS_FN void run(int* d, const unsigned* a, const unsigned* b) {
    asm volatile("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
};

// Four bytes of operands: columns [k, k + 4 / sizeof) of a row of A.
template <class T, int K> LS_FN unsigned word_of_row(char* base, int row, int k) {
  return *reinterpret_cast<unsigned*>(&Swizzled<T, K>::at(base, row, k));
}
// The same along a column of B, whose rows are apart in memory.
template <class T, int N> LS_FN unsigned word_of_column(char* base, int k, int column) {
  union { T elements[4 / sizeof(T)]; unsigned word; } both;
  LS_EACH_FROM(i, 0, (int)(4 / sizeof(T))) both.elements[i] = Swizzled<T, N>::at(base, k + i, column);
  return both.word;
}

// All accumulators of a warp: registers in the order of mma_layout (columns of 8 first, then rows).
template <class A, class B, int M, int N, int K, int WarpRows, int Warps, class C>
LS_FN void dot_mma(C* d, char* a_base, char* b_base, int lane, int warp) {
  using MemoryA = typename Operand<A>::memory;
  using MemoryB = typename Operand<B>::memory;
  constexpr int kStep = 32 / (int)sizeof(MemoryA);
  constexpr int kWord = 4 / (int)sizeof(MemoryA);
  constexpr int kWarpColumns = Warps / WarpRows < N / 8 ? Warps / WarpRows : N / 8;
  constexpr int kColumns = N / 8 / kWarpColumns;             // tiles of 8 columns of a warp
  constexpr int kRows = M / (16 * WarpRows) > 0 ? M / (16 * WarpRows) : 1;
  const int group = lane >> 2, pair = lane & 3;
  const int first_row = (warp % WarpRows) * 16;
  const int first_column = (warp / WarpRows) % kWarpColumns * (N / kWarpColumns);
  for (int k = 0; k < K; k += kStep) {
    unsigned a[kRows][4], b[kColumns][2];
    LS_EACH_FROM(i, 0, kRows) {
      const int row = first_row + i * 16 * WarpRows + group;
      a[i][0] = word_of_row<MemoryA, K>(a_base, row, k + pair * kWord);
      a[i][1] = word_of_row<MemoryA, K>(a_base, row + 8, k + pair * kWord);
      a[i][2] = word_of_row<MemoryA, K>(a_base, row, k + (pair + 4) * kWord);
      a[i][3] = word_of_row<MemoryA, K>(a_base, row + 8, k + (pair + 4) * kWord);
    }
    LS_EACH_FROM(j, 0, kColumns) {
      const int column = first_column + j * 8 + group;
      b[j][0] = word_of_column<MemoryB, N>(b_base, k + pair * kWord, column);
      b[j][1] = word_of_column<MemoryB, N>(b_base, k + (pair + 4) * kWord, column);
    }
    LS_EACH_FROM(i, 0, kRows) LS_EACH_FROM(j, 0, kColumns) Mma<A, B>::run(d + 4 * (i * kColumns + j), a[i], b[j]);
  }
}

LS_FN float multiply_add(float a, float b, float c) { return fmaf(a, b, c); }
LS_FN double multiply_add(double a, double b, double c) { return fma(a, b, c); }
LS_FN int multiply_add(int a, int b, int c) { return add(mul(a, b), c); }
LS_FN long long multiply_add(long long a, long long b, long long c) { return add(mul(a, b), c); }
template <class C, class T> struct DotElement { static LS_FN C of(T x) { return (C)wide(x); } };
template <class C> struct DotElement<C, signed char> { static LS_FN C of(signed char x) { return (C)x; } };
template <class C> struct DotElement<C, short> { static LS_FN C of(short x) { return (C)x; } };
template <class C> struct DotElement<C, int> { static LS_FN C of(int x) { return (C)x; } };

// One element of the product, along k in order.
template <class A, class B, int M, int N, int K, class C>
LS_FN C dot_chain(C c, char* a_base, char* b_base, int batch, int row, int column) {
  for (int k = 0; k < K; ++k) {
    c = multiply_add(DotElement<C, A>::of(Swizzled<A, K>::at(a_base, batch * M + row, k)),
                     DotElement<C, B>::of(Swizzled<B, N>::at(b_base, batch * K + k, column)), c);
  }
  return c;
}
template <class A, class B, int M, int N, int K, class C>
LS_FN C dot_scalar(C c, char* a_base, char* b_base, int index) {
  return dot_chain<A, B, M, N, K>(c, a_base, b_base, index / (M * N), index / N % M, index % N);
}

// Pieces of f32 operands (S-70): the nearest tf32 and what it leaves, without the 13 bits that a tensor core does not
// read; three bf16.
LS_FN float tf32_cut(float x) { return bits_f32(f32_bits(x) & 0xffffe000u); }
LS_FN float tf32_near(float x) {
  unsigned y;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(y) : "f"(x));
  return bits_f32(y);
}
LS_FN float tf32_rest(float x) { return tf32_cut(__fsub_rn(x, tf32_near(x))); }
template <int Piece> LS_FN bf16 bf16_piece(float x) {
  LS_EACH_FROM(i, 0, Piece) x = __fsub_rn(x, wide(narrow<bf16>(x)));
  return narrow<bf16>(x);
}
LS_FN float without_nan(float x) { return x != x ? 0.0f : x; }

// Operands of tt.dot_scaled (S-74).
LS_FN float e2m1_of(int nibble) {
  const int size = nibble & 7;
  const float value = size < 2 ? 0.5f * (float)size : (1.0f + 0.5f * (float)(size & 1)) * (float)(1 << ((size >> 1) - 1));
  return (nibble & 8) != 0 ? -value : value;
}
template <class T> LS_FN T from_e5m2(f8e5m2 x) { return narrow<T>(wide(x)); }
template <> LS_FN bf16 from_e5m2<bf16>(f8e5m2 x) { return e5m2_to_bf16(x); }
template <class T, bool IsFast> LS_FN T scale_of(signed char byte) {
  const unsigned exponent = (unsigned char)byte;
  return narrow<T>(bits_f32(exponent == 255 && !IsFast ? 0x7fc00000u : exponent << 23));
}
template <class T, bool IsFast> LS_FN T scale_of(f8e4m3 scale) { return narrow<T>(wide(scale)); }
