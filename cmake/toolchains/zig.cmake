# The compiler of the wheels (./dev wheels): clang with its own C++ library from the package ziglang of the Python index. It
# compiles for every platform from any other and links against any version of glibc. Included by wheel-*.cmake, which set
# LOCKSTEP_ZIG_TARGET. Invariant: each target has a cache of its own, because zig compiles its libraries at first use.
get_filename_component(lockstep_root ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)
file(GLOB lockstep_zig ${lockstep_root}/.cache/zig/lib/python3*/site-packages/ziglang/zig)
if(NOT lockstep_zig)
  message(FATAL_ERROR "There is no ${lockstep_root}/.cache/zig: ./dev wheels makes it")
endif()
set(LOCKSTEP_ZIG ${lockstep_zig})

# CMake and ccache want a compiler to be one file.
set(lockstep_zig_tools ${lockstep_root}/.cache/zig/targets/${LOCKSTEP_ZIG_TARGET})
foreach(tool c++ cc ar ranlib)
  set(lockstep_zig_options "")
  if(tool MATCHES "^c")
    set(lockstep_zig_options "-target ${LOCKSTEP_ZIG_TARGET}")
  endif()
  file(CONFIGURE OUTPUT ${lockstep_zig_tools}/${tool} @ONLY CONTENT "#!/bin/sh
export ZIG_GLOBAL_CACHE_DIR='${lockstep_zig_tools}/cache' ZIG_LOCAL_CACHE_DIR='${lockstep_zig_tools}/cache'
exec '${lockstep_zig}' ${tool} ${lockstep_zig_options} \"$@\"
")
  file(CHMOD ${lockstep_zig_tools}/${tool} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endforeach()
set(CMAKE_C_COMPILER ${lockstep_zig_tools}/cc)
set(CMAKE_CXX_COMPILER ${lockstep_zig_tools}/c++)
set(CMAKE_AR ${lockstep_zig_tools}/ar CACHE FILEPATH "")
set(CMAKE_RANLIB ${lockstep_zig_tools}/ranlib CACHE FILEPATH "")
foreach(kind PROGRAM LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} NEVER)
endforeach()
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  set(CMAKE_INSTALL_NAME_TOOL /bin/true CACHE FILEPATH "" FORCE)  # CMake asks for one; run paths are linked in and never changed
endif()
