// Reads a machine file.

#include "gensyn/Machine/Description.h"

#include "Layout.h"
#include "Numbers.h"
#include "Parts.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Json.h"

namespace gensyn::machine {

int64_t Arrangement::points() const {
  return step[0] * step[1] * step[2] * step[3] * step[4];
}

std::vector<uint32_t> Description::sharedMemories() const {
  std::vector<uint32_t> shared;
  for (uint32_t i = 0; i < memories.size(); ++i)
    if (!memories[i].nodes.empty())
      shared.push_back(i);
  return shared;
}

Description parseDescription(std::string_view text, const std::string &file) {
  const nlohmann::json source = parseJson(text, file, "the machine file");
  JsonReader reader(source, file + ": ");
  Description machine;
  machine.text = text;
  for (auto [key, value] :
       {std::pair("name", &machine.name), std::pair("about", &machine.about)}) {
    reader.require(key);
    reader.text(key, *value);
  }
  readSources(reader, machine);
  readParts(reader, machine);
  const Layout layout = readLayout(reader, machine);
  readDead(reader, layout, machine);
  reader.finish();
  if (machine.sharedMemories().empty())
    reader.fail("memories: none has 'ports'; a shared memory is wanted");
  std::vector<bool> isUsed(machine.coreKinds.size());
  for (const Core &core : machine.cores)
    if (!core.isDead)
      isUsed[core.kind] = true;
  checkConnected(reader, machine);
  checkOperations(reader, machine, isUsed);
  return machine;
}

} // namespace gensyn::machine
