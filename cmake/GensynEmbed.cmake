# Styles and scripts are part of a library, so that a page needs no other file.
#   gensyn_embed_texts(OUTPUT NAMESPACE NAME=FILE...)
# Makes the C++ source OUTPUT, which defines a `const char *const NAME` for each file.
function(gensyn_embed_texts output namespace)
  set(texts "")
  set(files "")
  foreach(text ${ARGN})
    string(REGEX MATCH "^([^=]+)=(.*)$" found "${text}")
    list(APPEND texts "${CMAKE_MATCH_1}=${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2}")
    list(APPEND files ${CMAKE_CURRENT_SOURCE_DIR}/${CMAKE_MATCH_2})
  endforeach()
  list(JOIN texts "|" texts)
  set(script ${PROJECT_SOURCE_DIR}/cmake/EmbedPage.cmake)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${output} -DNAMESPACE=${namespace} "-DTEXTS=${texts}" -P ${script}
    DEPENDS ${files} ${script}
    VERBATIM)
  # A literal may be longer than compilers have to accept.
  set_source_files_properties(${output} PROPERTIES
    COMPILE_OPTIONS -Wno-overlength-strings SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()
