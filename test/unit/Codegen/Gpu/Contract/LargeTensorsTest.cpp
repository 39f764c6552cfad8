// Contractions of tensors with more than 2^32 elements on the simulator, bit
// for bit. Their memory is reserved, and little of it is ever touched.

#include "../RunOnSimulator.h"
#include "Contract/ContractSchedule.h"
#include "ProgramText.h"
#include "gensyn/Executable/PlanRun.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Numerics/FloatEnvironment.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Runtime/Devices/PtxLaunch.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

using namespace mlir;

namespace gensyn::gpu {
namespace {

using cpu::testing::ContractCase;
using cpu::testing::mapsOf;
using cpu::testing::matmul;
using cpu::testing::tensorOf;
using testing::Compiled;
using testing::Program;

/// A tensor of zeros whose pages are allocated when they are written.
Tensor reserve(ElementType type, const std::vector<int64_t> &shape) {
  const auto bytes = static_cast<size_t>(*countBytes(type, shape));
  void *begin = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  EXPECT_NE(begin, MAP_FAILED) << bytes << " bytes";
  return Tensor::view(
      type, shape, begin,
      std::shared_ptr<void>(begin, [=](void *at) { munmap(at, bytes); }));
}

/// The bytes of a tensor of `reserve`, which views do not copy.
std::byte *bytesOf(const Tensor &tensor) {
  return const_cast<std::byte *>(tensor.data());
}

/// Runs a program of one kernel. With `block`, runs only that block of each
/// launch.
void run(const Compiled &compiled, std::span<const Tensor> inputs,
         std::span<const Tensor> outputs,
         std::optional<uint32_t> block = std::nullopt) {
  std::string text = compiled.ptx;
  for (size_t at; block && (at = text.find("%ctaid.x")) != std::string::npos;)
    text.replace(at, 8, std::to_string(*block));
  auto module = ptx::Module::parse(text);
  ASSERT_TRUE(module);
  PlanMemory memory(compiled.plan);
  std::vector<const Tensor *> operands;
  for (const Tensor &input : inputs)
    operands.push_back(&input);
  std::vector<Tensor> results;
  for (const Tensor &output : outputs)
    results.push_back(
        Tensor::over(output.elementType(), output.shape(), bytesOf(output)));
  FaultWords faults(compiled.plan);
  std::vector<Place> places =
      memory.place(compiled.plan, operands, results, faults);
  FloatEnvironment environment;
  for (const plan::Launch &source : compiled.plan.launches()) {
    runtime::PtxLaunch prepared(source, places);
    if (block)
      prepared.launch.grid = {};
    auto fault = module->launch(prepared.launch, prepared.memory);
    EXPECT_FALSE(fault) << fault->message;
  }
}

/// The same contraction with a longer dimension of an operand, of which it
/// reads the first elements as before.
struct FarCase {
  ContractCase near;
  bool isRhs;
  std::vector<int64_t> shape;
  size_t dim;
};

constexpr int64_t kFar = int64_t{1} << 32;

void checkFar(const FarCase &form, int sm, const std::string &schedule,
              uint32_t seed) {
  SCOPED_TRACE(std::string(form.near.name) + " on sm_" + std::to_string(sm) +
               " " + schedule);
  Program near(form.near.text());
  std::vector<Tensor> inputs = near.makeFiniteInputs(seed);
  const std::vector<Tensor> expected = near.interpret(inputs);

  Tensor &dense = inputs[form.isRhs];
  const int64_t outer = *countElements(std::span(form.shape).first(form.dim));
  const int64_t each = dense.numElements() / outer;
  const int64_t inner = each / form.shape[form.dim];
  ASSERT_GT(outer, 1);
  std::vector<int64_t> shape = form.shape;
  // With and without alignment, on which the width of copies depends.
  shape[form.dim] =
      llvm::alignTo(kFar / ((outer - 1) * inner) + 1, sm == 90 ? 16 : 1);
  Tensor sparse = reserve(dense.elementType(), shape);
  const int64_t width = byteWidth(dense.elementType());
  for (int64_t i = 0; i < outer; ++i)
    std::memcpy(bytesOf(sparse) + i * shape[form.dim] * inner * width,
                std::as_const(dense).data() + i * each * width,
                static_cast<size_t>(each * width));
  dense = sparse;

  ContractCase text = form.near;
  std::string &type = form.isRhs ? text.rhs : text.lhs;
  type = tensorOf(shape, type.substr(type.rfind('x') + 1,
                                     type.size() - type.rfind('x') - 2));
  Program far(text.text());
  Schedules schedules;
  schedules.push_back(createContractSchedule());
  Compiled compiled(far, sm, schedule, &schedules);
  ASSERT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
  std::vector<Tensor> actual = {
      Tensor(expected[0].elementType(), expected[0].shape())};
  run(compiled, inputs, actual);
  EXPECT_EQ(testing::firstDifference(expected[0], actual[0]), "");
}

/// Rows, columns, points and batches that are far from each other.
std::vector<FarCase> farCases() {
  std::vector<FarCase> all = {
      {matmul("far rows", 70, 40, 24, false, false), false, {70, 24}, 1},
      {matmul("far points", 70, 40, 24, true, false), false, {24, 70}, 1},
      {matmul("far columns", 36, 68, 20, false, true), true, {68, 20}, 1},
      {matmul("far points of columns", 36, 68, 20, false, false),
       true,
       {20, 68},
       1},
      {matmul("points of blocks", 36, 68, 20, false, false,
              "blocked<10, sequential, sequential>"),
       true,
       {20, 68},
       1},
      {matmul("bytes", 36, 68, 72, false, true, "", "i8", "i8", "i32"),
       false,
       {36, 72},
       1},
      {matmul("far bytes", 36, 68, 72, true, false, "", "i8", "i8", "i32"),
       false,
       {72, 36},
       1}};
  // Batches, rows of two dimensions, windows, and points of several dimensions.
  const std::vector<ContractCase> forms = cpu::testing::contractForms();
  auto add = [&](llvm::StringRef name, bool isRhs,
                 const std::vector<int64_t> &shape, size_t dim) {
    for (const ContractCase &form : forms)
      if (form.name == name)
        all.push_back({form, isRhs, shape, dim});
  };
  add("heads", false, {2, 7, 3, 16}, 1);
  add("heads", true, {2, 19, 3, 16}, 2);
  add("conv", false, {3, 5, 9, 11}, 1);
  add("conv", true, {7, 5, 3, 3}, 1);
  add("data gradient", false, {2, 4, 7, 7}, 1);
  add("weight gradient", false, {2, 4, 7, 7}, 1);
  add("weight gradient", true, {2, 3, 7, 7}, 1);
  add("depthwise", false, {2, 3, 6, 17}, 1);
  return all;
}

TEST(GpuLargeTensors, FarElementsOfOperands) {
  const std::vector<FarCase> all = farCases();
  ASSERT_EQ(all.size(), 15u);
  uint32_t seed = 1;
  for (const FarCase &form : all) {
    checkFar(form, 90, "", seed++);
    checkFar(form, 75, "", seed++);
    checkFar(form, 80, "{split = false}", seed++);
  }
}

/// A product of 8 points with a bias of columns, a residual, and a mask of the
/// results above the residual.
std::string productOf(int64_t rows, int64_t columns) {
  const std::string full = tensorOf({rows, columns}),
                    mask = tensorOf({rows, columns}, "i1"),
                    lhs = tensorOf({rows, 8}), rhs = tensorOf({8, columns}),
                    bias = tensorOf({columns});
  return "func.func @f(%a: " + lhs + ", %b: " + rhs + ", %bias: " + bias +
         ", %rest: " + full + ") -> (" + full + ", " + mask + ") {\n" +
         "  %y:2 = repro.kernel \"k\" (%x = %a : " + lhs +
         ", %w = %b : " + rhs + ", %v = %bias : " + bias +
         ", %r = %rest : " + full + ") -> (" + full + ", " + mask +
         ") {\n    %c = repro.contract %x, %w domain <[" +
         std::to_string(rows) + ", " + std::to_string(columns) +
         ", 8], reduce [2]>" + mapsOf(3, {"d0, d2", "d2, d1", "d0, d1"}) +
         " bounds [in, in] order sequential : " + lhs + ", " + rhs + " -> " +
         full + "\n    %wide = repro.broadcast %v dims [1] : " + bias + " to " +
         full + "\n    %s = repro.add %c, %wide : " + full +
         "\n    %o = repro.add %s, %r : " + full +
         "\n    %p = repro.compare gt %o, %r : " + full +
         "\n    repro.yield %o, %p : " + full + ", " + mask +
         "\n  }\n  return %y#0, %y#1 : " + full + ", " + mask + "\n}\n";
}

/// The first element of a part of a matrix.
struct Corner {
  int64_t row, column;
};

/// Copies elements from `whole` to `part`, or back.
void copyPart(const Tensor &whole, const Tensor &part, Corner corner,
              bool isToPart) {
  const int64_t width = byteWidth(whole.elementType());
  const int64_t rows = part.shape()[0], columns = part.shape()[1];
  for (int64_t i = 0; i < rows; ++i) {
    std::byte *far =
        bytesOf(whole) +
        ((corner.row + i) * whole.shape()[1] + corner.column) * width;
    std::byte *near = bytesOf(part) + i * columns * width;
    std::memcpy(isToPart ? near : far, isToPart ? far : near,
                static_cast<size_t>(columns * width));
  }
}

// The last block of a grid, whose results are more than 2^32 elements from the
// first one.
TEST(GpuLargeTensors, FarResults) {
  constexpr int64_t rows = 65536, columns = 70000;
  constexpr int64_t tile = 64, last = columns % tile;
  ASSERT_GT((rows - tile) * columns, kFar);
  Program far(productOf(rows, columns)), near(productOf(tile, last));
  const Corner corner = {rows - tile, columns - last};
  std::vector<Tensor> part = near.makeFiniteInputs(1);
  const std::vector<Tensor> expected = near.interpret(part);
  const std::vector<Tensor> inputs = {
      reserve(ElementType::F32, {rows, 8}),
      reserve(ElementType::F32, {8, columns}),
      reserve(ElementType::F32, {columns}),
      reserve(ElementType::F32, {rows, columns})};
  copyPart(inputs[0], part[0], {corner.row, 0}, /*isToPart=*/false);
  copyPart(inputs[1], part[1], {0, corner.column}, /*isToPart=*/false);
  copyPart(inputs[2].reshaped({1, columns}), part[2].reshaped({1, last}),
           {0, corner.column}, /*isToPart=*/false);
  copyPart(inputs[3], part[3], corner, /*isToPart=*/false);
  for (const char *schedule :
       {"{bm = 64, bn = 64, bk = 8, tm = 4, tn = 8, lanes = 4, stages = 2, "
        "async = false}",
        "{bm = 64, bn = 64, bk = 8, tm = 8, tn = 4, lanes = 4, stages = 2, "
        "async = false}"})
    for (int sm : {75, 90}) {
      SCOPED_TRACE(std::to_string(sm) + schedule);
      Compiled compiled(far, sm, schedule);
      ASSERT_EQ(compiled.takenBy, std::vector<std::string>{"contract"});
      const std::vector<Tensor> outputs = {
          reserve(ElementType::F32, {rows, columns}),
          reserve(ElementType::I1, {rows, columns})};
      const uint32_t blocks = compiled.plan.launches(0).grid(0);
      EXPECT_EQ(blocks, rows / tile * (columns / tile + 1));
      run(compiled, inputs, outputs, blocks - 1);
      for (auto [whole, wanted] : llvm::zip_equal(outputs, expected)) {
        const Tensor found(wanted.elementType(), wanted.shape());
        copyPart(whole, found, corner, /*isToPart=*/true);
        EXPECT_EQ(testing::firstDifference(wanted, found), "");
      }
    }
}

} // namespace
} // namespace gensyn::gpu
