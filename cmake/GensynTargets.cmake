# One line per library: name, sources, dependencies.
include(CMakeParseArguments)

function(gensyn_common_options target)
  target_link_libraries(${target} PRIVATE gensyn_options)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${target})
  if(GENSYN_UNITY_BUILD)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${GENSYN_UNITY_BATCH})
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

# An object library that owns the precompiled header cmake/<header>.h. Parsing headers of other projects is most of a
# compilation, and they are the same everywhere.
function(gensyn_add_precompiled name header)
  add_library(${name} OBJECT ${PROJECT_SOURCE_DIR}/cmake/Precompiled.cpp)
  target_link_libraries(${name} PRIVATE gensyn_options ${ARGN})
  target_precompile_headers(${name} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/${header}.h)
  target_compile_options(${name} PRIVATE -Xclang -fno-pch-timestamp)
  set_property(GLOBAL APPEND PROPERTY GENSYN_GENERATED ${name})
endfunction()

function(gensyn_use_precompiled target owner)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "EXECUTABLE")
    # -fPIE would not match the precompiled header, which has -fPIC.
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
    target_compile_options(${target} PRIVATE -fPIC)
  endif()
  target_precompile_headers(${target} REUSE_FROM ${owner})
  target_compile_options(${target} PRIVATE -Xclang -fno-pch-timestamp)
endfunction()

# For code without MLIR and LLVM. Only with Clang, whose headers ccache knows again (GensynOptions.cmake).
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang" AND NOT CMAKE_CROSSCOMPILING)
  find_package(Threads REQUIRED)
  gensyn_add_precompiled(gensyn_standard_pch PrecompiledStandard nlohmann_json::nlohmann_json Threads::Threads)
  if(GENSYN_BUILD_TESTS)
    # Compiling tests takes longer than running them, so they are optimized less. Of two levels the last one counts.
    gensyn_add_precompiled(gensyn_tests_pch PrecompiledTests nlohmann_json::nlohmann_json GTest::gtest)
    target_compile_options(gensyn_tests_pch PRIVATE -O1)
  endif()
endif()

function(gensyn_use_standard target)
  if(TARGET gensyn_standard_pch)
    gensyn_use_precompiled(${target} gensyn_standard_pch)
  endif()
endfunction()

# Plain C++: no MLIR, no LLVM.
function(gensyn_add_library name)
  gensyn_add_any_library(${name} ${ARGN})
  gensyn_use_standard(${name})
endfunction()

if(NOT GENSYN_RUNTIME_ONLY)
  add_library(gensyn_mlir INTERFACE)
  target_include_directories(gensyn_mlir SYSTEM INTERFACE
    $<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS}> $<BUILD_INTERFACE:${LLVM_INCLUDE_DIRS}>)
  # The libraries were built with NDEBUG, and a class whose layout depends on it must agree.
  separate_arguments(llvm_definitions UNIX_COMMAND "${LLVM_DEFINITIONS}")
  target_compile_definitions(gensyn_mlir INTERFACE ${llvm_definitions})
  target_link_libraries(gensyn_mlir INTERFACE MLIR LLVM)
  gensyn_add_precompiled(gensyn_mlir_pch PrecompiledMlir gensyn_mlir)
endif()

function(gensyn_use_mlir target)
  target_link_libraries(${target} PUBLIC gensyn_mlir)
  set_target_properties(${target} PROPERTIES GENSYN_USES_MLIR ON)
  gensyn_use_precompiled(${target} gensyn_mlir_pch)
endfunction()

function(gensyn_add_mlir_library name)
  gensyn_add_any_library(${name} ${ARGN})
  gensyn_use_mlir(${name})
endfunction()

# MLIR: a test of the compiler. FAST: what it computes itself takes long.
function(gensyn_add_unit_test name)
  cmake_parse_arguments(ARG "MLIR;FAST" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  gensyn_common_options(${name})
  # Tests may reuse names of helpers, which would clash in unity batches.
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE GENSYN_TEST_DIR="${PROJECT_SOURCE_DIR}/test")
  if(ARG_MLIR)
    gensyn_use_mlir(${name})
  elseif(ARG_FAST)
    gensyn_use_standard(${name})
  elseif(TARGET gensyn_tests_pch)
    gensyn_use_precompiled(${name} gensyn_tests_pch)
    target_compile_options(${name} PRIVATE -O1)
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
