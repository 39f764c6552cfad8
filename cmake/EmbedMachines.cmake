# Writes OUTPUT, a C++ source with the text of each machine file in FOLDER.
file(GLOB files ${FOLDER}/*.json)
list(SORT files)
set(rows)
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  file(READ ${file} text)
  string(APPEND rows "    {\"${name}\", R\"machine(${text})machine\"},\n")
endforeach()
file(WRITE ${OUTPUT} "#include \"Machines.h\"

namespace gensyn::machine {

std::span<const MachineFile> machineFiles() {
  static constexpr MachineFile files[] = {
${rows}  };
  return files;
}

} // namespace gensyn::machine
")
