// See CoreProgram.h.

#include "gensyn/Codegen/CoreProgram/CoreProgram.h"

#include "LinkProgram.h"
#include "TaskTable.h"
#include "gensyn/Codegen/Mapping/Compile.h"
#include "gensyn/Machine/CoreTarget.h"

#include <map>

using namespace mlir;

namespace gensyn::coreprogram {

namespace {

/// What the cores of one kind have in common.
struct Kind {
  const cpu::Target *target;
  /// With the functions for its target.
  const mapping::Mapping *mapping;
  std::unique_ptr<ProgramLinker> linker;
};

class Programs {
public:
  Programs(ModuleOp module, const machine::Description &machine,
           const mapping::Mapping &mapping, cpu::CompileOptions given,
           ArrayRef<StringRef> objects)
      : module(module), machine(machine), mapping(mapping),
        options(std::move(given)), objects(objects) {
    // Its code is the smallest, and vectors gain nothing.
    schedules.push_back(cpu::createBaselineSchedule());
    options.schedules = &schedules;
    options.cacheFolder.clear();
  }

  FailureOr<std::vector<CoreProgram>> link() {
    std::map<uint32_t, std::vector<SegmentTasks>> cores;
    for (int i = 0; i < mapping.segments_size(); ++i)
      for (const mapping::Core &core : mapping.segments(i).cores())
        if (core.tasks_size())
          cores[core.core()].push_back({uint32_t(i), &core});
    std::vector<CoreProgram> programs;
    for (const auto &[core, segments] : cores) {
      CoreProgram &program = programs.emplace_back();
      program.core = core;
      if (failed(link(segments, program)))
        return failure();
    }
    return programs;
  }

private:
  LogicalResult link(const std::vector<SegmentTasks> &segments,
                     CoreProgram &program) {
    Kind *kind = findKind(machine.cores[program.core].kind);
    if (!kind)
      return failure();
    std::string error;
    FailureOr<std::string> tables =
        emitTables(machine, *kind->mapping, *kind->target, segments, error);
    if (succeeded(tables) &&
        succeeded(kind->linker->link(*tables, program, error)))
      return success();
    return emitError(module.getLoc(), "the program of core ")
           << program.core << ": " << error;
  }

  Kind *findKind(uint32_t number) {
    auto [found, isNew] = kinds.try_emplace(number);
    if (!isNew)
      return &found->second;
    const machine::CoreKind &description = machine.coreKinds[number];
    Kind &kind = found->second;
    kind.target = machine::findCoreTarget(description.target);
    if (!kind.target) {
      emitError(module.getLoc(), "machine '")
          << machine.name << "' has no instruction set for programs of its "
          << "cores '" << description.name
          << "': 'target' of their kind in the machine file names one";
      return nullptr;
    }
    // Queues of Core.h.
    static_assert(machine::mostChannels == 2);
    auto [code, isFirst] = codes.try_emplace(kind.target);
    if (isFirst) {
      options.target = kind.target;
      code->second.mapping = mapping;
      auto object =
          mapping::compileBodies(module, options, code->second.mapping);
      if (failed(object))
        return nullptr;
      code->second.object = std::move(*object);
    }
    kind.mapping = &code->second.mapping;
    kind.linker = std::make_unique<ProgramLinker>(
        description, machine.memories[description.memory], *kind.target,
        code->second.object, objects);
    return &kind;
  }

  /// The pieces for one target.
  struct Code {
    mapping::Mapping mapping;
    std::string object;
  };

  ModuleOp module;
  const machine::Description &machine;
  const mapping::Mapping &mapping;
  cpu::CompileOptions options;
  ArrayRef<StringRef> objects;
  cpu::Schedules schedules;
  std::map<const cpu::Target *, Code> codes;
  std::map<uint32_t, Kind> kinds;
};

} // namespace

FailureOr<std::vector<CoreProgram>>
linkCorePrograms(ModuleOp module, const machine::Description &machine,
                 const mapping::Mapping &mapping, cpu::CompileOptions options,
                 ArrayRef<StringRef> objects) {
  return Programs(module, machine, mapping, std::move(options), objects).link();
}

} // namespace gensyn::coreprogram
