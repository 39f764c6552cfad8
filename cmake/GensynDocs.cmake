# Reference pages from TableGen, in the build folder: target gensyn-docs.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_program(GENSYN_LLVM_TBLGEN llvm-tblgen PATHS ${LLVM_TOOLS_BINARY_DIR} NO_DEFAULT_PATH REQUIRED)
add_custom_target(gensyn-docs)
list(GET MLIR_INCLUDE_DIRS 0 mlir_include)

# A target for one page, built by gensyn-docs.
function(gensyn_add_page_target page)
  string(REPLACE "/" "-" target gensyn-page-${page})
  add_custom_target(${target} DEPENDS ${PROJECT_BINARY_DIR}/docs/${page}.md)
  add_dependencies(gensyn-docs ${target})
endfunction()

# One page of mlir-tblgen: the definitions, the generator's option, the page's name
# without .md.
function(gensyn_add_page definitions generator page)
  set(output ${PROJECT_BINARY_DIR}/docs/${page}.md)
  set(source ${PROJECT_SOURCE_DIR}/include/gensyn/${definitions})
  get_filename_component(folder ${output} DIRECTORY)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${MLIR_TABLEGEN_EXE} ${generator} ${source} -I${PROJECT_SOURCE_DIR}/include -I${mlir_include} -o ${output} -d ${output}.d
    DEPENDS ${source} DEPFILE ${output}.d VERBATIM)
  gensyn_add_page_target(${page})
endfunction()

# The page of a dialect in the op reference (docs/reference).
file(GLOB reference_scripts CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/reference/*.py)
file(GLOB_RECURSE reference_definitions CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/gensyn/Dialect/*.td)
file(GLOB_RECURSE reference_tests CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/test/Dialect/*.mlir)
function(gensyn_add_reference dialect page)
  set(output ${PROJECT_BINARY_DIR}/docs/${page}.md)
  get_filename_component(folder ${output} DIRECTORY)
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${CMAKE_COMMAND} -E copy_if_different ${PROJECT_SOURCE_DIR}/docs/Numerics.md ${PROJECT_BINARY_DIR}/docs/Numerics.md
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/docs/reference/write.py --tblgen ${GENSYN_LLVM_TBLGEN}
      --root ${PROJECT_SOURCE_DIR} --include ${mlir_include} --dialect ${dialect} --output ${output}
    DEPENDS ${reference_scripts} ${reference_definitions} ${reference_tests} ${PROJECT_SOURCE_DIR}/docs/Numerics.md
    VERBATIM)
  gensyn_add_page_target(${page})
endfunction()

foreach(dialect Onnx Repro Train)
  string(TOLOWER ${dialect} page)
  gensyn_add_reference(${dialect} dialects/${page})
endforeach()
gensyn_add_page(Dialect/Gensyn/IR/Gensyn.td -gen-dialect-doc dialects/gensyn)
gensyn_add_page(Dialect/Repro/Interfaces/ReproInterfaces.td -gen-op-interface-docs interfaces/repro)
gensyn_add_page(Dialect/Train/IR/TrainInterfaces.td -gen-op-interface-docs interfaces/train)
# Passes of every folder that has any.
file(GLOB_RECURSE pass_definitions CONFIGURE_DEPENDS RELATIVE ${PROJECT_SOURCE_DIR}/include/gensyn
  ${PROJECT_SOURCE_DIR}/include/gensyn/Passes.td ${PROJECT_SOURCE_DIR}/include/gensyn/*/Passes.td)
foreach(definitions ${pass_definitions})
  get_filename_component(folder ${definitions} DIRECTORY)
  string(REGEX REPLACE "/Transforms$" "" folder ${folder})
  gensyn_add_page(${definitions} -gen-pass-doc passes/${folder})
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL
  FILES_MATCHING PATTERN "*.md")
