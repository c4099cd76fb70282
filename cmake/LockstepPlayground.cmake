# The module that the playground's worker loads.
get_property(lockstep_rooms GLOBAL PROPERTY LOCKSTEP_ROOMS)
foreach(room IN LISTS lockstep_rooms)
  target_precompile_headers(lockstep_${room} PRIVATE <algorithm> <array> <functional> <map> <memory> <optional> <span> <string>
    <string_view> <variant> <vector>)
  if(NOT room MATCHES "interpreter|memory_model|checkers")  # no tile passes through the others
    target_compile_options(lockstep_${room} PRIVATE -Os)
  endif()
endforeach()

file(GLOB lockstep_playground_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/playground/*.cpp)
add_executable(lockstep_playground ${lockstep_playground_sources})
target_link_libraries(lockstep_playground PRIVATE lockstep_debugger)
lockstep_set_up_target(lockstep_playground)
set_target_properties(lockstep_playground PROPERTIES OUTPUT_NAME lockstep)
target_link_options(lockstep_playground PRIVATE -O2 --no-entry -sMODULARIZE=1 -sEXPORT_NAME=make_lockstep -sENVIRONMENT=worker,node -sALLOW_MEMORY_GROWTH=1
  -sMAXIMUM_MEMORY=2147483648 -sINITIAL_MEMORY=67108864 -sTOTAL_STACK=8388608 -sEXPORTED_RUNTIME_METHODS=ccall,FS -sFORCE_FILESYSTEM=1 -sINVOKE_RUN=0 -sDYNAMIC_EXECUTION=0)
