# One line per library: name, sources, dependencies.
include(CMakeParseArguments)

function(gensyn_common_options target)
  target_link_libraries(${target} PRIVATE gensyn_options)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${target})
  if(GENSYN_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 4)
  endif()
endfunction()

function(gensyn_add_any_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  gensyn_common_options(${name})
  target_include_directories(${name} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${name} PUBLIC ${ARG_LINK})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY GENSYN_LIBRARIES ${name})
endfunction()

# Plain C++: no MLIR, no LLVM.
function(gensyn_add_library name)
  gensyn_add_any_library(${name} ${ARGN})
endfunction()

# One precompiled header for all MLIR code: parsing MLIR's headers is most of a
# compilation, and they are the same everywhere.
if(NOT GENSYN_RUNTIME_ONLY)
  add_library(gensyn_mlir INTERFACE)
  target_include_directories(gensyn_mlir SYSTEM INTERFACE
    $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}> $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
  # The libraries were built with NDEBUG, and a class whose layout depends on it must agree.
  separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(gensyn_mlir INTERFACE ${llvm_definitions})
  target_link_libraries(gensyn_mlir INTERFACE MLIR LLVM)

  add_library(gensyn_mlir_pch OBJECT ${PROJECT_SOURCE_DIR}/cmake/PrecompiledMlir.cpp)
  target_link_libraries(gensyn_mlir_pch PRIVATE gensyn_options gensyn_mlir)
  target_precompile_headers(gensyn_mlir_pch PRIVATE ${PROJECT_SOURCE_DIR}/cmake/PrecompiledMlir.h)
  target_compile_options(gensyn_mlir_pch PRIVATE -Xclang -fno-pch-timestamp)
  set_property(GLOBAL APPEND PROPERTY GENSYN_GENERATED gensyn_mlir_pch)
endif()

function(gensyn_use_mlir target)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # -fPIE would not match the precompiled header, which has -fPIC.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_link_libraries(${target} PUBLIC gensyn_mlir)
  target_precompile_headers(${target} REUSE_FROM gensyn_mlir_pch)
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
endfunction()

function(gensyn_add_mlir_library name)
  gensyn_add_any_library(${name} ${ARGN})
  gensyn_use_mlir(${name})
endfunction()

function(gensyn_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  gensyn_common_options(${name})
  # Tests may reuse names of helpers, which would clash in unity batches.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE GENSYN_TEST_DIR="${PROJECT_SOURCE_DIR}/test")
  if(ARG_MLIR)
    gensyn_use_mlir(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY GENSYN_UNIT_TESTS ${name})
endfunction()

# TableGen for a dialect's folder: DEFINITIONS Foo.td, then pairs of output and generator.
function(gensyn_tablegen target definitions)
  list(GET MLIR_INCLUDE_DIRS 0 MLIR_MAIN_INCLUDE)
  set(LLVM_TARGET_DEFINITIONS ${definitions})
  set(rest ${ARGN})
  while(rest)
    list(POP_FRONT rest output arguments)
    separate_arguments(arguments UNIX_COMMAND "${arguments}")
    mlir_tablegen(${output} ${arguments} -I${PROJECT_SOURCE_DIR}/include -I${MLIR_MAIN_INCLUDE})
  endwhile()
  add_public_tablegen_target(${target})
  set_property(GLOBAL APPEND PROPERTY GENSYN_GENERATED ${target})
endfunction()

function(gensyn_add_subdirectories)
  foreach(folder ${ARGN})
    if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt)
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()
