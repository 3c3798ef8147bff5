# One precompiled header for everything that includes MLIR. Clang keeps the instantiated templates in it and is 3 to 5 times faster
# with it than without; GCC writes 660 MB and gains little, so it goes without.
set(DS_PRECOMPILED_DEFAULT OFF)
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  set(DS_PRECOMPILED_DEFAULT ON)
endif()
option(DS_ENABLE_PRECOMPILED "Precompile the headers of MLIR" ${DS_PRECOMPILED_DEFAULT})

if(DS_ENABLE_PRECOMPILED)
  # As the driver's options, whose paths ccache knows.
  set(CMAKE_CXX_COMPILE_OPTIONS_USE_PCH -include-pch <PCH_FILE>)
  file(WRITE ${CMAKE_BINARY_DIR}/precompiled/Precompiled.cpp "// The precompiled header needs a source.\n")
  add_library(ds-precompiled OBJECT ${CMAKE_BINARY_DIR}/precompiled/Precompiled.cpp)
  target_precompile_headers(ds-precompiled PRIVATE ${CMAKE_CURRENT_LIST_DIR}/Precompiled.h)
  target_compile_options(ds-precompiled PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  # ccache reads what the precompiled header is from here (pch_external_checksum), so that folders of two builds share objects;
  # in the file itself are their paths.
  file(SHA256 ${CMAKE_CURRENT_LIST_DIR}/Precompiled.h header)
  file(WRITE ${CMAKE_BINARY_DIR}/CMakeFiles/ds-precompiled.dir/cmake_pch.hxx.pch.sum
       "${header} ${LLVM_PACKAGE_VERSION} ${CMAKE_CXX_COMPILER_VERSION} ${CMAKE_BUILD_TYPE} ${DS_SANITIZER}")
endif()

# ds_use_precompiled(TARGET): compiles a target that includes MLIR with the precompiled header.
function(ds_use_precompiled target)
  if(DS_ENABLE_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ds-precompiled)
    target_compile_options(${target} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
  endif()
endfunction()
