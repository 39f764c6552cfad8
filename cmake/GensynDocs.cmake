# Reference pages from TableGen, in the build folder: target gensyn-docs.
add_custom_target(gensyn-docs)

# One page: the definitions, the generator's options, the page's name without .md.
function(gensyn_add_page definitions generator page)
  list(GET MLIR_INCLUDE_DIRS 0 mlir_include)
  set(output ${PROJECT_BINARY_DIR}/docs/${page}.md)
  set(source ${PROJECT_SOURCE_DIR}/include/gensyn/${definitions})
  get_filename_component(folder ${output} DIRECTORY)
  separate_arguments(arguments UNIX_COMMAND "${generator}")
  add_custom_command(OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${MLIR_TABLEGEN_EXE} ${arguments} ${source} -I${PROJECT_SOURCE_DIR}/include -I${mlir_include} -o ${output} -d ${output}.d
    DEPENDS ${source} DEPFILE ${output}.d VERBATIM)
  string(REPLACE "/" "-" target gensyn-page-${page})
  add_custom_target(${target} DEPENDS ${output})
  add_dependencies(gensyn-docs ${target})
endfunction()

gensyn_add_page(Dialect/Onnx/IR/OnnxOps.td "-gen-dialect-doc -dialect=onnx" dialects/onnx)
gensyn_add_page(Dialect/Repro/IR/ReproOps.td "-gen-dialect-doc -dialect=repro" dialects/repro)
gensyn_add_page(Dialect/Train/IR/TrainOps.td "-gen-dialect-doc -dialect=train" dialects/train)
gensyn_add_page(Dialect/Repro/Interfaces/ReproInterfaces.td -gen-op-interface-docs interfaces/repro)
gensyn_add_page(Dialect/Train/IR/TrainInterfaces.td -gen-op-interface-docs interfaces/train)
foreach(room
    Codegen/Cpu Codegen/Emit Codegen/Gpu Codegen/Kernel Codegen/Plan
    Conversion/OnnxToRepro Conversion/TrainToRepro)
  gensyn_add_page(${room}/Passes.td -gen-pass-doc passes/${room})
endforeach()
foreach(dialect Onnx Repro Train)
  gensyn_add_page(Dialect/${dialect}/Transforms/Passes.td -gen-pass-doc passes/Dialect/${dialect})
endforeach()
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} OPTIONAL
  FILES_MATCHING PATTERN "*.md")
