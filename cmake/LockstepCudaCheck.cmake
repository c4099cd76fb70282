# Compares backend_cuda/device/declarations.h with the toolkit's headers where there is one. Nothing of a toolkit is ever linked.
if(LOCKSTEP_HAVE_CUDA_HEADERS)
  set_source_files_properties(${CMAKE_SOURCE_DIR}/backend_cuda/device/declarations_check.cpp PROPERTIES
    COMPILE_DEFINITIONS LOCKSTEP_HAVE_CUDA_HEADERS COMPILE_OPTIONS "-isystem;${CUDAToolkit_INCLUDE_DIRS}")
endif()
