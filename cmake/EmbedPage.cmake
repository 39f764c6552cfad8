# Writes OUTPUT, a C++ source with the texts of files as constants of namespace NAMESPACE. TEXTS has
# a NAME=FILE for each, separated by "|".
string(REPLACE "|" ";" TEXTS "${TEXTS}")
set(source "")
foreach(text IN LISTS TEXTS)
  string(REGEX MATCH "^([^=]+)=(.*)$" found "${text}")
  set(name ${CMAKE_MATCH_1})
  file(READ ${CMAKE_MATCH_2} content)
  string(APPEND source "extern const char *const ${name};\nconst char *const ${name} = R\"page(${content})page\";\n")
endforeach()
file(WRITE ${OUTPUT} "namespace ${NAMESPACE} {\n${source}} // namespace ${NAMESPACE}\n")
