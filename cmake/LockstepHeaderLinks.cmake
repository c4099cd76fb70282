# Headers of the host's C++ libraries for another target: a folder with a link to each library's headers, so that of
# /usr/include nothing else (the host's C library above all) is in sight. Eigen lies in a folder of its own.
# lockstep_header_links(TARGET): an interface library with these headers, fmt and spdlog without their libraries, under the
# names that the rooms link.
function(lockstep_header_links target)
  set(links ${CMAKE_BINARY_DIR}/headers)
  file(MAKE_DIRECTORY ${links})
  foreach(library boost fmt nlohmann spdlog CLI)
    find_path(LOCKSTEP_HEADERS_${library} ${library} PATHS /usr/include /usr/local/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
    file(CREATE_LINK ${LOCKSTEP_HEADERS_${library}}/${library} ${links}/${library} SYMBOLIC)
  endforeach()
  find_path(LOCKSTEP_HEADERS_eigen3 Eigen/Core PATHS /usr/include/eigen3 /usr/local/include/eigen3 NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${links} ${LOCKSTEP_HEADERS_eigen3})
  target_compile_definitions(${target} INTERFACE SPDLOG_FMT_EXTERNAL FMT_HEADER_ONLY)
  foreach(package Boost::headers Eigen3::Eigen nlohmann_json::nlohmann_json)
    add_library(${package} INTERFACE IMPORTED GLOBAL)
    target_link_libraries(${package} INTERFACE ${target})
  endforeach()
  add_library(Threads::Threads INTERFACE IMPORTED GLOBAL)  # of the C library itself
endfunction()
