// See ProgramEntries.h.

#include "gensyn/Dialect/Repro/Transforms/ProgramEntries.h"

#include "Encoder.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Numerics/Version.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::repro;

static Digest digestOf(const Tensor &tensor) {
  Hasher hasher;
  hasher.update(tensor.data(), size_t(tensor.byteSize()));
  return digestTensor(name(tensor.elementType()), tensor.shape(),
                      uint64_t(tensor.byteSize()), hasher.digest());
}

namespace {
/// Of one op or of the header. Within the op's regions, which are isolated from
/// above, values have numbers of their own, and constants are digests, too.
class EntryEncoder final : public Encoder {
public:
  explicit EntryEncoder(Operation *op = nullptr,
                        ArrayRef<EntryOperand> operands = {})
      : top(op), operands(operands) {}

  void write(const EntryOperand &operand);
  std::string take() { return std::move(encoded); }

protected:
  void bytes(StringRef bytes) override { encoded += bytes; }
  void elements(const Tensor &tensor) override {
    const Digest digest = digestOf(tensor);
    bytes(StringRef(reinterpret_cast<const char *>(digest.data()),
                    digest.size()));
  }
  LogicalResult operand(Operation &op, OpOperand &operand) override;
  void define(Value value) override { inner.try_emplace(value, inner.size()); }

private:
  Operation *top;
  ArrayRef<EntryOperand> operands;
  llvm::DenseMap<Value, int64_t> inner;
  std::string encoded;
};
} // namespace

void EntryEncoder::write(const EntryOperand &operand) {
  if (!operand.isConstant) {
    text("value");
    return number(int64_t(operand.value));
  }
  text("constant");
  bytes(StringRef(reinterpret_cast<const char *>(operand.constant.data()),
                  operand.constant.size()));
}

LogicalResult EntryEncoder::operand(Operation &op, OpOperand &operand) {
  if (&op == top) {
    write(operands[operand.getOperandNumber()]);
    return success();
  }
  if (auto constant = operand.get().getDefiningOp<ConstantOp>()) {
    write(
        {true, 0, digestOf(toTensor(cast<ElementsAttr>(constant.getValue())))});
    return success();
  }
  write({false, uint64_t(inner.lookup(operand.get())), {}});
  return success();
}

std::vector<std::string_view> ProgramEntries::list() const {
  std::vector<std::string_view> entries = {header};
  for (const ProgramEntry &op : ops)
    entries.push_back(op.encoding);
  return entries;
}

FailureOr<std::string> repro::encodeEntry(Operation *op, uint64_t firstValue,
                                          ArrayRef<EntryOperand> operands) {
  if (operands.size() != op->getNumOperands())
    return op->emitOpError("has ") << op->getNumOperands() << " operands, and "
                                   << operands.size() << " are named";
  EntryEncoder encoder(op, operands);
  encoder.number(int64_t(firstValue));
  if (failed(encoder.operation(*op)))
    return failure();
  return encoder.take();
}

namespace {
/// Numbers the values of a program.
class Lister {
public:
  explicit Lister(func::FuncOp main) : main(main) {}

  FailureOr<ProgramEntries> run();

private:
  EntryOperand find(Value value);
  LogicalResult addOp(Operation &op);
  LogicalResult writeHeader();

  func::FuncOp main;
  ProgramEntries listed;
  llvm::DenseMap<Value, uint64_t> numbers;
  llvm::DenseMap<Value, Digest> constants;
};
} // namespace

EntryOperand Lister::find(Value value) {
  auto constant = value.getDefiningOp<ConstantOp>();
  if (!constant)
    return {false, numbers.lookup(value), {}};
  auto [place, isNew] = constants.try_emplace(value);
  if (isNew)
    place->second = digestOf(toTensor(cast<ElementsAttr>(constant.getValue())));
  return {true, 0, place->second};
}

LogicalResult Lister::addOp(Operation &op) {
  if (isa<ConstantOp>(op))
    return success();
  ProgramEntry entry;
  entry.op = &op;
  entry.firstValue = numbers.size();
  for (Value operand : op.getOperands())
    entry.operands.push_back(find(operand));
  for (Value result : op.getResults())
    numbers.try_emplace(result, numbers.size());
  FailureOr<std::string> encoding =
      encodeEntry(&op, entry.firstValue, entry.operands);
  if (failed(encoding))
    return failure();
  entry.encoding = std::move(*encoding);
  listed.ops.push_back(std::move(entry));
  return success();
}

LogicalResult Lister::writeHeader() {
  EntryEncoder encoder;
  encoder.number(kNumericsVersion);
  encoder.number(main.getNumArguments());
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (failed(encoder.argument(main, i)))
      return failure();
  encoder.number(int64_t(numbers.size()));
  Operation *end = main.getBody().front().getTerminator();
  encoder.number(main.getNumResults());
  auto replaced =
      main->getParentOfType<ModuleOp>()->getAttrOfType<DenseI64ArrayAttr>(
          program::kDonatedAttr);
  for (OpOperand &returned : end->getOpOperands()) {
    const unsigned i = returned.getOperandNumber();
    encoder.result(main, i);
    auto role = main.getResultAttrOfType<StringAttr>(i, program::kRoleAttr);
    encoder.text(role ? role.getValue() : StringRef());
    encoder.number(replaced && i < replaced.size() ? replaced[i] : -1);
    encoder.write(find(returned.get()));
  }
  listed.header = encoder.take();
  return success();
}

FailureOr<ProgramEntries> Lister::run() {
  for (BlockArgument argument : main.getArguments())
    numbers.try_emplace(argument, numbers.size());
  for (Operation &op : main.getBody().front().without_terminator())
    if (failed(addOp(op)))
      return failure();
  if (failed(writeHeader()))
    return failure();
  return std::move(listed);
}

FailureOr<ProgramEntries> repro::listProgramEntries(ModuleOp module) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  if (!main || !main.getBody().hasOneBlock())
    return module.emitError("a frozen program has the function @main, of one "
                            "block");
  return Lister(main).run();
}
