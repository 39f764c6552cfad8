// Writes a trace; see TraceFile.h.

#include "gensyn/Machine/TraceFile.h"

#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"

#include <set>
#include <string>

namespace gensyn::machine {

/// Microseconds as a JSON number without rounding.
static std::string microseconds(int64_t picoseconds) {
  constexpr int64_t million = 1'000'000;
  std::string fraction = std::to_string(million + picoseconds % million);
  return std::to_string(picoseconds / million) + "." + fraction.substr(1);
}

static uint64_t threadOf(uint32_t core, bool isCopy) {
  return uint64_t(core) * 2 + isCopy;
}

/// {"ph":"M",...}: the name of a process or thread.
static std::string nameEvent(const char *kind, uint32_t process,
                             uint64_t thread, const std::string &name) {
  return printJson({{"ph", "M"},
                    {"name", kind},
                    {"pid", process},
                    {"tid", thread},
                    {"args", {{"name", name}}}});
}

void TraceFile::write(const std::filesystem::path &path,
                      const MappedProgram &program) const {
  const Description &machine = program.getMachine();
  AtomicFile file(path);
  std::string text = "{\"displayTimeUnit\":\"ns\",\"otherData\":" +
                     printJson({{"machine", machine.name},
                                {"tasks", events.size()},
                                {"omitted_tasks", omitted}}) +
                     ",\"traceEvents\":[\n";
  bool isFirst = true;
  auto add = [&](const std::string &event) {
    text += (isFirst ? "" : ",\n") + event;
    isFirst = false;
    constexpr size_t block = size_t(1) << 20;
    if (text.size() < block)
      return;
    file.write(text);
    text.clear();
  };
  std::set<uint32_t> chips, cores;
  for (const TraceEvent &event : events) {
    cores.insert(event.core);
    chips.insert(machine.cores[event.core].chip);
  }
  for (uint32_t chip : chips)
    add(nameEvent("process_name", chip, 0, "chip " + std::to_string(chip)));
  for (uint32_t core : cores)
    for (bool isCopy : {false, true})
      add(nameEvent(
          "thread_name", machine.cores[core].chip, threadOf(core, isCopy),
          "core " + std::to_string(core) + (isCopy ? " copy" : " compute")));
  std::vector<std::string> names;
  for (const plan::Launch &launch : program.getPlan().launches())
    names.push_back(printJson(OrderedJson(launch.kernel())));
  for (const TraceEvent &event : events)
    add("{\"ph\":\"X\",\"name\":" + names[event.launch] + ",\"cat\":\"" +
        (event.isCopy ? "copy" : "compute") +
        "\",\"ts\":" + microseconds(event.begin) +
        ",\"dur\":" + microseconds(event.end - event.begin) +
        ",\"pid\":" + std::to_string(machine.cores[event.core].chip) +
        ",\"tid\":" + std::to_string(threadOf(event.core, event.isCopy)) + "}");
  file.write(text + "\n]}\n");
  file.commit();
}

} // namespace gensyn::machine
