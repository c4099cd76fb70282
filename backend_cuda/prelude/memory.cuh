// Loads and stores of W adjacent elements, exchanges between threads.
template <int Bytes> struct Chunk;
template <> struct Chunk<1> { unsigned char bits; };
template <> struct Chunk<2> { unsigned short bits; };
template <> struct Chunk<4> { unsigned bits; };
template <> struct __align__(8) Chunk<8> { unsigned bits[2]; };
template <> struct __align__(16) Chunk<16> { unsigned bits[4]; };

template <int W, class T> LS_FN void copy_elements(T* to, const T* from) {
  LS_EACH_FROM(i, 0, W) to[i] = from[i];
}
// How memory is touched. This block's shared memory, by the compiler's own instructions:
struct Shared {
  template <class C> static LS_FN void put(C* to, C chunk) { *to = chunk; }
};
// Global memory, by an instruction with a cache operator, an eviction priority or `volatile`, under a predicate. The
// order of the text stays, so that all loads of a tile are on their way before the first is needed.
#define LS_POLICY(name, ld, st)                                                                                    \
  struct name {                                                                                                    \
    static LS_FN void get(const Chunk<1>* from, Chunk<1>& x) {                                                     \
      unsigned short word = x.bits;                                                                                \
      asm volatile("ld" ld ".u8 %0, [%1];" : "=h"(word) : "l"(from) : "memory");                                   \
      x.bits = (unsigned char)word;                                                                                \
    }                                                                                                              \
    static LS_FN void get(const Chunk<1>* from, Chunk<1>& x, bool mask) {                                          \
      unsigned short word = x.bits;                                                                                \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p ld" ld ".u8 %0, [%1];}"                                \
                   : "+h"(word) : "l"(from), "r"((int)mask) : "memory");                                           \
      x.bits = (unsigned char)word;                                                                                \
    }                                                                                                              \
    static LS_FN void put(Chunk<1>* to, Chunk<1> x) {                                                              \
      unsigned short word = x.bits;                                                                                \
      asm volatile("st" st ".u8 [%0], %1;" :: "l"(to), "h"(word) : "memory");                                      \
    }                                                                                                              \
    static LS_FN void put(Chunk<1>* to, Chunk<1> x, bool mask) {                                                   \
      unsigned short word = x.bits;                                                                                \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p st" st ".u8 [%0], %1;}"                                \
                   :: "l"(to), "h"(word), "r"((int)mask) : "memory");                                              \
    }                                                                                                              \
    static LS_FN void get(const Chunk<2>* from, Chunk<2>& x) {                                                     \
      asm volatile("ld" ld ".u16 %0, [%1];" : "=h"(x.bits) : "l"(from) : "memory");                                \
    }                                                                                                              \
    static LS_FN void get(const Chunk<2>* from, Chunk<2>& x, bool mask) {                                          \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p ld" ld ".u16 %0, [%1];}"                               \
                   : "+h"(x.bits) : "l"(from), "r"((int)mask) : "memory");                                         \
    }                                                                                                              \
    static LS_FN void put(Chunk<2>* to, Chunk<2> x) {                                                              \
      asm volatile("st" st ".u16 [%0], %1;" :: "l"(to), "h"(x.bits) : "memory");                                   \
    }                                                                                                              \
    static LS_FN void put(Chunk<2>* to, Chunk<2> x, bool mask) {                                                   \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p st" st ".u16 [%0], %1;}"                               \
                   :: "l"(to), "h"(x.bits), "r"((int)mask) : "memory");                                            \
    }                                                                                                              \
    static LS_FN void get(const Chunk<4>* from, Chunk<4>& x) {                                                     \
      asm volatile("ld" ld ".u32 %0, [%1];" : "=r"(x.bits) : "l"(from) : "memory");                                \
    }                                                                                                              \
    static LS_FN void get(const Chunk<4>* from, Chunk<4>& x, bool mask) {                                          \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p ld" ld ".u32 %0, [%1];}"                               \
                   : "+r"(x.bits) : "l"(from), "r"((int)mask) : "memory");                                         \
    }                                                                                                              \
    static LS_FN void put(Chunk<4>* to, Chunk<4> x) {                                                              \
      asm volatile("st" st ".u32 [%0], %1;" :: "l"(to), "r"(x.bits) : "memory");                                   \
    }                                                                                                              \
    static LS_FN void put(Chunk<4>* to, Chunk<4> x, bool mask) {                                                   \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %2, 0; @p st" st ".u32 [%0], %1;}"                               \
                   :: "l"(to), "r"(x.bits), "r"((int)mask) : "memory");                                            \
    }                                                                                                              \
    static LS_FN void get(const Chunk<8>* from, Chunk<8>& x) {                                                     \
      asm volatile("ld" ld ".v2.u32 {%0, %1}, [%2];" : "=r"(x.bits[0]), "=r"(x.bits[1]) : "l"(from) : "memory");   \
    }                                                                                                              \
    static LS_FN void get(const Chunk<8>* from, Chunk<8>& x, bool mask) {                                          \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %3, 0; @p ld" ld ".v2.u32 {%0, %1}, [%2];}"                      \
                   : "+r"(x.bits[0]), "+r"(x.bits[1]) : "l"(from), "r"((int)mask) : "memory");                     \
    }                                                                                                              \
    static LS_FN void put(Chunk<8>* to, Chunk<8> x) {                                                              \
      asm volatile("st" st ".v2.u32 [%0], {%1, %2};" :: "l"(to), "r"(x.bits[0]), "r"(x.bits[1]) : "memory");       \
    }                                                                                                              \
    static LS_FN void put(Chunk<8>* to, Chunk<8> x, bool mask) {                                                   \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %3, 0; @p st" st ".v2.u32 [%0], {%1, %2};}"                      \
                   :: "l"(to), "r"(x.bits[0]), "r"(x.bits[1]), "r"((int)mask) : "memory");                         \
    }                                                                                                              \
    static LS_FN void get(const Chunk<16>* from, Chunk<16>& x) {                                                   \
      asm volatile("ld" ld ".v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x.bits[0]), "=r"(x.bits[1]), "=r"(x.bits[2]), "=r"(x.bits[3]) : "l"(from) : "memory");\
    }                                                                                                              \
    static LS_FN void get(const Chunk<16>* from, Chunk<16>& x, bool mask) {                                        \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %5, 0; @p ld" ld ".v4.u32 {%0, %1, %2, %3}, [%4];}"              \
                   : "+r"(x.bits[0]), "+r"(x.bits[1]), "+r"(x.bits[2]), "+r"(x.bits[3]) : "l"(from), "r"((int)mask) : "memory");\
    }                                                                                                              \
    static LS_FN void put(Chunk<16>* to, Chunk<16> x) {                                                            \
      asm volatile("st" st ".v4.u32 [%0], {%1, %2, %3, %4};" :: "l"(to), "r"(x.bits[0]), "r"(x.bits[1]), "r"(x.bits[2]), "r"(x.bits[3]) : "memory");\
    }                                                                                                              \
    static LS_FN void put(Chunk<16>* to, Chunk<16> x, bool mask) {                                                 \
      asm volatile("{.reg .pred p; setp.ne.b32 p, %5, 0; @p st" st ".v4.u32 [%0], {%1, %2, %3, %4};}"              \
                   :: "l"(to), "r"(x.bits[0]), "r"(x.bits[1]), "r"(x.bits[2]), "r"(x.bits[3]), "r"((int)mask) : "memory");\
    }                                                                                                              \
  };
LS_POLICY(Plain, ".global", ".global")
LS_POLICY(Volatile, ".volatile.global", ".volatile.global")
LS_POLICY(CacheAll, ".global.ca", ".global.wb")
LS_POLICY(CacheGlobal, ".global.cg", ".global.cg")
LS_POLICY(CacheStreaming, ".global.cs", ".global.cs")
LS_POLICY(CacheNone, ".global.cv", ".global.wt")
LS_POLICY(EvictFirst, ".global.L1::evict_first", ".global.L1::evict_first")
LS_POLICY(EvictLast, ".global.L1::evict_last", ".global.L1::evict_last")

// The loads before this are all on their way when what follows begins: a way out that no thread takes ends a basic block
// of the assembler, which would else wait for the first load to save registers for the last.
LS_FN void start_loads() { asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0; @p exit;}" ::"r"(blockDim.x) : "memory"); }

template <int W, class T> union Piece {
  Chunk<W * sizeof(T)> chunk;
  T elements[W];
};
template <int W, class P = Plain, class T> LS_FN void load(T* to, const T* from) {
  Piece<W, T> piece;
  P::get(reinterpret_cast<const Chunk<W * sizeof(T)>*>(from), piece.chunk);
  copy_elements<W>(to, piece.elements);
}
template <int W, class P = Plain, class T> LS_FN void load(T* to, const T* from, bool mask) {
  Piece<W, T> piece;
  piece.chunk = Chunk<W * sizeof(T)>{};
  P::get(reinterpret_cast<const Chunk<W * sizeof(T)>*>(from), piece.chunk, mask);
  copy_elements<W>(to, piece.elements);
}
template <int W, class P = Plain, class T> LS_FN void load(T* to, const T* from, bool mask, const T* other) {
  Piece<W, T> piece;
  copy_elements<W>(piece.elements, other);
  P::get(reinterpret_cast<const Chunk<W * sizeof(T)>*>(from), piece.chunk, mask);
  copy_elements<W>(to, piece.elements);
}
template <int W, class P = Plain, class T> LS_FN void load(T* to, const T* from, bool mask, T other) {
  T others[W];
  LS_EACH_FROM(i, 0, W) others[i] = other;
  load<W, P>(to, from, mask, static_cast<const T*>(others));
}
template <int W, class P = Plain, class T> LS_FN void store(T* to, const T* from) {
  Piece<W, T> piece;
  copy_elements<W>(piece.elements, from);
  P::put(reinterpret_cast<Chunk<W * sizeof(T)>*>(to), piece.chunk);
}
template <int W, class P = Plain, class T> LS_FN void store(T* to, const T* from, bool mask) {
  Piece<W, T> piece;
  copy_elements<W>(piece.elements, from);
  P::put(reinterpret_cast<Chunk<W * sizeof(T)>*>(to), piece.chunk, mask);
}
template <int W, class P = Plain, class T> LS_FN void store(T* to, T value) {
  T values[W];
  LS_EACH_FROM(i, 0, W) values[i] = value;
  store<W, P>(to, static_cast<const T*>(values));
}
template <int W, class P = Plain, class T> LS_FN void store(T* to, T value, bool mask) {
  T values[W];
  LS_EACH_FROM(i, 0, W) values[i] = value;
  store<W, P>(to, static_cast<const T*>(values), mask);
}

// W neighbours of a row-major tile in shared memory with a gap of 16 bytes every `Gap`, from element `index` on.
template <int W, int Gap, class T> LS_FN Chunk<W * sizeof(T)>* gapped(char* base, int index) {
  const int byte = index * (int)sizeof(T);
  return reinterpret_cast<Chunk<W * sizeof(T)>*>(base + byte + byte / Gap * 16);
}
template <int W, int Gap, class T> LS_FN void give(char* base, int index, const T* from) {
  Piece<W, T> piece;
  copy_elements<W>(piece.elements, from);
  *gapped<W, Gap, T>(base, index) = piece.chunk;
}
template <int W, int Gap, class T> LS_FN void take(T* to, char* base, int index) {
  Piece<W, T> piece;
  piece.chunk = *gapped<W, Gap, T>(base, index);
  copy_elements<W>(to, piece.elements);
}
// The number whose bits are those of `index` outside the set.
template <int Set> constexpr LS_FN int without_bits(int index) {
  if constexpr (Set == 0) {
    return index;
  } else {
    constexpr int kBelow = (Set & -Set) - 1;
    return without_bits<(Set & (Set - 1)) / 2>((index & kBelow) | (index / 2 & ~kBelow));
  }
}
// The same of a sum without carries: a thread's part, a constant.
template <int Set> LS_FN int without_bits(int thread, int constant) {
  return without_bits<Set>(thread) + without_bits<Set>(constant);
}
// A row-major tile in shared memory, with a gap of 16 bytes every 128.
template <class T> LS_FN T& padded(char* base, int index) {
  const int byte = index * (int)sizeof(T);
  return *reinterpret_cast<T*>(base + byte + (byte >> 7) * 16);
}

template <class T> LS_FN T shuffle_words(T x, int lanes) {
  union { T value; unsigned words[(sizeof(T) + 3) / 4]; } both{};
  both.value = x;
  LS_EACH_FROM(i, 0, (int)((sizeof(T) + 3) / 4)) both.words[i] = __shfl_xor_sync(0xffffffffu, both.words[i], lanes);
  return both.value;
}
template <class T> LS_FN T shuffle_xor(T x, int lanes) { return shuffle_words(x, lanes); }
// What the lane numbered `from` (modulo 32) has.
template <class T> LS_FN T shuffle_from(T x, int from) {
  union { T value; unsigned words[(sizeof(T) + 3) / 4]; } both{};
  both.value = x;
  LS_EACH_FROM(i, 0, (int)((sizeof(T) + 3) / 4)) both.words[i] = __shfl_sync(0xffffffffu, both.words[i], from & 31);
  return both.value;
}

// ---- atomics without an instruction ----------------------------------------------------------------------------------
// Compare-and-swap of a byte through its word; `swap` is that of words.
template <class Swap>
LS_FN unsigned char swap_byte(unsigned char* to, unsigned char expected, unsigned char value, Swap swap) {
  const unsigned long long address = (unsigned long long)to;
  unsigned* word = reinterpret_cast<unsigned*>(address & ~3ull);
  const int shift = (int)(address & 3) * 8;
  unsigned seen = *(volatile unsigned*)word;
  while (true) {
    if ((unsigned char)(seen >> shift) != expected) return (unsigned char)(seen >> shift);
    const unsigned old = swap(word, seen, (seen & ~(0xffu << shift)) | (unsigned)value << shift);
    if (old == seen) return expected;
    seen = old;
  }
}
// *to = next(*to), indivisibly; the old value. W: an unsigned integer of T's size.
template <class W, class T, class Swap, class Next> LS_FN T update_by_swaps(T* to, Swap swap, Next next) {
  W* words = reinterpret_cast<W*>(to);
  W seen = *(volatile W*)words;
  while (true) {
    const W old = swap(words, seen, bits_as<W>(next(bits_as<T>(seen))));
    if (old == seen) return bits_as<T>(old);
    seen = old;
  }
}
LS_FN unsigned long long global_time() {
  unsigned long long time;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
  return time;
}
// Waits until read(from) is `expected`.
template <class T, class Read> LS_FN bool wait_until(const T* from, T expected, Read read) {
  while (read(from) != expected) {
  }
  return true;
}
// The same for `timeout` nanoseconds at most; looks at least once.
template <class T, class Read> LS_FN bool wait_until(const T* from, T expected, Read read, unsigned long long timeout) {
  const unsigned long long begin = global_time();
  while (read(from) != expected) {
    if (global_time() - begin >= timeout) return read(from) == expected;
  }
  return true;
}

// ---- registers of inline assembly ------------------------------------------------------------------------------------
template <class T> LS_FN unsigned long long raw_bits(T x) {
  union { unsigned long long word; T value; } both;
  both.word = 0;
  both.value = x;
  return both.word;
}
// Neighbours in one register, the first in the low bits.
template <class W, class... T> LS_FN W word_of(T... elements) {
  unsigned long long bits = 0;
  int shift = 0;
  ((bits |= raw_bits(elements) << shift, shift += 8 * (int)sizeof(T)), ...);
  union { unsigned long long word; W value; } both;
  both.word = bits;
  return both.value;
}
template <class T, class W> LS_FN T element_of(W word, int i) {
  union { unsigned long long word; T value; } both;
  both.word = raw_bits(word) >> (8 * (int)sizeof(T) * i);
  return both.value;
}
