// `why` held against the launch itself: slice_check ROOT
// For elements of the outputs of softmax, matmul, attention, layer norm, a split sum through atomics and a gather: if
// everything that the slice does not name is filled with other numbers, the element keeps its bytes; each of (a sample
// of) the input elements that it names changes them. Prints what fails; exit code 1 then.
#include <cstring>
#include <iostream>
#include <random>

#include "debugger/engine/engine.h"
#include "debugger/queries/slice.h"
#include "support/float_formats.h"
#include "tests/debugger/launches.h"

namespace {

using namespace lockstep;
using debugger::ByteRange;
using debugger::Engine;

struct Case {
  const char* name;
  std::string launch;
  std::string output;
  std::vector<std::int64_t> index;
  std::vector<std::string> floats;  // arguments whose elements may be any numbers
};

std::uint64_t address_of(const driver::PreparedLaunch& session, const std::string& name,
                         const std::vector<std::int64_t>& index) {
  const auto& view = session.memory().view(session.find_tensor(name)->view);
  std::int64_t slot = 0;
  for (std::size_t d = 0; d < index.size(); ++d) slot += index[d] * view.strides[d];
  return view.base + static_cast<std::uint64_t>(slot) * static_cast<std::uint64_t>(size_bytes(view.element));
}

/// A change of a fresh session's memory: byte offsets within tensors.
struct Place {
  std::string tensor;
  std::uint64_t offset = 0;
};

class Check {
 public:
  explicit Check(const Case& wanted) : case_(wanted), words_(tests::split("lockstep run " + wanted.launch)) {}

  int run() {
    DiagnosticSink sink;
    session_ = tests::session_of(words_, sink);
    if (session_ == nullptr) return fail("the launch is refused");
    const auto request = session_->request();
    engine_ = Engine::make(*request.module, *request.function, request.profile, request, {}, sink);
    engine_->go(debugger::Direction::forward, {});
    const std::uint64_t at = address_of(*session_, case_.output, case_.index);
    const auto width = static_cast<std::uint64_t>(
        size_bytes(session_->memory().view(session_->find_tensor(case_.output)->view).element));
    slice_ = *find_slice(*engine_, {at, at + width});
    if (slice_.steps.empty()) return fail("nobody wrote it");
    plain_ = result_with({}, 0);
    return others_do_not_matter() + each_named_matters();
  }

 private:
  int fail(const std::string& what) {
    std::cout << case_.name << ": " << what << "\n";
    return 1;
  }

  bool is_named(std::uint64_t address) const {
    for (const ByteRange& range : slice_.inputs) {
      if (range.begin <= address && address < range.end) return true;
    }
    return false;
  }
  /// Elements of the float arguments, those that the slice names or the others.
  std::vector<Place> elements(bool named) const {
    std::vector<Place> found;
    for (const std::string& name : case_.floats) {
      const auto& view = session_->memory().view(session_->find_tensor(name)->view);
      const auto width = static_cast<std::uint64_t>(size_bytes(view.element));
      for (std::uint64_t at = view.extent.begin; at < view.extent.end; at += width) {
        if (is_named(at) == named) found.push_back({name, at - view.extent.begin});
      }
    }
    return found;
  }

  /// The element's bytes of a fresh launch in which these elements are others.
  std::string result_with(const std::vector<Place>& changed, unsigned seed) {
    DiagnosticSink sink;
    const auto session = tests::session_of(words_, sink);
    std::mt19937 random(seed);
    for (const Place& place : changed) {
      const auto& view = session->memory().view(session->find_tensor(place.tensor)->view);
      char* at = interpreter::bytes_at(view.extent.begin + place.offset);
      const auto width = static_cast<std::size_t>(size_bytes(view.element));
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, width);
      const double shift = 0.25 + static_cast<double>(random() % 64) / 64;
      bits = encode_float(view.element, decode_float(view.element, bits) * -1.5 + shift);
      std::memcpy(at, &bits, width);
    }
    auto request = session->request();
    request.threads = 1;
    interpreter::launch(request, sink);
    const auto& view = session->memory().view(session->find_tensor(case_.output)->view);
    return {interpreter::bytes_at(address_of(*session, case_.output, case_.index)),
            static_cast<std::size_t>(size_bytes(view.element))};
  }

  int others_do_not_matter() {
    const auto others = elements(false);
    if (others.empty()) return fail("it names everything");
    for (unsigned seed = 1; seed <= 3; ++seed) {
      if (result_with(others, seed) != plain_) return fail("what it does not name matters");
    }
    return 0;
  }

  int each_named_matters() {
    const auto named = elements(true);
    if (named.empty()) return fail("it names nothing");
    std::size_t tried = 0, mattered = 0;
    for (std::size_t i = 0; i < named.size(); i += 1 + named.size() / 40) {
      ++tried;
      mattered += result_with({named[i]}, 7) != plain_ ? std::size_t{1} : 0;
    }
    std::cout << case_.name << ": " << slice_.steps.size() << " steps, " << named.size() << " elements named, "
              << mattered << " of " << tried << " tried ones change it\n";
    return mattered * 10 >= tried * 9 ? 0 : fail("names elements that do not matter");
  }

  Case case_;
  std::vector<std::string> words_;
  std::unique_ptr<driver::PreparedLaunch> session_;
  std::unique_ptr<Engine> engine_;
  debugger::Slice slice_;
  std::string plain_;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"softmax",
       "examples/softmax.py::softmax --grid rows x=randn:f32[20,33] out=empty:f32[20,33] x_stride=33 out_stride=33 "
       "rows=20 columns=33 BLOCK=64",
       "out",
       {17, 3},
       {"x"}},
      {"matmul",
       "examples/matmul.py::matmul --grid 12 a=randn:f32[50,44] b=randn:f32[44,36] out=empty:f32[50,36] m=50 n=36 k=44 "
       "a_row=44 a_column=1 b_row=36 b_column=1 out_row=36 out_column=1 TILE_M=16 TILE_N=16 TILE_K=16 GROUP=2",
       "out",
       {17, 3},
       {"a", "b"}},
      {"attention",
       "examples/attention.py::attention --grid 2,2 q=randn:f16[2,32,16] k=randn:f16[2,32,16] v=randn:f16[2,32,16] "
       "out=empty:f16[2,32,16] heads=2 length=32 head_stride=512 scale=0.25 TILE_M=16 TILE_N=16 DEPTH=16",
       "out",
       {1, 17, 3},
       {"q", "k", "v"}},
      {"layer norm",
       "examples/layer_norm.py::layer_norm --grid 9 x=randn:f32[9,24] weight=randn:f32[24] bias=randn:f32[24] "
       "out=zeros:f32[9,24] mean=zeros:f32[9] rstd=zeros:f32[9] x_stride=24 rows=9 columns=24 eps=1e-5 BLOCK=32",
       "out",
       {5, 7},
       {"x", "weight", "bias"}},
      {"sum through memory",
       "tests/debugger/kernels.py::two_stages --grid 9 x=randn:f32[8,16] partial=zeros:f32[8] count=zeros:i32[1] "
       "out=zeros:f32[8] PARTS=8 N=16",
       "out",
       {2},
       {"x"}},
      {"gather",
       "tests/debugger/kernels.py::pick --grid 4 x=randn:f32[64] index=randint(0,64):i32[32] out=zeros:f32[32] N=8",
       "out",
       {11},
       {"x"}},
  };
  return all;
}

}  // namespace

int main(int, char** argv) {
  std::filesystem::current_path(argv[1]);
  int failed = 0;
  for (const Case& one : cases()) failed += Check(one).run() != 0 ? 1 : 0;
  return failed == 0 ? 0 : 1;
}
