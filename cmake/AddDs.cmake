# The only place that knows how MLIR is linked: everything uses the one shared libMLIR (and libLLVM behind it). A single
# static MLIR archive beside it would duplicate the type storage and fail silently, so targets are linked here alone.
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
set(MLIR_BINARY_DIR ${CMAKE_BINARY_DIR})
set(LLVM_LINK_LLVM_DYLIB ON)
set(MLIR_LINK_MLIR_DYLIB ON)
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${CMAKE_CURRENT_SOURCE_DIR}/include ${CMAKE_CURRENT_BINARY_DIR}/include)
separate_arguments(LLVM_DEFINITIONS_LIST NATIVE_COMMAND "${LLVM_DEFINITIONS}")
add_definitions(${LLVM_DEFINITIONS_LIST})
# The packages are built with RTTI and without exceptions; ours must agree with them on RTTI.
if(NOT LLVM_ENABLE_RTTI)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>)
endif()

# ds_add_library(NAME source... [LINK target...] [NOT_INSTALLED]): a static library of the compiler, installed as ds::<NAME without Ds>.
# None names libMLIR: a tool links it, a plugin leaves it to the tool that loads it.
function(ds_add_library name)
  cmake_parse_arguments(ARG "NOT_INSTALLED" "" "LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  target_compile_features(${name} PUBLIC cxx_std_17)
  add_dependencies(${name} ds-headers)
  if(NOT ARG_NOT_INSTALLED)
    string(REGEX REPLACE "^Ds" "" exported ${name})
    set_target_properties(${name} PROPERTIES EXPORT_NAME ${exported})
    set_property(GLOBAL APPEND PROPERTY DS_INSTALLED_LIBRARIES ${name})
  endif()
endfunction()

# ds_add_tool(NAME source... [LINK target...] [INSTALLED]): an executable in build/bin, linked with libMLIR.
function(ds_add_tool name)
  cmake_parse_arguments(ARG "INSTALLED" "" "LINK" ${ARGN})
  if(ARG_INSTALLED)
    set_property(GLOBAL APPEND PROPERTY DS_INSTALLED_TOOLS ${name})
  endif()
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} dsrt-support MLIR LLVM)
  add_dependencies(${name} ds-headers)
endfunction()

# ds_tablegen(SOURCE.td OUTPUT generator...): one generated header of `ds-headers`, in the build tree's include folder.
function(ds_tablegen source)
  set(LLVM_TARGET_DEFINITIONS ${source})
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE 1 ${last} 2)
    math(EXPR j "${i} + 1")
    mlir_tablegen(${ARGV${i}} ${ARGV${j}})
  endforeach()
  set(TABLEGEN_OUTPUT ${TABLEGEN_OUTPUT} PARENT_SCOPE)
endfunction()
