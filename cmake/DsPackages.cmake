# cpack -G DEB --config BUILD/CPackConfig.cmake: Debian packages of the components that DsInstall.cmake and runtime/src name. What they depend on
# is read from the programs (dpkg-shlibdeps). A plugin for MPI is a package of its own: nobody gets two MPIs who wants one.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME ds)
set(CPACK_PACKAGE_VENDOR "the ds developers")
set(CPACK_PACKAGE_CONTACT "the ds developers <ds@invalid>")
set(CPACK_PACKAGE_DIRECTORY ${CMAKE_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR}/lib) # libdsaot.so of another package
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS OFF)
set(CPACK_COMPONENTS_ALL)

# ds_package(COMPONENT NAME SECTION "summary" [depends...]): the component as a package.
macro(ds_package component name section summary)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_COMPONENT_${upper}_DESCRIPTION "${summary}")
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  string(REPLACE ";" ", " CPACK_DEBIAN_${upper}_PACKAGE_DEPENDS "${ARGN}")
endmacro()

set(same "(= ${PROJECT_VERSION})")
ds_package(compiler ds-compiler devel "training steps for one device, compiled for n ranks" "libdsaot0 ${same}")
ds_package(aot libdsaot0 libs "what programs with a step of ds-compile need to train it")
ds_package(bundle ds-run-bundle misc "trains a step of ds-compile, without a compiler" "libdsaot0 ${same}")
ds_package(development libds-dev libdevel "libraries and headers of ds, for compilers that take it in" "ds-compiler ${same}" "libdsrt0 ${same}" libmlir-22-dev mlir-22-tools
           llvm-22-dev zlib1g-dev libzip-dev libdnnl-dev)
ds_package(runtime libdsrt0 libs "collectives of ds over threads, NCCL and HCCL")
foreach(mpi ${DSRT_MPIS})
  ds_package(${mpi} libdsrt0-${mpi} libs "collectives of ds over MPI, for ${mpi}")
endforeach()
include(CPack)
