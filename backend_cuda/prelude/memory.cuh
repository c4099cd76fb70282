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
template <int W, class T> LS_FN void load(T* to, const T* from) {
  union { Chunk<W * sizeof(T)> chunk; T elements[W]; } both;
  both.chunk = *reinterpret_cast<const Chunk<W * sizeof(T)>*>(from);
  copy_elements<W>(to, both.elements);
}
template <int W, class T> LS_FN void load(T* to, const T* from, bool mask) {
  union { Chunk<W * sizeof(T)> chunk; T elements[W]; } both;
  both.chunk = Chunk<W * sizeof(T)>{};
  if (mask) both.chunk = *reinterpret_cast<const Chunk<W * sizeof(T)>*>(from);
  copy_elements<W>(to, both.elements);
}
template <int W, class T> LS_FN void load(T* to, const T* from, bool mask, const T* other) {
  union { Chunk<W * sizeof(T)> chunk; T elements[W]; } both;
  copy_elements<W>(both.elements, other);
  if (mask) both.chunk = *reinterpret_cast<const Chunk<W * sizeof(T)>*>(from);
  copy_elements<W>(to, both.elements);
}
template <int W, class T> LS_FN void load(T* to, const T* from, bool mask, T other) {
  T others[W];
  LS_EACH_FROM(i, 0, W) others[i] = other;
  load<W>(to, from, mask, static_cast<const T*>(others));
}
template <int W, class T, class... Rest> LS_FN void load_volatile(T* to, const T* from, Rest... rest) {
  asm volatile("" ::: "memory");
  load<W>(to, from, rest...);
  asm volatile("" ::: "memory");
}
template <int W, class T> LS_FN void store(T* to, const T* from) {
  union { Chunk<W * sizeof(T)> chunk; T elements[W]; } both;
  copy_elements<W>(both.elements, from);
  *reinterpret_cast<Chunk<W * sizeof(T)>*>(to) = both.chunk;
}
template <int W, class T> LS_FN void store(T* to, T value) {
  T values[W];
  LS_EACH_FROM(i, 0, W) values[i] = value;
  store<W>(to, static_cast<const T*>(values));
}
template <int W, class T> LS_FN void store(T* to, T value, bool mask) {
  if (mask) store<W>(to, value);
}
template <int W, class T> LS_FN void store(T* to, const T* from, bool mask) {
  if (mask) store<W>(to, from);
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
