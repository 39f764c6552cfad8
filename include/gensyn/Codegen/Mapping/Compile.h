// Maps a function of kernels to the cores of a machine.

#ifndef GENSYN_CODEGEN_MAPPING_COMPILE_H
#define GENSYN_CODEGEN_MAPPING_COMPILE_H

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Executable/mapping.pb.h"
#include "gensyn/Machine/Description.h"

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

/// Puts weights where `wanted` says, and gives tiles as much of the memories of
/// cores as the program's weights leave them: a half, a quarter, 12 or 7
/// percent. Weights that do not fit beside the least of these leave them a
/// quarter.
void placeWeights(mlir::func::FuncOp main, const machine::Description &machine,
                  WeightPlace wanted, MappingChoices &choices);

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
