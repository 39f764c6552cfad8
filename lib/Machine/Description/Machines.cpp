// Finds a machine by its name or file.

#include "Machines.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Machine/Description.h"

namespace gensyn::machine {

std::vector<std::string> listMachines() {
  std::vector<std::string> names;
  for (const MachineFile &file : machineFiles())
    names.emplace_back(file.name);
  return names;
}

Description findMachine(const std::string &word) {
  constexpr size_t largestFile = size_t(1) << 20;
  if (word.ends_with(".json"))
    return parseDescription(readText(word, largestFile), word);
  for (const MachineFile &file : machineFiles())
    if (file.name == word)
      return parseDescription(file.text, word + ".json");
  const std::vector<std::string> names = listMachines();
  const std::string near = nearest(word, names);
  throw Failure(
      ExitCode::Usage,
      "machine " + quote(word) + " is not known" +
          (near.empty() ? "" : "; the nearest known one is " + quote(near)),
      "known are " + listed(names, names.size()) +
          ", and files whose names end in .json");
}

} // namespace gensyn::machine
