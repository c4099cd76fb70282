// Loads and stores of whole tiles whose pointers and masks come in every form, against an oracle that goes lane by
// lane; and that gathered rows are moved as rows.
#include "interpreter/access/access_rows.h"
#include "tests/unit/interpreter/tile_fixture.h"

namespace lockstep::interpreter {
namespace {

constexpr std::int64_t kElements = 8192;

/// One access with random pointers, mask and other into its own memory; everything lies inside.
class AccessLab : public TileLab {
 public:
  AccessLab(unsigned seed, ScalarKind kind) : TileLab(seed), bytes(size_bytes(kind)), value_kind(kind) {
    memory.resize(static_cast<std::size_t>(kElements * bytes));
    for (char& byte : memory) byte = static_cast<char>(kind == ScalarKind::i1 ? below(2) : below(256));
    ViewRange view;
    view.begin = reinterpret_cast<std::uint64_t>(memory.data());
    view.end = view.begin + memory.size();
    view.is_dense = true;
    launch.views.push_back(view);
  }

  void choose() {
    const auto extents = shape(9);
    pointers = type_of(ScalarKind::pointer, extents);
    offsets = type_of(ScalarKind::i32, extents);
    masks = type_of(ScalarKind::i1, extents);
    values = type_of(value_kind, extents);
    access = Access{};
    access.pointer = &pointers;
    access.mask_type = &masks;
    access.set_value(values);
    access.is_read_again = below(3) == 0;
    launch.views[0].is_constant = below(2) == 0;
  }

  /// base + small strides, or rows of them, or the same densely. Holds a count.
  Tile pointer() {
    AffineView view;
    view.base = below(100);
    const bool is_packed = often();  // rows of neighbours
    std::int64_t next = 1;
    for (std::size_t d = pointers.shape.size(); d-- > 0;) {
      view.stride[d] = is_packed ? next : below(60) - 30;
      next = is_packed ? next * pointers.shape[d] : next;
    }
    if (below(3) == 0 && pointers.shape.size() == 2) std::swap(view.stride[0], view.stride[1]);
    if (below(6) == 0) view.stride = {};
    Tile plain, shifted, made;
    EXPECT_TRUE(from_affine(view, offsets, plain));
    const Tile start = uniform_tile(launch.views[0].begin + static_cast<std::uint64_t>(kElements / 2 * bytes), 0);
    const Temporary index(*machine, small_index());
    const bool adds = below(2) == 0 && add_rows(*machine, plain, *index, offsets, false, shifted);
    const Temporary offset(*machine, adds ? shifted : plain);
    EXPECT_TRUE(offset_pointer(start, pointers, *offset, offsets, bytes, made) ||
                offset_pointer_rows(*machine, start, pointers, *offset, offsets, bytes, made));
    if (below(4) != 0) return made;
    const Temporary held(*machine, made);
    return make_contiguous(*machine, *held, pointers);
  }
  Tile small_index() {
    const Tile made = dense(offsets, true);
    auto* at = reinterpret_cast<std::int32_t*>(made.data());
    std::int64_t own = 1;
    for (std::size_t d = 0; d < offsets.shape.size(); ++d) own *= made.stride[d] == 0 ? 1 : offsets.shape[d];
    for (std::int64_t i = 0; i < own; ++i) at[i] = static_cast<std::int32_t>(below(600) - 300);
    return made;
  }
  std::uint64_t at(std::uint64_t address) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, reinterpret_cast<const void*>(address), static_cast<std::size_t>(bytes));
    return bits;
  }

  int bytes;
  ScalarKind value_kind;
  std::vector<char> memory;
  TileType pointers, offsets, masks, values;
  Access access;
  Step step;
};

class AccessForms : public testing::TestWithParam<ScalarKind> {};

TEST_P(AccessForms, LoadsAreThoseOfLanes) {
  AccessLab lab(11, GetParam());
  int rows = 0, in_place = 0;
  for (int round = 0; round < 4000; ++round) {
    lab.choose();
    const Temporary pointer(*lab.machine, lab.pointer()), mask(*lab.machine, lab.any(lab.masks)),
        other(*lab.machine, lab.dense(lab.values, lab.often()));
    const bool has_mask = lab.often();
    Lanes lanes{&*pointer, has_mask ? &*mask : nullptr, nullptr};
    const Tile seven = uniform_tile(1);
    if (has_mask && lab.often()) lanes.other = lab.often() ? &seven : &*other;
    const auto addresses = lab.elements(*pointer, lab.pointers), admitted = lab.elements(*mask, lab.masks);
    const auto others = lanes.other != nullptr ? lab.elements(*lanes.other, lab.values) : std::vector<std::uint64_t>();
    const Temporary out(*lab.machine, load_tile(*lab.machine, &lab.step, lab.access, lanes));
    const auto got = lab.elements(*out, lab.values);
    for (std::size_t i = 0; i < got.size(); ++i) {
      const bool is_active = !has_mask || admitted[i] != 0;
      const std::uint64_t wanted = is_active ? lab.at(addresses[i]) : lanes.other != nullptr ? others[i] : 0;
      ASSERT_EQ(got[i], wanted) << "round " << round << " lane " << i;
    }
    in_place += out->form == Form::dense && out->buffer == nullptr ? 1 : 0;
    Tile taken;
    if (pointer->form == Form::gather && !has_mask) {
      ASSERT_TRUE(load_rows(*lab.machine, lab.access, lanes, taken));
      ++rows;
    }
    lab.machine->pool.release(taken);
  }
  EXPECT_GT(rows, 20);
  EXPECT_GT(in_place, GetParam() == ScalarKind::i1 ? -1 : 100);
}

TEST_P(AccessForms, StoresAreThoseOfLanes) {
  AccessLab lab(12, GetParam());
  int rows = 0;
  for (int round = 0; round < 4000; ++round) {
    lab.choose();
    const Temporary pointer(*lab.machine, lab.pointer()), mask(*lab.machine, lab.any(lab.masks)),
        value(*lab.machine, lab.often() ? lab.dense(lab.values, lab.often()) : uniform_tile(1));
    const bool has_mask = lab.often();
    const Lanes lanes{&*pointer, has_mask ? &*mask : nullptr, nullptr};
    const auto addresses = lab.elements(*pointer, lab.pointers), admitted = lab.elements(*mask, lab.masks);
    const auto elements = lab.elements(*value, lab.values);
    const std::vector<char> before = lab.memory;
    rows += pointer->form == Form::gather && store_rows(*lab.machine, lab.access, lanes, *value) ? 1 : 0;
    std::copy(before.begin(), before.end(), lab.memory.begin());
    store_tile(*lab.machine, &lab.step, lab.access, lanes, *value);
    const std::vector<char> got = lab.memory;
    std::copy(before.begin(), before.end(), lab.memory.begin());
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (has_mask && admitted[i] == 0) continue;
      std::memcpy(reinterpret_cast<void*>(addresses[i]), &elements[i], static_cast<std::size_t>(lab.bytes));
    }
    ASSERT_EQ(got, lab.memory) << "round " << round;
  }
  EXPECT_GT(rows, 20);
}

INSTANTIATE_TEST_SUITE_P(Kinds, AccessForms,
                         testing::Values(ScalarKind::i1, ScalarKind::i8, ScalarKind::f16, ScalarKind::f32,
                                         ScalarKind::f64));

/// One row outside of the view: nothing is moved as rows, so that the lanes are judged one by one.
TEST(AccessRows, ARowOutsideIsRefused) {
  AccessLab lab(13, ScalarKind::f32);
  const std::vector<std::int64_t> shape{4, 8};
  lab.pointers = TileLab::type_of(ScalarKind::pointer, shape);
  lab.offsets = TileLab::type_of(ScalarKind::i32, shape);
  lab.values = TileLab::type_of(ScalarKind::f32, shape);
  lab.access.pointer = &lab.pointers;
  lab.access.set_value(lab.values);
  for (const std::int32_t last : {0, 8184, 8185, -1}) {
    const TileType column = TileLab::type_of(ScalarKind::i32, {4, 1});
    Tile index = lab.machine->allocate(column), range, offset, pointer, out;
    for (std::int64_t i = 0; i < 4; ++i) {
      const std::int32_t value = i == 2 ? last : 16;
      std::memcpy(index.data() + 4 * i, &value, 4);
    }
    index.stride = {1, 0};
    AffineView view;
    view.stride[1] = 1;
    ASSERT_TRUE(from_affine(view, lab.offsets, range));
    ASSERT_TRUE(add_rows(*lab.machine, index, range, lab.offsets, false, offset));
    ASSERT_TRUE(offset_pointer_rows(*lab.machine, uniform_tile(lab.launch.views[0].begin, 0), lab.pointers, offset,
                                    lab.offsets, 4, pointer));
    EXPECT_EQ(load_rows(*lab.machine, lab.access, {&pointer, nullptr, nullptr}, out), last == 0 || last == 8184);
    const Tile zero = uniform_tile(0);
    EXPECT_EQ(store_rows(*lab.machine, lab.access, {&pointer, nullptr, nullptr}, zero), last == 0 || last == 8184);
    for (Tile* tile : {&index, &offset, &pointer, &out}) lab.machine->pool.release(*tile);
  }
}

}  // namespace
}  // namespace lockstep::interpreter
