# What ds links beside LLVM and the runtime. The installed dsConfig.cmake includes this file, too.
find_package(Threads REQUIRED)
# oneDNN's threads are those of GCC's OpenMP, which comes with GCC; ds says how many there may be (OpenMPThreads.h).
if(NOT TARGET ds::gomp)
  add_library(ds::gomp INTERFACE IMPORTED)
  set_target_properties(ds::gomp PROPERTIES INTERFACE_LINK_LIBRARIES gomp)
endif()
find_package(ZLIB REQUIRED)
# By header and library alone: the package file of oneDNN also asks for OpenCL's headers, which ds does not use.
foreach(library dnnl zip)
  if(NOT TARGET ds::${library})
    find_path(DS_${library}_INCLUDE_DIR ${library}.h REQUIRED)
    find_library(DS_${library}_LIBRARY ${library} REQUIRED)
    mark_as_advanced(DS_${library}_INCLUDE_DIR DS_${library}_LIBRARY)
    add_library(ds::${library} UNKNOWN IMPORTED)
    set_target_properties(ds::${library} PROPERTIES
      IMPORTED_LOCATION ${DS_${library}_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${DS_${library}_INCLUDE_DIR})
  endif()
endforeach()
