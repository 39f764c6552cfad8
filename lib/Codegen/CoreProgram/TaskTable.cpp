// See TaskTable.h. The structs are those of Firmware/Tables.h.

#include "TaskTable.h"

#include "gensyn/Codegen/Cpu/Lower.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <algorithm>
#include <limits>
#include <map>

using namespace llvm;

namespace gensyn::coreprogram {

namespace {

using Constants = SmallVector<Constant *, 8>;

/// GENSYN_END.
constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();

class Tables {
public:
  Tables(const machine::Description &machine, const mapping::Mapping &mapping)
      : machine(machine), mapping(mapping), module("tables", context),
        byte(Type::getInt8Ty(context)), half(Type::getInt16Ty(context)),
        word(Type::getInt32Ty(context)),
        pointer(PointerType::getUnqual(context)) {}

  FailureOr<std::string> emit(const cpu::Target &target,
                              const std::vector<SegmentTasks> &segments,
                              std::string &error) {
    addProgram(segments);
    if (problem.empty())
      return cpu::emitData(module, target, error);
    error = problem;
    return failure();
  }

private:
  // A number that must fit; the task in `where` is named if it does not.
  Constant *number(IntegerType *type, uint64_t value) {
    const uint64_t most = maxUIntN(type->getBitWidth());
    if (value > most && problem.empty())
      problem = where + ": a number is " + std::to_string(value) +
                "; at most " + std::to_string(most) + " is possible";
    return ConstantInt::get(type, std::min(value, most));
  }
  Constant *make(uint64_t value) { return number(word, value); }
  Constant *makeHalf(uint64_t value) { return number(half, value); }
  Constant *makeSigned(int64_t value) {
    if (!isInt<32>(value) && problem.empty())
      problem = where + ": a distance is " + std::to_string(value) +
                " B; it must fit into 32 bits";
    return ConstantInt::getSigned(word, int32_t(value));
  }
  /// An address in the core's own memory.
  Constant *addressOf(uint64_t local) {
    const auto origin = uint64_t(machine.kindOf(core).origin.value);
    return ConstantExpr::getIntToPtr(make(origin + local), pointer);
  }

  /// A struct; equal ones are one, and so are equal lists.
  Constant *record(ArrayRef<Constant *> members) {
    return ConstantStruct::getAnon(context, members);
  }
  Constant *store(Constant *value) {
    GlobalVariable *&global = stored[value];
    if (!global) {
      global = new GlobalVariable(module, value->getType(), /*isConstant=*/true,
                                  GlobalValue::PrivateLinkage, value);
      global->setSection(".tables");
    }
    return global;
  }
  /// The address of a list; null for an empty one.
  Constant *list(ArrayRef<Constant *> items) {
    if (items.empty())
      return ConstantPointerNull::get(pointer);
    return store(ConstantArray::get(
        ArrayType::get(items.front()->getType(), items.size()), items));
  }
  /// Memory that is zero at first.
  Constant *reserve(StringRef name, uint64_t bytes, unsigned alignment) {
    auto *type =
        ArrayType::get(Type::getInt8Ty(context), std::max<uint64_t>(bytes, 1));
    auto *global = new GlobalVariable(module, type, /*isConstant=*/false,
                                      GlobalValue::InternalLinkage,
                                      ConstantAggregateZero::get(type), name);
    global->setAlignment(Align(alignment));
    return global;
  }

  Constant *addPiece(const mapping::Body &body) {
    Constants calls, bytes, workspaces;
    for (const mapping::Call &call : body.calls()) {
      FunctionCallee function =
          module.getOrInsertFunction(call.function(), Type::getVoidTy(context));
      calls.push_back(record({cast<Constant>(function.getCallee()),
                              make(uint64_t(call.tiles()))}));
      scratchBytes = std::max(scratchBytes, call.scratch_bytes());
    }
    for (uint64_t count : body.arguments())
      bytes.push_back(make(count));
    uint64_t used = 0;
    for (uint64_t count : body.workspaces()) {
      workspaces.push_back(make(used));
      used = alignTo(used + count, kAlignment);
    }
    workspaceBytes = std::max(workspaceBytes, used);
    mostFaults = std::max(mostFaults, body.faults());
    mostPointers = std::max<uint64_t>(
        mostPointers, bytes.size() + body.faults() + workspaces.size());
    return store(record({list(calls), list(bytes), makeHalf(calls.size()),
                         makeHalf(body.operands()), makeHalf(bytes.size()),
                         makeHalf(body.faults()), list(workspaces),
                         make(workspaces.size())}));
  }

  Constant *addCompute(const mapping::Compute &compute) {
    Constants arguments, buffers, steps;
    bool isInPlace = false, hasSteps = false;
    for (const mapping::Location &location : compute.arguments()) {
      const bool isBuffer =
          location.memory_case() == mapping::Location::kBuffer;
      isInPlace |= isBuffer;
      arguments.push_back(
          isBuffer ? ConstantPointerNull::get(pointer)
                   : addressOf(location.local() + location.offset()));
      buffers.push_back(make(isBuffer ? location.buffer() : kNone));
      steps.push_back(make(location.step()));
      hasSteps |= location.step() != 0;
    }
    Constant *none = ConstantPointerNull::get(pointer);
    Constant *&piece = pieces[compute.body()];
    if (!piece)
      piece = addPiece(mapping.bodies(int(compute.body())));
    return store(
        record({piece, list(arguments), isInPlace ? list(buffers) : none,
                hasSteps ? list(steps) : none}));
  }

  /// The address of a destination in the core's own memory; null: there is
  /// none.
  Constant *addDestinations(const mapping::Copy &copy, Constants &others) {
    Constant *own = nullptr;
    auto add = [&](const mapping::Location &to) {
      if (to.memory_case() == mapping::Location::kLocal)
        own = addressOf(to.local() + to.offset());
      else if (to.memory_case() == mapping::Location::kCore)
        others.push_back(record({make(to.core()), make(to.offset())}));
    };
    add(copy.to());
    for (const mapping::Location &to : copy.others())
      add(to);
    return own;
  }

  Constant *addCopy(const mapping::Copy &copy) {
    const bool isStore = copy.from().memory_case() == mapping::Location::kLocal;
    Constants dimensions, others;
    Constant *local =
        isStore ? addressOf(copy.from().local() + copy.from().offset())
                : addDestinations(copy, others);
    const mapping::Location &shared = isStore ? copy.to() : copy.from();
    const bool isCore = shared.memory_case() == mapping::Location::kCore;
    for (const mapping::Copy::Dimension &dimension : copy.dimensions())
      dimensions.push_back(
          record({make(dimension.count()),
                  makeSigned(isStore ? dimension.to_stride()
                                     : dimension.from_stride()),
                  makeSigned(isStore ? dimension.from_stride()
                                     : dimension.to_stride())}));
    const bool hasLocal = local;
    if (!hasLocal)
      local = ConstantPointerNull::get(pointer);
    return store(record({local, make(isCore ? shared.core() : shared.buffer()),
                         make(shared.offset()), make(copy.row_bytes()),
                         number(byte, isStore), number(byte, isCore),
                         makeHalf(dimensions.size()), makeHalf(others.size()),
                         makeHalf(hasLocal), list(dimensions), list(others)}));
  }

  Constant *addTask(const mapping::Task &task) {
    Constants lists;
    for (uint32_t after : task.after())
      lists.push_back(make(after));
    for (const mapping::Await &await : task.awaits())
      lists.append({make(await.counter()), make(await.value())});
    for (uint32_t counter : task.signals())
      lists.push_back(make(counter));
    return record(
        {task.has_copy() ? addCopy(task.copy()) : addCompute(task.compute()),
         list(lists),
         number(byte, task.has_copy() ? 1 + task.copy().channel() : 0),
         number(byte, task.ahead()), makeHalf(uint64_t(task.after_size())),
         makeHalf(uint64_t(task.awaits_size())),
         makeHalf(uint64_t(task.signals_size()))});
  }

  Constant *addSegment(const SegmentTasks &segment) {
    Constants tasks;
    for (const mapping::Task &task : segment.core->tasks()) {
      where = "segment " + std::to_string(segment.segment) + ", core " +
              std::to_string(core) + ", task " + std::to_string(tasks.size());
      tasks.push_back(addTask(task));
    }
    mostTasks = std::max<uint64_t>(mostTasks, tasks.size());
    Constants residents;
    for (const mapping::Resident &resident : segment.core->residents()) {
      where = "segment " + std::to_string(segment.segment) + ", core " +
              std::to_string(core) + ", resident " +
              std::to_string(residents.size());
      residents.push_back(record(
          {addCopy(resident.copy()), make(resident.copy().to().step())}));
    }
    const mapping::Segment &whole = mapping.segments(int(segment.segment));
    return record({make(segment.segment),
                   make(uint64_t(whole.repetitions_size()) + 1),
                   make(tasks.size()), make(residents.size()), list(tasks),
                   list(residents)});
  }

  void addProgram(const std::vector<SegmentTasks> &segments) {
    core = segments.front().core->core();
    Constants items;
    for (const SegmentTasks &segment : segments)
      items.push_back(addSegment(segment));
    where = "core " + std::to_string(core);
    const machine::MemoryKind &memory = machine.memoryOf(core);
    Constant *program =
        record({make(core), make(items.size()), list(items), addressOf(0),
                make(uint64_t(memory.size.value - memory.reserved.value)),
                reserve("gensyn_pointers", 4 * mostPointers, 4),
                reserve("gensyn_faults", 8 * uint64_t(mostFaults), 8),
                reserve("gensyn_scratch", scratchBytes, kAlignment),
                reserve("gensyn_workspace", workspaceBytes, kAlignment),
                reserve("gensyn_ended", mostTasks, 1)});
    auto *global =
        new GlobalVariable(module, program->getType(),
                           /*isConstant=*/true, GlobalValue::ExternalLinkage,
                           program, "gensyn_core_program");
    global->setSection(".tables");
  }

  static constexpr unsigned kAlignment = 64;

  const machine::Description &machine;
  const mapping::Mapping &mapping;
  LLVMContext context;
  Module module;
  IntegerType *byte, *half, *word;
  PointerType *pointer;
  uint32_t core = 0;
  std::string where, problem;
  DenseMap<Constant *, GlobalVariable *> stored;
  std::map<uint32_t, Constant *> pieces;
  uint64_t scratchBytes = 0, workspaceBytes = 0, mostPointers = 0,
           mostTasks = 0;
  uint32_t mostFaults = 0;
};

} // namespace

FailureOr<std::string> emitTables(const machine::Description &machine,
                                  const mapping::Mapping &mapping,
                                  const cpu::Target &target,
                                  const std::vector<SegmentTasks> &segments,
                                  std::string &error) {
  return Tables(machine, mapping).emit(target, segments, error);
}

} // namespace gensyn::coreprogram
