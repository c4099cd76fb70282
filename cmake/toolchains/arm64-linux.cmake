# Builds for 64-bit ARM on another Linux with Debian's cross compiler; what was built runs under qemu-user, so that ctest
# works as ever. Invariant: nothing is linked from the host: fmt, spdlog, Boost and Eigen are taken as headers, GoogleTest is
# compiled along, libz.a is unpacked into .cache/arm64 (./dev setup arm64). Not here: the Python package, CUDA.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)  # GoogleTest asks for one
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR "qemu-aarch64-static;-L;/usr/aarch64-linux-gnu")

set(lockstep_arm64 ${CMAKE_CURRENT_LIST_DIR}/../../.cache/arm64/usr)
set(ZLIB_INCLUDE_DIR ${lockstep_arm64}/include CACHE PATH "zlib for arm64")
set(ZLIB_LIBRARY ${lockstep_arm64}/lib/aarch64-linux-gnu/libz.a CACHE FILEPATH "zlib for arm64")
# The configuration files of fmt, spdlog and Boost are the host's: of them only the headers are used.
file(GLOB lockstep_host_packages /usr/lib/*-linux-gnu/cmake)
list(APPEND CMAKE_PREFIX_PATH ${lockstep_host_packages})
