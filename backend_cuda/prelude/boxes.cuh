// ---- boxes of memory by the copy engine (sm_90) ------------------------------------------------------------------------
// What the host knows of a parameter's memory (device/tensor_map.h).
struct __align__(64) tensor_map { char bytes[128]; };

// Barriers in shared memory, 8 bytes each: of S buffers, first those that a copy fills, then those that each warp frees.
template <int S> LS_FN void start_barriers(unsigned at, int warps) {
  LS_EACH_FROM(i, 0, S) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at + 8 * i) : "memory");
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(at + 8 * (S + i)), "r"(warps) : "memory");
  }
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
#endif
}
template <int S> LS_FN void end_barriers(unsigned at) {
  LS_EACH_FROM(i, 0, 2 * S) asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(at + 8 * i) : "memory");
}
// Until the phase of this parity has ended.
LS_FN void wait_barrier(unsigned at, unsigned parity) {
#if __CUDA_ARCH__ >= 900
  asm volatile(
      "{\n.reg .pred done;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n@done bra ready;\nbra again;\nready:\n}"
      ::"r"(at), "r"(parity) : "memory");
#endif
}
LS_FN void arrive_barrier(unsigned at) { asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(at) : "memory"); }
// This thread has come; so many bytes of copies have to come, too.
LS_FN void expect_bytes(unsigned at, int bytes) {
#if __CUDA_ARCH__ >= 900
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at), "r"(bytes) : "memory");
#endif
}
// What this thread has written to any memory is there for the copy engine and for wgmma.
LS_FN void publish_memory() {
#if __CUDA_ARCH__ >= 900
  asm volatile("fence.proxy.async;" ::: "memory");
#endif
}

#if __CUDA_ARCH__ >= 900
LS_FN void copy_panel(unsigned to, const tensor_map& map, const int (&at)[2], int column, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];"
               ::"r"(to), "l"(&map), "r"(at[0] + column), "r"(at[1]), "r"(barrier) : "memory");
}
LS_FN void copy_panel(unsigned to, const tensor_map& map, const int (&at)[3], int column, unsigned barrier) {
  asm volatile("cp.async.bulk.tensor.3d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4}], [%5];"
               ::"r"(to), "l"(&map), "r"(at[0] + column), "r"(at[1]), "r"(at[2]), "r"(barrier) : "memory");
}
LS_FN void copy_panel(unsigned to, const tensor_map& map, const int (&at)[4], int column, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5}], [%6];"
      ::"r"(to), "l"(&map), "r"(at[0] + column), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(barrier) : "memory");
}
LS_FN void copy_panel(unsigned to, const tensor_map& map, const int (&at)[5], int column, unsigned barrier) {
  asm volatile(
      "cp.async.bulk.tensor.5d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3, %4, %5, %6}], [%7];"
      ::"r"(to), "l"(&map), "r"(at[0] + column), "r"(at[1]), "r"(at[2]), "r"(at[3]), "r"(at[4]), "r"(barrier) : "memory");
}
#endif
// R rows of C elements, as they are stored, from the coordinates `at` on; the barrier counts their bytes. CountsPanels: the
// third coordinate counts panels.
template <class T, int R, int C, bool CountsPanels, int N>
LS_FN void copy_box(char* to, const tensor_map& map, const int (&at)[N], unsigned barrier) {
#if __CUDA_ARCH__ >= 900
  using Tile = Panels<T, R, C>;
  LS_EACH_FROM(i, 0, CountsPanels ? 1 : C / Tile::kColumns) {
    copy_panel(shared_address(to) + i * Tile::kPanel, map, at, i * Tile::kColumns, barrier);
  }
#endif
}
// The same by one thread, where a coordinate is negative: then a load reads what lies before, and the copy engine zeros.
template <class T, int R, int C>
LS_FN void copy_slowly(char* to, const T* from, long long stride, long long column, long long columns, long long row,
                       long long rows) {
#pragma unroll 1
  for (int i = 0; i < R * C; ++i) {
    const int r = i / C, c = i % C;
    const bool is_inside = row + r < rows && column + c < columns;
    Panels<T, R, C>::at(to, r, c) = is_inside ? from[r * stride + c] : T{};
  }
}

// The warps that compute wait for each other; the one that copies does not come.
template <int Threads> LS_FN void sync_warps() { asm volatile("bar.sync 1, %0;" ::"n"(Threads) : "memory"); }

// Two groups of four warps multiply in turn: one's products run beside the other's arithmetic.
LS_FN void turn_wait(int barrier) { asm volatile("bar.sync %0, 256;" ::"r"(barrier) : "memory"); }
LS_FN void turn_give(int barrier) { asm volatile("bar.arrive %0, 256;" ::"r"(barrier) : "memory"); }
