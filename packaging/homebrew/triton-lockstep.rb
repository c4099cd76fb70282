# The command from source; the Python package comes by pip. Not installed by `brew` yet; tools/make_packages.py puts in the
# folder that the release's files lie in and the hash.
class TritonLockstep < Formula
  desc "Runs and explains Triton kernels without a GPU"
  homepage "@HOMEPAGE@"
  url "@FOLDER@/triton_lockstep-0.1.0.tar.gz"
  sha256 "@SHA256@"
  license "Apache-2.0"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "eigen" => :build
  depends_on "fmt" => :build
  depends_on "ninja" => :build
  depends_on "nlohmann-json" => :build
  depends_on "spdlog" => :build
  uses_from_macos "zlib"

  def install
    system "cmake", "-S", ".", "-B", "build", "-G", "Ninja", "-DLOCKSTEP_TESTS=OFF", "-DLOCKSTEP_PYTHON_PACKAGE=OFF",
           "-DLOCKSTEP_CUDA=OFF", "-DLOCKSTEP_WERROR=OFF", "-DLOCKSTEP_HEADER_ONLY=ON", *std_cmake_args
    system "cmake", "--build", "build", "--target", "lockstep_executable"
    bin.install "build/lockstep"
    man1.install "packaging/share/man/man1/lockstep.1"
    bash_completion.install "packaging/share/bash-completion/completions/lockstep"
    zsh_completion.install "packaging/share/zsh/site-functions/_lockstep"
    fish_completion.install "packaging/share/fish/vendor_completions.d/lockstep.fish"
  end

  test do
    assert_match "lockstep #{version}", shell_output("#{bin}/lockstep --version")
    (testpath/"fill.py").write <<~PYTHON
      import triton
      import triton.language as tl

      @triton.jit
      def fill(x, value, BLOCK: tl.constexpr):
          tl.store(x + tl.arange(0, BLOCK), value)
    PYTHON
    assert_match "findings: none", shell_output("#{bin}/lockstep run fill.py::fill --grid 1 x=empty:f32[8] value=1.5 BLOCK=8")
    shell_output("#{bin}/lockstep run fill.py::fill --grid 1 x=empty:f32[7] value=1.5 BLOCK=8", 1)
  end
end
