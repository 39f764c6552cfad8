// The named stages of the pipeline from a model to kernels. Tools, tests and
// the compiler library call the same functions.

#ifndef GENSYN_PIPELINES_STAGES_H
#define GENSYN_PIPELINES_STAGES_H

#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace gensyn::machine {
struct Description;
} // namespace gensyn::machine

namespace gensyn {

struct OnnxStageOptions : mlir::PassPipelineOptions<OnnxStageOptions> {
  ListOption<std::string> dims{
      *this, "dims",
      llvm::cl::desc("Sizes of symbolic dimensions, name=value")};
};

// The two halves of the first two stages, whose errors differ: the model is
// invalid, or it uses something unsupported. A program for evaluation has no
// dropout.
void buildShapeStage(mlir::OpPassManager &pipeline);
void buildConversionStage(mlir::OpPassManager &pipeline,
                          bool evaluates = false);

/// onnx -> repro: infer shapes, simplify, expand operators that have a function
/// body but no conversion, convert. Changes bits, in that it defines them.
void buildOnnxStage(mlir::OpPassManager &pipeline,
                    const OnnxStageOptions &options);

struct TrainStageOptions : mlir::PassPipelineOptions<TrainStageOptions> {
  Option<std::string> kind{
      *this, "kind",
      llvm::cl::desc("Which program: infer, eval, grad or train"),
      llvm::cl::init("train")};
  Option<std::string> recipe{*this, "recipe",
                             llvm::cl::desc("The recipe, as JSON text"),
                             llvm::cl::init("{}")};
  Option<int64_t> microbatches{
      *this, "microbatches",
      llvm::cl::desc("How many microbatches; 0: as the recipe says"),
      llvm::cl::init(0)};
};

void buildStepStage(mlir::OpPassManager &pipeline,
                    const TrainStageOptions &options);
void buildDerivativeStage(mlir::OpPassManager &pipeline);

/// A model's forward function -> the program of a recipe, in repro ops alone.
/// Changes bits, in that it defines them.
void buildTrainStage(mlir::OpPassManager &pipeline,
                     const TrainStageOptions &options);

struct FreezeStageOptions : mlir::PassPipelineOptions<FreezeStageOptions> {
  Option<std::string> accuracy{
      *this, "accuracy",
      llvm::cl::desc("What orders of sums prefer: fast, accurate or exact; "
                     "sliced: as repro-slice-contractions does, else fast"),
      llvm::cl::init("fast")};
  Option<bool> integerSums{
      *this, "integer-sums",
      llvm::cl::desc("Sum products of dequantized integers as integers, as "
                     "repro-sum-integers does"),
      llvm::cl::init(false)};
};

/// Simplify, assign orders, freeze. The last stage that may change bits.
void buildFreezeStage(mlir::OpPassManager &pipeline,
                      const FreezeStageOptions &options);

struct KernelStageOptions : mlir::PassPipelineOptions<KernelStageOptions> {
  ListOption<std::string> forms{
      *this, "forms",
      llvm::cl::desc(
          "Kernels to fuse, as repro-fuse-kernels has them, besides "
          "nearby: contracted-rows, prologues, pointwise, rows, columns, "
          "epilogues, recompute, horizontal or all")};
  Option<int64_t> contractedBytes{
      *this, "contracted-bytes",
      llvm::cl::desc("Bytes of a matrix of scores from which on "
                     "contracted-rows does not store it"),
      llvm::cl::init(4 << 20)};
  Option<int64_t> contractedWidth{
      *this, "contracted-width",
      llvm::cl::desc("Sizes up to which contracted-rows joins kernels, as "
                     "repro-fuse-kernels has it"),
      llvm::cl::init(0)};
  Option<int64_t> recomputedFlops{
      *this, "recomputed-flops",
      llvm::cl::desc("Operations for each byte saved up to which recompute "
                     "computes a value again, as repro-fuse-kernels has it"),
      llvm::cl::init(0)};
  ListOption<std::string> apart{
      *this, "apart",
      llvm::cl::desc("Types of operands whose contractions stay kernels of "
                     "their own, as repro-fuse-kernels has them")};
  Option<bool> transposes{
      *this, "transpose-invariants",
      llvm::cl::desc("Lay out operands of contractions in loops, as "
                     "repro-transpose-invariants does"),
      llvm::cl::init(false)};
  Option<bool> layouts{
      *this, "choose-layouts",
      llvm::cl::desc("Make channels the last dimension of values where "
                     "convolutions gain by it, as repro-choose-layouts does"),
      llvm::cl::init(false)};
  Option<bool> alwaysLayouts{
      *this, "always-choose-layouts",
      llvm::cl::desc("Take all convolutions to gain by choose-layouts"),
      llvm::cl::init(false)};
  Option<bool> cheap{
      *this, "rematerialize-cheap",
      llvm::cl::desc("Recompute what costs next to nothing instead of keeping "
                     "it, as repro-rematerialize{cheap} does"),
      llvm::cl::init(false)};
};

/// The kernel forms that GPU schedules support, and those of CPUs, whose
/// schedules of rows and sums of columns match kernels as they are first
/// formed.
inline constexpr const char *kGpuForms[] = {
    "contracted-rows", "pointwise", "rows",      "columns",
    "epilogues",       "recompute", "horizontal"};
/// GPUs store scores up to this size, which stay in the cache, and those of
/// wider heads, whose tiles do not fit the shared memory of all generations.
inline constexpr int64_t kGpuContractedBytes = int64_t{32} << 20,
                         kGpuContractedWidth = 128;
/// Multiplications and additions that a GPU does while it loads or stores a
/// byte: from 8 of f32 (A100: 19.5 T/s, 2.0 TB/s; B200) over 20 (H100) to 80
/// (RTX 4090). The functions count in f64 where that has half the rate.
inline constexpr int64_t kGpuRecomputedFlops = 8;
inline constexpr const char *kCpuForms[] = {
    "contracted-rows", "prologues", "epilogues", "pointwise", "recompute"};

/// Those of machines of many cores: values between elementwise ops, behind a
/// contraction and in front of it stay in a core. So weights are read as narrow
/// as they are stored.
inline constexpr const char *kMachineForms[] = {"prologues", "epilogues",
                                                "pointwise"};

/// Frozen -> kernels. Keeps bits.
void buildKernelStage(mlir::OpPassManager &pipeline,
                      const KernelStageOptions &options);

/// The same for a machine of many cores, whose units decide which contractions
/// stay kernels of their own.
void buildKernelStage(mlir::OpPassManager &pipeline,
                      const machine::Description &machine, bool fuses = true);

/// The same for a kind of device: "cpu", "ptx", ... With `alwaysAll`, what only
/// large programs gain by is done always, as tests of bits want it: small
/// matrices of scores are not stored, and convolutions have channels last.
void buildKernelStage(mlir::OpPassManager &pipeline, llvm::StringRef device,
                      bool alwaysAll = false);

struct CpuStageOptions : mlir::PassPipelineOptions<CpuStageOptions> {
  Option<std::string> target{*this, "target",
                             llvm::cl::desc("Instruction set of the CPU"),
                             llvm::cl::init("x86-64-v3")};
};

/// Kernels -> the LLVM dialect, by the schedules for CPUs. Keeps bits.
void buildCpuStage(mlir::OpPassManager &pipeline,
                   const CpuStageOptions &options);

struct GpuStageOptions : mlir::PassPipelineOptions<GpuStageOptions> {
  Option<int> sm{*this, "sm", llvm::cl::desc("GPU generation"),
                 llvm::cl::init(90)};
};

/// Kernels -> a gpu.module of llvm and nvvm ops, by the schedules for GPUs.
/// Keeps bits.
void buildGpuStage(mlir::OpPassManager &pipeline,
                   const GpuStageOptions &options);

struct MachineStageOptions : mlir::PassPipelineOptions<MachineStageOptions> {
  Option<std::string> machine{
      *this, "machine",
      llvm::cl::desc("A machine that comes with the tools, or a machine file"),
      llvm::cl::init("spinnaker2-chip")};
};

/// Kernels -> the tasks of a machine's cores. Keeps bits.
void buildMachineStage(mlir::OpPassManager &pipeline,
                       const MachineStageOptions &options);

/// Registers them as --gensyn-onnx-pipeline, -train-, -freeze-, -kernel-,
/// -cpu-, -gpu- and -machine-.
void registerAllPipelines();

} // namespace gensyn

#endif
