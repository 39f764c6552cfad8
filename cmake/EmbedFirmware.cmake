# Writes OUTPUT, a C++ source with the bytes of objects. OBJECTS: a list, with + between them, of
# TARGET=FILE.
string(REPLACE "+" ";" objects "${OBJECTS}")
set(arrays)
set(rows)
set(number 0)
foreach(object ${objects})
  string(REGEX MATCH "^([^=]*)=(.*)$" matched "${object}")
  set(target ${CMAKE_MATCH_1})
  set(file ${CMAKE_MATCH_2})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "constexpr unsigned char bytes${number}[] = {${bytes}};\n")
  string(APPEND rows "    {\"${target}\", \"${name}\", view(bytes${number})},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE ${OUTPUT} "#include \"Firmware.h\"

namespace gensyn::coreprogram {

${arrays}
template <size_t count>
static std::string_view view(const unsigned char (&bytes)[count]) {
  return {reinterpret_cast<const char *>(bytes), count};
}

std::span<const FirmwareObject> getFirmware() {
  static const FirmwareObject objects[] = {
${rows}  };
  return objects;
}

} // namespace gensyn::coreprogram
")
