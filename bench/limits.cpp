// The machine's physical limits beside which bench/compare.py and bench/growth.py put Lockstep's times:
//   lockstep_limits_vN copy BYTES THREADS SECONDS    copies that much from one buffer to another, in place of a kernel
//   lockstep_limits_vN gemm N THREADS SECONDS        Eigen's f32 product of two N x N matrices
// Prints the shortest time of one in seconds. Built once per instruction set (v3, v4); measures nothing of Lockstep.
#include <Eigen/Core>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

namespace {

double seconds_now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// The shortest time of `work` when it is done again and again for `seconds`, at least three times.
double shortest(double seconds, const std::function<void()>& work) {
  work();
  double best = std::numeric_limits<double>::infinity();
  const double end = seconds_now() + seconds;
  for (int done = 0; done < 3 || seconds_now() < end; ++done) {
    const double start = seconds_now();
    work();
    best = std::min(best, seconds_now() - start);
  }
  return best;
}

double copy(std::size_t bytes, int threads, double seconds) {
  std::vector<char> from(bytes, 1), to(bytes, 2);
  return shortest(seconds, [&] {
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int part = 0; part < threads; ++part) {
      const auto at = [&](int which) {
        return bytes * static_cast<std::size_t>(which) / static_cast<std::size_t>(threads);
      };
      std::memcpy(to.data() + at(part), from.data() + at(part), at(part + 1) - at(part));
    }
  });
}

double gemm(int n, int threads, double seconds) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Matrix a = Matrix::Random(n, n), b = Matrix::Random(n, n);
  Matrix product(n, n);
  Eigen::setNbThreads(threads);
  return shortest(seconds, [&] { product.noalias() = a * b; });
}

}  // namespace

int main(int count, char** words) {
  if (count != 5) {
    std::cerr << "usage: " << words[0] << " copy BYTES THREADS SECONDS | gemm N THREADS SECONDS\n";
    return 2;
  }
  const std::string what = words[1];
  const long size = std::max(1L, std::atol(words[2]));
  const int threads = std::max(1, std::atoi(words[3]));
  const double seconds = std::atof(words[4]);
  std::cout << (what == "gemm" ? gemm(static_cast<int>(size), threads, seconds)
                               : copy(static_cast<std::size_t>(size), threads, seconds))
            << std::endl;
}
