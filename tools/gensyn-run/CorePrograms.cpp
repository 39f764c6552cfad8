// See CorePrograms.h.

#include "CorePrograms.h"

#include "../Terminal/Terminal.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Machine/CoreRecord.h"
#include "gensyn/Machine/MappedProgram.h"
#include "gensyn/Machine/Report.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>

namespace gensyn::run {

using namespace terminal;

void requireEmptyFolder(const char *option,
                        const std::filesystem::path &folder) {
  std::error_code error;
  if (std::filesystem::exists(folder, error) &&
      !std::filesystem::is_empty(folder, error))
    throw Failure(ExitCode::Usage, std::string(option) + " " + folder.string() +
                                       ": is not an empty folder");
  requireWritableFolder(folder);
}

void requestCorePrograms(const Options &options,
                         plan::CompileRequest &request) {
  if (options.elf.empty())
    return;
  request.set_core_programs(true);
  for (const std::filesystem::path &path : options.elfObjects) {
    constexpr size_t most = size_t(64) << 20;
    std::string bytes = readText(path, most);
    if (!bytes.starts_with("\177ELF"))
      failBadInput(path.string() + ": is not an ELF object");
    request.add_core_objects(std::move(bytes));
  }
}

namespace {

/// The least and the most bytes of cores.
struct Range {
  uint64_t least = ~uint64_t(0), most = 0;
  void add(uint64_t bytes) {
    least = std::min(least, bytes);
    most = std::max(most, bytes);
  }
};

} // namespace

static std::string print(const Range &range) {
  const std::string least = machine::printBytes(range.least),
                    most = machine::printBytes(range.most);
  return least == most ? most : least + " to " + most;
}

static uint64_t sizeOf(const plan::CoreProgram &program) {
  return program.code() + program.tables() + program.zeros() + program.stack();
}

/// The memory that the machine file reserves, against what the programs take.
static std::string describeReserved(const plan::Executable &executable) {
  const machine::MappedProgram mapped(executable);
  const plan::CoreProgram *worst = nullptr;
  int64_t most = 0;
  for (const plan::CoreProgram &program : executable.core_programs()) {
    const int64_t over =
        int64_t(sizeOf(program)) -
        mapped.getMachine().memoryOf(program.core()).reserved.value;
    if (!worst || over > most) {
      worst = &program;
      most = over;
    }
  }
  const auto reserved =
      uint64_t(mapped.getMachine().memoryOf(worst->core()).reserved.value);
  std::string line = "         " + machine::printBytes(sizeOf(*worst)) +
                     " of " + machine::printBytes(reserved) +
                     " reserved in core " + std::to_string(worst->core());
  if (most > 0) {
    line += ", " + machine::printBytes(uint64_t(most)) + " too many";
    if (int64_t(worst->tables()) >= most)
      line += "; the tables can lie in shared memory";
  }
  return line;
}

static CorePrograms describe(const Options &options,
                             const plan::Executable &executable) {
  Range code, tables, zeros, stack;
  OrderedJson cores = OrderedJson::array();
  for (const plan::CoreProgram &program : executable.core_programs()) {
    code.add(program.code());
    tables.add(program.tables());
    zeros.add(program.zeros());
    stack.add(program.stack());
    cores.push_back({{"core", program.core()},
                     {"code", program.code()},
                     {"tables", program.tables()},
                     {"zeros", program.zeros()},
                     {"stack", program.stack()}});
  }
  CorePrograms programs;
  programs.record = {{"event", "core_programs"},
                     {"folder", options.elf.string()},
                     {"programs", cores}};
  programs.lines.push_back(
      "programs " + runtime::groupDigits(executable.core_programs_size()) +
      ", in " + options.elf.string());
  if (executable.core_programs_size() == 0)
    return programs;
  programs.lines.back() += ": code " + print(code) + ", tables " +
                           print(tables) + ", zeros " + print(zeros) +
                           ", stack " + print(stack);
  programs.lines.push_back(describeReserved(executable));
  return programs;
}

CorePrograms writeCorePrograms(const Options &options,
                               plan::Executable &executable) {
  for (const plan::CoreProgram &program : executable.core_programs())
    writeText(options.elf / machine::coreFile(program.core(), ".elf"),
              program.file());
  CorePrograms programs = describe(options, executable);
  executable.clear_core_programs();
  return programs;
}

CorePrograms writeBlockPrograms(const Options &options,
                                plan::Executable &executable) {
  CorePrograms programs;
  OrderedJson cores = OrderedJson::array();
  uint64_t bytes = 0, computations = 0, copies = 0, others = 0;
  size_t blocks = 0;
  for (const plan::BlockProgram &program : executable.block_programs()) {
    // What drives the block has a stream without work.
    writeText(options.block /
                  machine::coreFile(program.core(),
                                    program.is_block() ? ".block" : ".tasks"),
              program.file());
    if (!program.is_block())
      continue;
    ++blocks;
    bytes += program.file().size();
    computations += program.computations();
    copies += program.copies();
    others += program.waits() + program.signals();
    cores.push_back({{"core", program.core()},
                     {"bytes", program.file().size()},
                     {"computations", program.computations()},
                     {"copies", program.copies()},
                     {"waits", program.waits()},
                     {"signals", program.signals()}});
  }
  executable.clear_block_programs();
  programs.record = {{"event", "block_programs"},
                     {"folder", options.block.string()},
                     {"programs", cores}};
  programs.lines.push_back(
      "streams  " + runtime::groupDigits(blocks) + ", in " +
      options.block.string() + ": " + machine::printBytes(bytes) + ", " +
      runtime::groupDigits(computations) + " computations, " +
      runtime::groupDigits(copies) + " copies, " +
      runtime::groupDigits(others) + " waits and signals");
  return programs;
}

void printCorePrograms(const Options &options, const CorePrograms &programs) {
  if (options.json)
    return printRecord(programs.record);
  if (!options.quiet)
    for (const std::string &line : programs.lines)
      printLine(line);
}

} // namespace gensyn::run
