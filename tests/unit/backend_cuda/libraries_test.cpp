// What is found and what is not, by hiding: no test here needs a GPU, a driver or NVRTC.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "backend_cuda/device/driver.h"
#include "backend_cuda/device/nvrtc.h"
#include "backend_cuda/device/shared_library.h"

namespace lockstep::backend_cuda {
namespace {

// Sets an environment variable for one test.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    if (const char* old = std::getenv(name)) old_ = old;
    setenv(name, value.c_str(), 1);
  }
  ~EnvironmentVariable() {
    if (old_) {
      setenv(name_, old_->c_str(), 1);
    } else {
      unsetenv(name_);
    }
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> old_;
};

TEST(Hide, NamesAreWholeWords) {
  const EnvironmentVariable hide("LOCKSTEP_HIDE", "driver,nvrtc");
  EXPECT_TRUE(is_hidden("driver"));
  EXPECT_TRUE(is_hidden("nvrtc"));
  EXPECT_FALSE(is_hidden("toolkit"));
  EXPECT_FALSE(is_hidden("drive"));
}

TEST(Driver, HiddenIsAStatusThatSaysWhatToDo) {
  const EnvironmentVariable hide("LOCKSTEP_HIDE", "driver");
  const auto driver = open_driver();
  ASSERT_FALSE(driver.has_value());
  EXPECT_EQ(driver.error().code.spelling(), "LS3020");
  EXPECT_NE(driver.error().hint.find("running on the CPU does not need it"), std::string::npos);
}

TEST(Driver, AnswersOrSaysWhy) {
  const auto driver = open_driver();
  if (driver) {
    EXPECT_GT((*driver)->facts.version, 0);
    EXPECT_FALSE((*driver)->facts.devices.empty());
  } else {
    EXPECT_EQ(driver.error().code.spelling().substr(0, 5), "LS302");
  }
}

TEST(Nvrtc, HiddenIsAStatus) {
  const EnvironmentVariable hide("LOCKSTEP_HIDE", "nvrtc");
  const auto nvrtc = query_nvrtc();
  ASSERT_FALSE(nvrtc.has_value());
  EXPECT_EQ(nvrtc.error().code.spelling(), "LS3025");
}

TEST(Nvrtc, ChosenPathIsTheOnlyOne) {
  const EnvironmentVariable chosen("LOCKSTEP_NVRTC", "/nonexistent/libnvrtc.so");
  EXPECT_EQ(nvrtc_candidates(), std::vector<std::string>{"/nonexistent/libnvrtc.so"});
  EXPECT_EQ(query_nvrtc().error().code.spelling(), "LS3025");
}

TEST(Nvrtc, AnotherLibraryIsNotTakenForIt) {
  const EnvironmentVariable chosen("LOCKSTEP_NVRTC", "libm.so.6");
  const auto nvrtc = query_nvrtc();
  ASSERT_FALSE(nvrtc.has_value());
  EXPECT_EQ(nvrtc.error().code.spelling(), "LS3026");
}

TEST(Nvrtc, PythonPackageFoldersAreSearched) {
  const std::filesystem::path prefix = std::filesystem::path(testing::TempDir()) / "lockstep_nvrtc_test";
  const std::filesystem::path folder = prefix / "lib/python3.99/site-packages/nvidia/cu13/lib";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "libnvrtc.so.13") << "not a library";
  {
    const EnvironmentVariable none_is_chosen("LOCKSTEP_NVRTC", "");
    const EnvironmentVariable active("VIRTUAL_ENV", prefix.string());
    const auto candidates = nvrtc_candidates();
    EXPECT_NE(std::find(candidates.begin(), candidates.end(), (folder / "libnvrtc.so.13").string()), candidates.end());
  }
  std::filesystem::remove_all(prefix);
}

TEST(SharedLibrary, MissingLibraryAndSymbol) {
  EXPECT_FALSE(SharedLibrary::open({"libdoes-not-exist.so.1", "/nonexistent"}).has_value());
  const auto library = SharedLibrary::open({"libdoes-not-exist.so.1", "libm.so.6"});
  ASSERT_TRUE(library.has_value());
  int (*function)() = nullptr;
  EXPECT_FALSE(library->find("no_such_symbol", function));
  EXPECT_TRUE(library->find("fegetround", function));
}

}  // namespace
}  // namespace lockstep::backend_cuda
