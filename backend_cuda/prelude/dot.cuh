// Matrix products of tiles in shared memory. A tile lies in panels of 128 bytes a row (fewer where a row is shorter);
// in a panel the chunks of 16 bytes are swapped by row, so that neither rows nor columns meet in one bank. That is
// also what wgmma and ldmatrix read.
template <class T, int Rows, int Columns> struct Panels {
  static constexpr int kPitch = Columns * (int)sizeof(T) < 128 ? Columns * (int)sizeof(T) : 128;  // bytes of a panel's row
  static constexpr int kColumns = kPitch / (int)sizeof(T);                                // of a panel
  static constexpr int kMask = kPitch >= 32 ? kPitch / 16 - 1 : 0;
  static constexpr int kRepeat = 128 / (kPitch > 0 ? kPitch : 1);                         // rows in 128 bytes
  static constexpr int kPanel = Rows * kPitch;                                            // bytes
  static constexpr int kBytes = Rows * Columns * (int)sizeof(T);
  static constexpr LS_FN int offset(int row, int column) {
    // Bytes swapped as a whole: of a chunk's number and its rest, (w / 8 ^ r) * 16 + w % 8 * 2, NVVM 7.0.1 (CUDA 13.0
    // to 13.5) loses the division where w is known to be odd and below 64 (tests/cuda/dot_products.py).
    const int within = column % kColumns * (int)sizeof(T);
    return column / kColumns * kPanel + row * kPitch + (within ^ ((row / kRepeat) & kMask) * 16);
  }
  static LS_FN T& at(char* base, int row, int column) { return *reinterpret_cast<T*>(base + offset(row, column)); }
};
// The tile of a kernel's R x C operand: as it is, or its transpose.
template <class T, int R, int C, bool Transposed> struct Stored {
  using Tile = Panels<T, Transposed ? C : R, Transposed ? R : C>;
  static constexpr LS_FN int offset(int index) {
    return Transposed ? Tile::offset(index % C, index / C) : Tile::offset(index / C, index % C);
  }
  static LS_FN T& at(char* base, int row, int column) {
    return Transposed ? Tile::at(base, column, row) : Tile::at(base, row, column);
  }
  static LS_FN T& at(char* base, int index) { return at(base, index / C, index % C); }
  // Element `thread | constant`; bits of `thread` are in the set Threads, and no bit is in both. Extents are powers of
  // two, so offset() is linear over bits: the constant's part is added where no bit of the two offsets meets.
  template <int Threads> static LS_FN T& at(char* base, int thread, int constant) {
    constexpr int kReached = reached<Threads>();
    const int first = offset(thread), rest = offset(constant);
    return *reinterpret_cast<T*>((kReached & rest) == 0 ? base + first + rest : base + (first ^ rest));
  }
  template <int Threads> static constexpr LS_FN int reached() {
    int bits = 0;
    for (int bit = 0; Threads >> bit != 0; ++bit) bits |= (Threads >> bit & 1) != 0 ? offset(1 << bit) : 0;
    return bits;
  }
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

LS_FN unsigned shared_address(const void* pointer) { return (unsigned)__cvta_generic_to_shared(pointer); }
// Four 8x8 matrices of 16-bit elements; lane l gives the address of row l % 8 of matrix l / 8.
template <bool Transposed> LS_FN void load_matrices(unsigned* to, const void* row) {
  if (Transposed) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(row)) : "memory");
  } else {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(shared_address(row)) : "memory");
  }
}

// 16 rows of A, 32 bytes along k.
template <class T, int M, int K, bool Transposed> LS_FN void load_a(unsigned* to, char* base, int row, int k, int lane) {
  constexpr int kWord = 4 / (int)sizeof(T);
  if constexpr (!Transposed) {
    load_matrices<false>(to, &Panels<T, M, K>::at(base, row + lane % 16, k + lane / 16 * 4 * kWord));
  } else if constexpr (sizeof(T) == 2) {
    load_matrices<true>(to, &Panels<T, K, M>::at(base, k + lane % 8 + lane / 16 * 8, row + lane / 8 % 2 * 8));
  } else {
    LS_EACH_FROM(i, 0, 4) {
      union { T elements[kWord]; unsigned word; } both;
      LS_EACH_FROM(e, 0, kWord) {
        both.elements[e] = Panels<T, K, M>::at(base, k + (lane % 4 + i / 2 * 4) * kWord + e, row + lane / 4 + i % 2 * 8);
      }
      to[i] = both.word;
    }
  }
}
// 16 columns of B (two tiles of 8), 32 bytes along k: to[0], to[1] of the first tile.
template <class T, int K, int N, bool Transposed> LS_FN void load_b(unsigned* to, char* base, int k, int column, int lane) {
  constexpr int kWord = 4 / (int)sizeof(T);
  if constexpr (Transposed) {
    load_matrices<false>(to, &Panels<T, N, K>::at(base, column + lane % 8 + lane / 16 * 8, k + lane / 8 % 2 * 4 * kWord));
  } else if constexpr (sizeof(T) == 2) {
    load_matrices<true>(to, &Panels<T, K, N>::at(base, k + lane % 16, column + lane / 16 * 8));
  } else {
    LS_EACH_FROM(i, 0, 4) {
      union { T elements[kWord]; unsigned word; } both;
      LS_EACH_FROM(e, 0, kWord) {
        both.elements[e] = Panels<T, K, N>::at(base, k + (lane % 4 + i % 2 * 4) * kWord + e, column + lane / 4 + i / 2 * 8);
      }
      to[i] = both.word;
    }
  }
}

// Which rows and columns a warp computes: registers in the order of mma_layout (columns of 8 first, then rows).
template <int M, int N, int WarpRows, int Warps> struct WarpTile {
  static constexpr int kAcross = Warps / WarpRows < N / 8 ? Warps / WarpRows : N / 8;  // warps along the columns
  static constexpr int kColumns = N / kAcross;
  static constexpr int kTiles = kColumns / 8;
  static constexpr int kRows = M / (16 * WarpRows) > 0 ? M / (16 * WarpRows) : 1;      // blocks of 16 rows
  static LS_FN int row(int warp, int i) { return warp % WarpRows * 16 + i * 16 * WarpRows; }
  static LS_FN int column(int warp) { return warp / WarpRows % kAcross * kColumns; }
};

template <class A, class B, class Tile, int K, int N, bool TransposedB, class C>
LS_FN void multiply_row(C* d, const unsigned (*a)[4], char* b_base, int k, int lane, int warp) {
  using MemoryB = typename Operand<B>::memory;
  if constexpr (Tile::kTiles == 1) {
    // One tile of 8: the second half of what a load brings would lie outside.
    constexpr int kWord = 4 / (int)sizeof(MemoryB);
    unsigned b[2];
    LS_EACH_FROM(i, 0, 2) {
      union { MemoryB elements[kWord]; unsigned word; } both;
      LS_EACH_FROM(e, 0, kWord) {
        both.elements[e] = Stored<MemoryB, K, N, TransposedB>::at(b_base, k + (lane % 4 + i * 4) * kWord + e,
                                                                  Tile::column(warp) + lane / 4);
      }
      b[i] = both.word;
    }
    LS_EACH_FROM(i, 0, Tile::kRows) Mma<A, B>::run(d + 4 * i, a[i], b);
  } else {
    LS_EACH_BY(Tile::kTiles, 2) {
      unsigned b[4];
      load_b<MemoryB, K, N, TransposedB>(b, b_base, k, Tile::column(warp) + r * 8, lane);
      LS_EACH_FROM(i, 0, Tile::kRows) {
        Mma<A, B>::run(d + 4 * (i * Tile::kTiles + r), a[i], b);
        Mma<A, B>::run(d + 4 * (i * Tile::kTiles + r + 1), a[i], b + 2);
      }
    }
  }
}

template <class A, class B, int M, int N, int K, int WarpRows, int Warps, bool TransposedA, bool TransposedB, class C>
LS_FN void dot_mma(C* d, char* a_base, char* b_base, int lane, int warp) {
  using Tile = WarpTile<M, N, WarpRows, Warps>;
  using MemoryA = typename Operand<A>::memory;
  constexpr int kStep = 32 / (int)sizeof(MemoryA);
#pragma unroll
  for (int k = 0; k < K; k += kStep) {
    unsigned a[Tile::kRows][4];
    LS_EACH_FROM(i, 0, Tile::kRows) load_a<MemoryA, M, K, TransposedA>(a[i], a_base, Tile::row(warp, i), k, lane);
    multiply_row<A, B, Tile, K, N, TransposedB>(d, a, b_base, k, lane, warp);
  }
}

// A in registers, in the order of the layout of A (k of 16, then rows).
template <class A, class B, int M, int N, int K, int WarpRows, int Warps, bool TransposedB, class C>
LS_FN void dot_mma_registers(C* d, const A* a_elements, char* b_base, int lane, int warp) {
  using Tile = WarpTile<M, N, WarpRows, Warps>;
#pragma unroll
  for (int k = 0; k < K / 16; ++k) {
    unsigned a[Tile::kRows][4];
    LS_EACH_FROM(i, 0, Tile::kRows) LS_EACH_FROM(w, 0, 4) {
      const A* pair = a_elements + 8 * (i * (K / 16) + k) + 2 * w;
      a[i][w] = (unsigned)pair[0].bits | (unsigned)pair[1].bits << 16;
    }
    multiply_row<A, B, Tile, K, N, TransposedB>(d, a, b_base, 16 * k, lane, warp);
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

// One element of the product, along k in order. Batches lie one after the other as rows.
template <class A, class B, int Batch, int M, int N, int K, bool TransposedA, bool TransposedB, class C>
LS_FN C dot_chain(C c, char* a_base, char* b_base, int batch, int row, int column) {
#pragma unroll 4
  for (int k = 0; k < K; ++k) {
    const A a = TransposedA ? Panels<A, K, M>::at(a_base, k, row) : Panels<A, Batch * M, K>::at(a_base, batch * M + row, k);
    const B b = TransposedB ? Panels<B, N, K>::at(b_base, column, k) : Panels<B, Batch * K, N>::at(b_base, batch * K + k, column);
    c = multiply_add(DotElement<C, A>::of(a), DotElement<C, B>::of(b), c);
  }
  return c;
}
template <class A, class B, int Batch, int M, int N, int K, bool TransposedA, bool TransposedB, class C>
LS_FN C dot_scalar(C c, char* a_base, char* b_base, int index) {
  return dot_chain<A, B, Batch, M, N, K, TransposedA, TransposedB>(c, a_base, b_base, index / (M * N), index / N % M, index % N);
}
template <class A, class B, int Batch, int M, int N, int K, bool TransposedA, bool TransposedB>
LS_FN f16 dot_scalar(f16 c, char* a_base, char* b_base, int index) {
  return narrow<f16>(dot_chain<A, B, Batch, M, N, K, TransposedA, TransposedB>(wide(c), a_base, b_base, index / (M * N),
                                                                               index / N % M, index % N));
}

// ---- copies that run beside the program --------------------------------------------------------------------------------
template <int W, class T> LS_FN void copy_async(T& to, const T* from, bool mask) {
  constexpr int kBytes = W * (int)sizeof(T);
  const int given = mask ? kBytes : 0;  // the rest is filled with zeros
  if constexpr (kBytes == 16) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(shared_address(&to)), "l"(from), "r"(given) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(shared_address(&to)), "l"(from), "n"(kBytes), "r"(given) : "memory");
  }
}
LS_FN void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }
template <int N> LS_FN void wait_copies() { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }

// ---- wgmma (sm_90a): a group of four warps, 64 rows --------------------------------------------------------------------
// What is written to shared memory becomes visible to wgmma.
LS_FN void publish_shared() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
// Low word of the descriptor of a tile in panels, from `byte` on. The same in all threads of a warp.
template <class Tile> LS_FN unsigned tile_start(char* base, int byte) {
  return (shared_address(base) + (unsigned)byte) >> 4 & 0x3fff | (unsigned)(Tile::kPanel / 16) << 16;
}
// The descriptor that wgmma reads, `byte` bytes (a multiple of 16) after `start`.
template <class Tile> LS_FN unsigned long long tile_descriptor(unsigned start, int byte) {
  constexpr unsigned kSwizzle = Tile::kPitch == 128 ? 1 : Tile::kPitch == 64 ? 2 : 3;
  return (unsigned long long)(8 * Tile::kPitch / 16 | kSwizzle << 30) << 32 | (start + (unsigned)(byte / 16));
}
// Byte of the operand's block at k: k along the columns of the stored tile, or along its rows.
template <class Tile, class T, bool AlongRows> LS_FN int byte_of_step(int k) {
  return AlongRows ? k * Tile::kPitch : k / Tile::kColumns * Tile::kPanel + k % Tile::kColumns * (int)sizeof(T);
}
LS_FN void begin_products() {
#if __CUDA_ARCH__ >= 900
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
#endif
}
LS_FN void commit_products() {
#if __CUDA_ARCH__ >= 900
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
#endif
}
// Until at most N groups of products are under way.
template <int N> LS_FN void wait_products() {
#if __CUDA_ARCH__ >= 900
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(N) : "memory");
#endif
}

// The compiler reads the sums of products that were under way only behind this.
template <int N> LS_FN void settle_products(float (&sums)[N]) { LS_EACH(N) asm volatile("" : "+f"(sums[r])::"memory"); }

// An operand in registers as wgmma takes it, complete before the first product.
template <int N, class T> LS_FN void pack_pairs(unsigned (&words)[N / 2], const T (&a)[N]) {
  LS_EACH(N / 2) words[r] = (unsigned)a[2 * r].bits | (unsigned)a[2 * r + 1].bits << 16;
  LS_EACH(N / 2) asm volatile("" : "+r"(words[r])::"memory");
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
