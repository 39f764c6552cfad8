# Installs tools, libraries and headers, with a package that others can find.
include(CMakePackageConfigHelpers)
get_property(libraries GLOBAL PROPERTY GENSYN_LIBRARIES)
set(interfaces gensyn_options)
if(NOT GENSYN_RUNTIME_ONLY)
  list(APPEND interfaces gensyn_mlir)
endif()
install(TARGETS ${libraries} ${interfaces} EXPORT GensynTargets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/gensyn ${PROJECT_BINARY_DIR}/include/gensyn
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.inc" PATTERN "*.td")
# Machine files to copy and change; the tools contain them.
install(DIRECTORY share/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/gensyn)
install(EXPORT GensynTargets NAMESPACE Gensyn:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gensyn)
configure_package_config_file(cmake/GensynConfig.cmake.in ${PROJECT_BINARY_DIR}/GensynConfig.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gensyn)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/GensynConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/GensynConfig.cmake ${PROJECT_BINARY_DIR}/GensynConfigVersion.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/gensyn)
