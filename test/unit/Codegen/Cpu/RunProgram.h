// Compiles a function of repro ops for a CPU, runs it, and compares its bits
// with the reference interpreter.

#ifndef GENSYN_TEST_UNIT_CODEGEN_CPU_RUNPROGRAM_H
#define GENSYN_TEST_UNIT_CODEGEN_CPU_RUNPROGRAM_H

#include "gensyn/Codegen/Cpu/Compile.h"
#include "gensyn/Numerics/Tensor.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"

#include <random>

namespace gensyn::cpu::testing {

/// The instruction sets that tests run: those of this processor, or those that
/// the environment variable GENSYN_TEST_TARGETS lists with commas, which may
/// be emulated. Sets that differ from another in how they multiply bytes alone
/// are left out.
std::vector<const Target *> getRunnableTargets();

/// Those that multiply bytes.
std::vector<const Target *> getByteTargets();

/// Where a test has more combinations than it has time for: true for each
/// `of`th number, or for all if the environment variable GENSYN_TEST_ALL is
/// set, as in GENSYN_TEST_ALL=1 make check.
bool isInTurn(uint64_t number, uint64_t of);

class Compiled;

/// A program, parsed once, run for many targets and schedules.
class Program {
public:
  /// `text` is a module with one function of repro ops.
  explicit Program(const std::string &text);

  /// Makes an operand a parameter, which is the same in all runs, so that
  /// what depends on it alone may be computed before them.
  void setLasting(unsigned operand);

  /// Random elements: ordinary ones, any bits, and the special values of the
  /// type (NaNs with payloads, infinities, subnormals, zeros of both signs).
  std::vector<Tensor> makeInputs(uint32_t seed);

  /// Finite elements of floats, with zeros of both signs and products that
  /// underflow: long sums of makeInputs are all NaN, which would hide any error
  /// in them.
  std::vector<Tensor> makeFiniteInputs(uint32_t seed);

  /// Returns the reference's results, and the positions of its faults.
  std::vector<Tensor> interpret(const std::vector<Tensor> &inputs);

  /// Compiles it and runs it once, see Compiled.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs,
                          const CompileOptions &options, int64_t pieces = 3);

  /// The forms of fusion after kernels are formed.
  std::vector<std::string> forms = {"nearby"};

  /// The `schedule` attribute of kernels; null: none.
  mlir::Attribute schedule;

  /// The positions of the faults of the last run, ascending (g7).
  std::vector<uint64_t> faults;

  /// A number of the text, for isInTurn().
  uint64_t turn;

  mlir::func::FuncOp getFunction();

  /// A copy of the program as kernels; null, and a failure, where none form.
  mlir::OwningOpRef<mlir::ModuleOp> formKernels();

private:
  std::unique_ptr<mlir::MLIRContext> context;
  mlir::OwningOpRef<mlir::ModuleOp> module;
};

/// A program compiled for a CPU, in this process or emulated. An error fails
/// the test, and no run returns tensors then.
class Compiled {
public:
  Compiled(Program &program, const CompileOptions &options);
  ~Compiled();

  /// Returns the results. Launches are cut into `pieces` ranges of tiles, run
  /// in descending order, so that a tile that reads another's result is
  /// detected.
  std::vector<Tensor> run(const std::vector<Tensor> &inputs,
                          int64_t pieces = 3);

  /// The positions of the faults of the last run, ascending (g7).
  std::vector<uint64_t> faults;

private:
  struct Code;
  std::unique_ptr<Code> code;
};

/// The first element that differs, as bits; empty where none does.
std::string firstDifference(const Tensor &expected, const Tensor &actual);

/// Expects the reference's bits where `schedule` and the baseline compile the
/// program for `target`.
void expectBits(Program &program, std::unique_ptr<Schedule> schedule,
                const Target &target,
                const std::vector<std::vector<Tensor>> &cases);

/// Expects them where `schedules` compile the program.
void expectBits(Program &program, const Schedules &schedules,
                const Target &target,
                const std::vector<std::vector<Tensor>> &cases);

/// The names of the schedules that take the program's kernels on x86-64-v4, in
/// their order, without any fusion.
std::vector<std::string> schedulesOf(const std::string &text);

/// Expects the reference's bits and faults with all schedules on all targets,
/// with the baseline alone on one of them in turn, and without optimizations.
/// Tests of ops are built twice, with the CPU's targets (ExpectBits.cpp here)
/// and with the simulator's (../Gpu).
void expectBits(const std::string &text, uint32_t seed = 1);
/// The same of given inputs.
void expectBits(const std::string &text, const std::vector<Tensor> &inputs);
/// The same of a program that is parsed already. The only one that is not the
/// same for both.
void expectBitsOnTargets(Program &program, const std::vector<Tensor> &inputs);

} // namespace gensyn::cpu::testing

#endif
