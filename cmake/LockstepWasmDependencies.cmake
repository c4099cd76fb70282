# The packages of a build for WebAssembly: headers alone, of the host. A folder with links to them is made so that the host's
# C library stays out of sight. There is no zlib: driver/files/inflate has code of its own.
set(lockstep_wasm_headers ${CMAKE_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${lockstep_wasm_headers})
foreach(library boost fmt nlohmann spdlog CLI)
  file(CREATE_LINK /usr/include/${library} ${lockstep_wasm_headers}/${library} SYMBOLIC)
endforeach()

add_library(lockstep_wasm INTERFACE)
target_include_directories(lockstep_wasm SYSTEM INTERFACE ${lockstep_wasm_headers} /usr/include/eigen3)
target_compile_definitions(lockstep_wasm INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY SPDLOG_NO_THREAD_ID)
foreach(package Boost::headers Eigen3::Eigen nlohmann_json::nlohmann_json)
  add_library(${package} INTERFACE IMPORTED)
  target_link_libraries(${package} INTERFACE lockstep_wasm)
endforeach()
add_library(Threads::Threads INTERFACE IMPORTED)  # one thread: nothing is made that would need another
set(LOCKSTEP_LOGGING lockstep_wasm)
set(LOCKSTEP_ZLIB "")
set(LOCKSTEP_HEADER_ONLY ON)

# What needs sockets, a terminal or a GPU library.
set(LOCKSTEP_NOT_IN_WASM "backend_cuda/|fuzz/|gpu_diff/(bisect|bisect_run|bisect_text|gpu_launch|op_matching|storage_snapshot)\\.cpp|debugger/(serve|trace)/|driver/files/deflate\\.cpp|debugger/launch/made_again_gpu\\.cpp|debugger/terminal/line_input\\.cpp|debugger/dap/transport/(stream|server)\\.cpp")
add_compile_definitions(LOCKSTEP_NO_CUDA LOCKSTEP_NO_ZLIB)
add_compile_options(-fwasm-exceptions -msimd128 "SHELL:-include ${CMAKE_SOURCE_DIR}/support/wasm_library.h" -Wno-unknown-warning-option)
add_link_options(-fwasm-exceptions)
