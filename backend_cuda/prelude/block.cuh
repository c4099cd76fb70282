// Block pointers and tensor descriptors: blocks of a strided tensor, read and written element by element or, where the
// addresses turn out to allow it, W neighbours at a time.
template <class T> struct NanOf { static LS_FN T of() { return T{}; } };
template <> struct NanOf<float> { static LS_FN float of() { return bits_f32(0x7fc00000u); } };
template <> struct NanOf<double> { static LS_FN double of() { return bits_f64(0x7ff8000000000000ull); } };
template <> struct NanOf<f16> { static LS_FN f16 of() { return f16{0x7e00}; } };
template <> struct NanOf<bf16> { static LS_FN bf16 of() { return bf16{0x7fc0}; } };
template <> struct NanOf<f8e4m3> { static LS_FN f8e4m3 of() { return f8e4m3{0x7f}; } };
template <> struct NanOf<f8e5m2> { static LS_FN f8e5m2 of() { return f8e5m2{0x7f}; } };

template <class T, int R> struct block_pointer {
  T* base;
  long long shape[R], strides[R], offsets[R];  // elements

  LS_FN block_pointer advanced(const int (&by)[R]) const {
    block_pointer to = *this;
    LS_EACH_FROM(d, 0, R) to.offsets[d] = add(to.offsets[d], (long long)by[d]);
    return to;
  }
  LS_FN T* address(const int (&c)[R]) const {
    long long place = 0;
    LS_EACH_FROM(d, 0, R) place += (offsets[d] + c[d]) * strides[d];
    return base + place;
  }
  // Whether element c is inside, and those after it along dimension D; only dimensions of the set Checked count.
  template <unsigned Checked, int D = 0> LS_FN bool is_inside(const int (&c)[R], int after = 0) const {
    bool is = true;
    LS_EACH_FROM(d, 0, R) {
      const long long at = offsets[d] + c[d];
      if (Checked >> d & 1) is = is && at >= 0 && at + (d == D ? after : 0) < shape[d];
    }
    return is;
  }
};

template <class T, int R> struct descriptor {
  T* base;
  long long shape[R], strides[R];  // elements
  long long pads_with_nan;

  LS_FN block_pointer<T, R> block(const long long (&at)[R]) const {
    block_pointer<T, R> made;
    made.base = base;
    LS_EACH_FROM(d, 0, R) made.shape[d] = shape[d], made.strides[d] = strides[d], made.offsets[d] = at[d];
    return made;
  }
};

template <int W, unsigned Checked, int D, class T, int R>
LS_FN void load_block(T* to, const block_pointer<T, R>& block, const int (&c)[R], bool pads_with_nan) {
  const T* from = block.address(c);
  const bool is_whole = block.template is_inside<Checked, D>(c, W - 1);
  if (W > 1 && is_whole && block.strides[D] == 1 && (unsigned long long)from % (W * sizeof(T)) == 0) {
    load<W>(to, from);
    return;
  }
  LS_EACH_FROM(i, 0, W) {
    const bool is_in = is_whole || block.template is_inside<Checked & ~(1u << D)>(c) &&
                                       (!(Checked >> D & 1) || (block.offsets[D] + c[D] + i >= 0 &&
                                                                block.offsets[D] + c[D] + i < block.shape[D]));
    to[i] = pads_with_nan ? NanOf<T>::of() : T{};
    if (is_in) to[i] = from[i * block.strides[D]];
  }
}
template <int W, unsigned Checked, int D, class T, int R>
LS_FN void store_block(const block_pointer<T, R>& block, const int (&c)[R], const T* from) {
  T* to = block.address(c);
  const bool is_whole = block.template is_inside<Checked, D>(c, W - 1);
  if (W > 1 && is_whole && block.strides[D] == 1 && (unsigned long long)to % (W * sizeof(T)) == 0) {
    store<W>(to, from);
    return;
  }
  LS_EACH_FROM(i, 0, W) {
    const bool is_in = is_whole || block.template is_inside<Checked & ~(1u << D)>(c) &&
                                       (!(Checked >> D & 1) || (block.offsets[D] + c[D] + i >= 0 &&
                                                                block.offsets[D] + c[D] + i < block.shape[D]));
    if (is_in) to[i * block.strides[D]] = from[i];
  }
}
