# A room is one folder = one static library; sources are found by glob so that adding a file needs no edit here.

add_library(lockstep_build_flags INTERFACE)
target_include_directories(lockstep_build_flags INTERFACE $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}> $<BUILD_INTERFACE:${CMAKE_BINARY_DIR}/generated>
                           $<INSTALL_INTERFACE:include/lockstep>)
target_compile_options(lockstep_build_flags INTERFACE $<BUILD_INTERFACE:-ffp-contract=off>)
target_compile_features(lockstep_build_flags INTERFACE cxx_std_20)

function(lockstep_set_up_target target)
  target_compile_options(${target} PRIVATE ${LOCKSTEP_WARNINGS})
endfunction()

# What differs between the builds of one tree (a toolkit, libedit, isl, the build's facts) is compiled alone, so that nothing else differs.
foreach(source backend_cuda/device/declarations_check debugger/terminal/line_input driver/proving/isl cli/listings/build_facts python/native/native)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/${source}.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endforeach()

# LOCKSTEP_UNITY compiles a room in batches: what a batch's files include is read once. Whoever builds from nothing has them
# (demo, tests, wheels: a third of the time); whoever edits has not (the preset dev: one file per edit).
function(lockstep_in_batches target)
  if(NOT LOCKSTEP_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    if(source MATCHES "\\.cpp$" AND EXISTS ${source})
      file(STRINGS ${source} opens_namespace REGEX "^using namespace " LIMIT_COUNT 1)
      if(opens_namespace)  # it would hold for the files behind it, too
        set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      endif()
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  # A name in a function hides one that another file of the batch keeps to itself: the preset dev warns of those of one file.
  target_compile_options(${target} PRIVATE -Wno-shadow)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -Wno-subobject-linkage)  # it takes a batch for a header
  endif()
endfunction()

# A cold room's time is not what a launch waits for. -O1 compiles it in three quarters of the time.
function(lockstep_set_cold target)
  target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
endfunction()

# lockstep_room(name [COLD] LINK libraries...)
set_property(GLOBAL PROPERTY LOCKSTEP_ROOMS "")
function(lockstep_room name)
  cmake_parse_arguments(ARG "COLD" "" "LINK" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${name}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/kernels/isa/")
  if(LOCKSTEP_WASM)
    list(FILTER sources EXCLUDE REGEX "${LOCKSTEP_NOT_IN_WASM}")
  endif()
  if(NOT sources)
    file(WRITE ${CMAKE_BINARY_DIR}/generated/${name}_empty.cpp "namespace lockstep { void ${name}_room_is_empty(); void ${name}_room_is_empty() {} }\n")
    set(sources ${CMAKE_BINARY_DIR}/generated/${name}_empty.cpp)
  endif()
  add_library(lockstep_${name} STATIC ${sources})
  target_link_libraries(lockstep_${name} PUBLIC lockstep_build_flags ${ARG_LINK})
  lockstep_set_up_target(lockstep_${name})
  lockstep_in_batches(lockstep_${name})
  if(ARG_COLD)
    lockstep_set_cold(lockstep_${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY LOCKSTEP_ROOMS ${name})
endfunction()

# interpreter/kernels/isa/*.cpp is compiled once per instruction set, into its own namespace LOCKSTEP_ISA, with Eigen renamed
# so that the linker can never pick wide code for an old processor. These files include nothing but Eigen and <c...> headers.
function(lockstep_kernel_variants)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/interpreter/kernels/isa/*.cpp)
  if(NOT sources)
    return()
  endif()
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    set(variants v2 v3 v4)
    set(flags_v2 -march=x86-64-v2)
    set(flags_v3 -march=x86-64-v3)
    set(flags_v4 -march=x86-64-v4 -mprefer-vector-width=512)
    if(LOCKSTEP_ZIG)  # its own spelling of processors
      list(TRANSFORM flags_v2 REPLACE "x86-64-" "x86_64_")
      list(TRANSFORM flags_v3 REPLACE "x86-64-" "x86_64_")
      list(TRANSFORM flags_v4 REPLACE "x86-64-" "x86_64_")
    endif()
  else()
    set(variants base)
    set(flags_base "")
  endif()
  foreach(variant IN LISTS variants)
    add_library(lockstep_kernels_${variant} OBJECT ${sources})
    target_compile_definitions(lockstep_kernels_${variant} PRIVATE LOCKSTEP_ISA=${variant} Eigen=Eigen_${variant} EIGEN_DONT_PARALLELIZE)
    target_compile_options(lockstep_kernels_${variant} PRIVATE ${flags_${variant}} -ffp-contract=off -fno-math-errno -fno-trapping-math)
    if(CMAKE_BUILD_TYPE STREQUAL "Release" OR CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
      target_compile_options(lockstep_kernels_${variant} PRIVATE -O3)
    endif()
    target_link_libraries(lockstep_kernels_${variant} PRIVATE Eigen3::Eigen lockstep_build_flags)
    target_sources(lockstep_interpreter PRIVATE $<TARGET_OBJECTS:lockstep_kernels_${variant}>)
    lockstep_set_up_target(lockstep_kernels_${variant})
  endforeach()
  string(REPLACE ";" "," variant_list "${variants}")
  target_compile_definitions(lockstep_interpreter PRIVATE LOCKSTEP_ISA_VARIANTS="${variant_list}")
  target_compile_definitions(lockstep_interpreter PUBLIC $<$<BOOL:${LOCKSTEP_UNCHECKED}>:LOCKSTEP_UNCHECKED>)
endfunction()

# The only user of Boost.Interval: without this flag the compiler folds both roundings of a bound into one.
set_source_files_properties(${CMAKE_SOURCE_DIR}/enclosure/interval.cpp PROPERTIES COMPILE_OPTIONS -frounding-math)
# libdevice's operations with a rounding direction change the processor's rounding mode.
set_source_files_properties(${CMAKE_SOURCE_DIR}/interpreter/libdevice/rounding.cpp PROPERTIES COMPILE_OPTIONS -frounding-math)
# They go on in long double on purpose; clang's -Wdouble-promotion is about that, too.
set_source_files_properties(${CMAKE_SOURCE_DIR}/interpreter/libdevice/bessel.cpp ${CMAKE_SOURCE_DIR}/interpreter/libdevice/special.cpp
                            PROPERTIES COMPILE_OPTIONS -Wno-double-promotion)
# Steps that move a few words each: no loop in them is long enough for vectors or rep movs.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  foreach(name access/access access/bounds evaluators/shape plan/structure plan/structure_step)
    set_source_files_properties(${CMAKE_SOURCE_DIR}/interpreter/${name}.cpp PROPERTIES
      COMPILE_OPTIONS "-fno-tree-vectorize;-fno-tree-loop-distribute-patterns")
  endforeach()
endif()
