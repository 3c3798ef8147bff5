# cmake --install BUILD --prefix PREFIX: tools, headers, libraries, plugins and lib/cmake/ds. Nothing in there names the build, the
# source or the prefix, so the tree may be moved as a whole. bin, lib and include are fixed: tools find plugins in ../lib. Components are the
# packages of DsPackages.cmake.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY DS_INSTALLED_LIBRARIES)
get_property(tools GLOBAL PROPERTY DS_INSTALLED_TOOLS)

# Only libMLIR and the libraries beside it are found by a path in the program, that of their package (CMAKE_INSTALL_RPATH_USE_LINK_PATH).
install(TARGETS ${tools} RUNTIME DESTINATION bin COMPONENT compiler)
install(TARGETS ds-run-bundle RUNTIME DESTINATION bin COMPONENT bundle)
foreach(tool ds-compile ds-run ds-plan ds-run-bundle) # manual pages and completions are made of the options by the tool itself
  set(pages ${CMAKE_CURRENT_BINARY_DIR}/share/${tool})
  add_custom_command(OUTPUT ${pages}.1 ${pages}.bash ${pages}.zsh ${pages}.fish
                     COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/share
                     COMMAND ${tool} --man > ${pages}.1
                     COMMAND ${tool} --completion=bash > ${pages}.bash
                     COMMAND ${tool} --completion=zsh > ${pages}.zsh
                     COMMAND ${tool} --completion=fish > ${pages}.fish
                     DEPENDS ${tool} VERBATIM)
  add_custom_target(${tool}-pages ALL DEPENDS ${pages}.1)
  set(component compiler)
  if(tool STREQUAL ds-run-bundle)
    set(component bundle)
  endif()
  install(FILES ${pages}.1 DESTINATION share/man/man1 COMPONENT ${component})
  install(FILES ${pages}.bash DESTINATION share/bash-completion/completions RENAME ${tool} COMPONENT ${component})
  install(FILES ${pages}.zsh DESTINATION share/zsh/vendor-completions RENAME _${tool} COMPONENT ${component})
  install(FILES ${pages}.fish DESTINATION share/fish/vendor_completions.d RENAME ${tool}.fish COMPONENT ${component})
endforeach()
install(TARGETS ds-plugin LIBRARY DESTINATION lib COMPONENT compiler)
install(TARGETS ${libraries} dsrt dsrt-support EXPORT dsTargets ARCHIVE DESTINATION lib COMPONENT development INCLUDES DESTINATION include)

install(TARGETS ds-c EXPORT dsCTargets LIBRARY DESTINATION lib COMPONENT compiler INCLUDES DESTINATION include)
install(TARGETS ds-mlir EXPORT dsTargets LIBRARY DESTINATION lib COMPONENT development INCLUDES DESTINATION include)
install(TARGETS ds-mlir-python LIBRARY DESTINATION lib/dstep COMPONENT development)
install(TARGETS ds-pjrt LIBRARY DESTINATION lib COMPONENT compiler)
install(TARGETS ds-aot EXPORT dsCTargets LIBRARY DESTINATION lib COMPONENT aot NAMELINK_COMPONENT compiler INCLUDES DESTINATION include)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/ds-c DESTINATION include COMPONENT compiler) # ds-compile compiles against it

install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/include/ds ${CMAKE_CURRENT_BINARY_DIR}/include/ds DESTINATION include COMPONENT development
        FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.inc" PATTERN Fuzz EXCLUDE PATTERN CMakeFiles EXCLUDE)
install(DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/runtime/include/dsrt DESTINATION include COMPONENT development)
install(FILES ${CMAKE_CURRENT_SOURCE_DIR}/runtime/support/StandardStreams.h DESTINATION include/dsrt/support COMPONENT development)

set(package ${CMAKE_CURRENT_BINARY_DIR}/cmake)
install(EXPORT dsTargets NAMESPACE ds:: DESTINATION lib/cmake/ds COMPONENT development)
install(EXPORT dsCTargets NAMESPACE ds:: DESTINATION lib/cmake/ds COMPONENT development)
foreach(library ds dsaot dsrt)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/${library}.pc.in ${package}/${library}.pc @ONLY)
  install(FILES ${package}/${library}.pc DESTINATION lib/pkgconfig COMPONENT development)
endforeach()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/ds COMPONENT compiler)
install(DIRECTORY docs DESTINATION share/doc/ds COMPONENT compiler FILES_MATCHING PATTERN "*.md" PATTERN site EXCLUDE)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/dsConfig.cmake.in ${package}/dsConfig.cmake
                              INSTALL_DESTINATION lib/cmake/ds NO_SET_AND_CHECK_MACRO NO_CHECK_REQUIRED_COMPONENTS_MACRO)
# The interfaces change between minor versions.
write_basic_package_version_file(${package}/dsConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${package}/dsConfig.cmake ${package}/dsConfigVersion.cmake ${CMAKE_CURRENT_LIST_DIR}/DsDependencies.cmake
        DESTINATION lib/cmake/ds COMPONENT development)
include(DsPackages)
