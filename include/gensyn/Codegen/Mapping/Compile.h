// Maps a function of kernels to the cores of a machine.

#ifndef GENSYN_CODEGEN_MAPPING_COMPILE_H
#define GENSYN_CODEGEN_MAPPING_COMPILE_H

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"
#include "mlir/Pass/PassManager.h"

namespace gensyn::mapping {

/// Where weights lie during runs.
enum class WeightPlace {
  Shared,   ///< in shared memory, from where cores fetch them
  WhatFits, ///< in the cores that read them, as far as these have room; shared
            ///< if the memories of all cores together are too small
  Cores,    ///< in the cores that read them, or the mapping fails
};

/// That of CompileRequest.weights.
WeightPlace parseWeightPlace(llvm::StringRef word);

/// Decisions of the passes, each of which can be left out to see what it is
/// worth.
struct MappingChoices {
  bool cutsSums = true;     ///< task-split-sums
  bool multicasts = true;   ///< task-multicast
  bool prefetches = true;   ///< task-prefetch
  bool fetchesAhead = true; ///< task-fetch-ahead
  bool fitsTwice = true;    ///< two tiles fit into a core's memory
  bool choosesTiles = true; ///< by their time; else by halving the longest
  WeightPlace weights = WeightPlace::Shared; ///< task-keep-weights
  /// Percent of the memory of cores for tiles, where weights stay there.
  unsigned tileMemory = 100;
};

/// What the mapping passes may leave to tiles of the memories of cores, in
/// percent, where weights lie as `weights` says; the most comes first. The
/// first one leaves room for all of the program's weights, if pieces fill
/// memories about alike: a half, a quarter, 12 or 7 percent. Others follow only
/// where weights have to lie in cores. Where weights cannot all fit, it is a
/// quarter, and 100 where they are to be fetched instead, which changes
/// `weights`.
llvm::SmallVector<unsigned>
listTileMemories(mlir::func::FuncOp main, const machine::Description &machine,
                 WeightPlace &weights);

/// Maps the program to a machine (the option `machine` of the passes) by all
/// passes, with the most memory for tiles that leaves weights room, where
/// `choices.weights` wants them in cores. `setUp` is called with each pass
/// manager. An attempt that finds no room is followed by one with less memory
/// for tiles, which works on a copy: functions of the module become others.
/// Fails after an error, the first attempt's.
llvm::LogicalResult
mapProgram(mlir::ModuleOp module, llvm::StringRef machine,
           const machine::Description &description, MappingChoices choices,
           llvm::function_ref<void(mlir::PassManager &)> setUp);

/// Adds all passes of Passes.td, for a machine (the option `machine`).
void addMappingPasses(mlir::OpPassManager &passes, llvm::StringRef machine,
                      const MappingChoices &choices = {});

/// Returns the machine of a pass's option: the text of a machine file, the name
/// of one that comes with the tools, or a file. Fails after an error at
/// `location`.
llvm::FailureOr<machine::Description> loadMachine(llvm::StringRef word,
                                                  mlir::Location location);

/// The live cores of a machine that have units for all work of a kernel, and
/// memory for its smallest piece; without the memory if none have it.
llvm::SmallVector<uint32_t> findCores(repro::KernelOp kernel,
                                      const machine::Description &machine);

/// Builds the plan of a function of kernels with one launch for each kernel.
/// It depends on the function alone.
llvm::LogicalResult buildPlan(mlir::func::FuncOp function, plan::Plan &plan,
                              const codegen::PlanOptions &options = {});

/// Returns the mapping of a module after all passes, without its digest, and
/// the code of its pieces for this host: an ELF file, empty if `host` has no
/// target.
llvm::FailureOr<std::string> exportMapping(mlir::ModuleOp module,
                                           const machine::Description &machine,
                                           const plan::Plan &plan,
                                           const cpu::CompileOptions &host,
                                           Mapping &mapping);

/// Compiles the pieces of a mapping, which are functions of the module, and
/// tells each body its functions there. Returns what cpu::compile does for the
/// target of `options`.
llvm::FailureOr<std::string> compileBodies(mlir::ModuleOp module,
                                           const cpu::CompileOptions &options,
                                           Mapping &mapping);

} // namespace gensyn::mapping

#endif
