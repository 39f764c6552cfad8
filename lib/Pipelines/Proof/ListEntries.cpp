// "entries": the ops of a program one by one, for proofs.

#include "ListEntries.h"

#include "../Compiler.h"
#include "../FrozenModule.h"
#include "../Report.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Pipelines/Register.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace gensyn {

/// A module with the op alone.
static OwningOpRef<ModuleOp> isolate(Operation *op) {
  OpBuilder builder(op->getContext());
  const Location location = builder.getUnknownLoc();
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  builder.setInsertionPointToStart(module->getBody());
  auto main = func::FuncOp::create(
      builder, location, "main",
      builder.getFunctionType(op->getOperandTypes(), op->getResultTypes()));
  Block *body = main.addEntryBlock();
  builder.setInsertionPointToStart(body);
  Operation *copy = builder.clone(*op);
  copy->setOperands(body->getArguments());
  func::ReturnOp::create(builder, location, copy->getResults());
  return module;
}

void describeEntry(const repro::ProgramEntry &entry,
                   plan::EntriesResponse::Described &described) {
  plan::EntryText &text = *described.mutable_text();
  text.set_module(printFrozenModule(*isolate(entry.op)));
  text.set_first_value(entry.firstValue);
  for (auto [value, named] :
       llvm::zip_equal(entry.op->getOperands(), entry.operands)) {
    plan::EntryOperand &operand = *text.add_operands();
    plan::TensorValue &constant = *described.add_constants();
    if (!named.isConstant) {
      operand.set_value(named.value);
      continue;
    }
    operand.set_constant(named.constant.data(), named.constant.size());
    const Tensor tensor = repro::toTensor(cast<ElementsAttr>(
        value.getDefiningOp<repro::ConstantOp>().getValue()));
    constant.set_element_type(std::string(name(tensor.elementType())));
    constant.mutable_shape()->Add(tensor.shape().begin(), tensor.shape().end());
    constant.set_data(tensor.data(), size_t(tensor.byteSize()));
  }
}

static void list(ModuleOp module, repro::ProgramEntries &entries,
                 plan::EntriesResponse &response) {
  llvm::DenseMap<Operation *, uint32_t> positions;
  auto main = module.lookupSymbol<func::FuncOp>("main");
  for (Operation &op : main.getBody().front())
    positions.try_emplace(&op, positions.size());
  response.set_header(std::move(entries.header));
  for (repro::ProgramEntry &entry : entries.ops) {
    plan::EntriesResponse::Entry &to = *response.add_entries();
    to.set_encoding(std::move(entry.encoding));
    to.set_first_value(entry.firstValue);
    to.set_results(entry.op->getNumResults());
    to.set_position(positions.lookup(entry.op));
    to.set_operation(codegen::describeNode(entry.op));
  }
}

plan::EntriesResponse listEntries(const plan::EntriesRequest &request) {
  plan::EntriesResponse response;
  plan::Error &error = *response.mutable_error();
  auto context = createContext();
  OwningOpRef<ModuleOp> module =
      freezeAgain(request.program(), request.program_digest(), *context, error);
  if (!module)
    return response;
  Report report(context.get());
  FailureOr<repro::ProgramEntries> entries = repro::listProgramEntries(*module);
  if (failed(entries)) {
    report.fill(request.program().model_path(), ExitCode::Bug, error);
    return response;
  }
  for (uint32_t number : request.described()) {
    if (number >= entries->ops.size()) {
      fail(error, ExitCode::BadInput,
           "the program has no entry " + Twine(number));
      return response;
    }
    describeEntry(entries->ops[number], *response.add_described());
  }
  if (request.described().empty())
    list(*module, *entries, response);
  return response;
}

} // namespace gensyn
