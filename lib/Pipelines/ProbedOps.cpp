// See ProbedOps.h.

#include "ProbedOps.h"

#include "DescribeLayers.h"
#include "Report.h"
#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "gensyn/Executable/Support/Failure.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace gensyn {

/// Constants of at most this many elements are listed with their values, and
/// attributes with at most this many bytes.
static constexpr int64_t mostListed = 8;
static constexpr size_t longestAttributes = 400;

using Positions = llvm::DenseMap<Operation *, int32_t>;
using ResultNames = llvm::DenseMap<Operation *, std::string>;

/// For each op the first result of the program that the fewest ops lie between.
static ResultNames nameResults(func::FuncOp main) {
  ResultNames names;
  SmallVector<Operation *> reached;
  auto reach = [&](Value value, StringRef name) {
    if (Operation *op = value.getDefiningOp();
        op && names.try_emplace(op, name.str()).second)
      reached.push_back(op);
  };
  Operation *end = main.getBody().front().getTerminator();
  for (auto [i, value] : llvm::enumerate(end->getOperands()))
    if (auto name = main.getResultAttrOfType<StringAttr>(
            static_cast<unsigned>(i), program::kNameAttr))
      reach(value, name.getValue());
  for (size_t i = 0; i < reached.size(); ++i)
    for (Value operand : reached[i]->getOperands())
      reach(operand, names[reached[i]]);
  return names;
}

/// The attributes, and the regions where an op has some.
static std::string printAttributes(Operation *op) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (op->getNumRegions() == 0) {
    for (NamedAttribute attribute : op->getAttrDictionary().getValue()) {
      stream << (text.empty() ? "" : ", ") << attribute.getName().getValue()
             << " = ";
      attribute.getValue().print(stream);
    }
    return text;
  }
  // Values outside of an isolated region are numbered from 0 again.
  OpPrintingFlags flags;
  flags.useLocalScope();
  op->print(stream, flags);
  return text;
}

static void setConstant(repro::ConstantOp op, plan::ProgramOp &entry) {
  const Tensor tensor = repro::toTensor(cast<ElementsAttr>(op.getValue()));
  llvm::BLAKE3 hasher;
  hasher.update(llvm::ArrayRef(reinterpret_cast<const uint8_t *>(tensor.data()),
                               size_t(tensor.byteSize())));
  const auto digest = hasher.final();
  entry.set_attributes_blake3(digest.data(), digest.size());
  entry.set_is_constant(true);
  if (tensor.numElements() > mostListed)
    return;
  plan::TensorValue &value = *entry.mutable_constant();
  value.set_element_type(std::string(name(tensor.elementType())));
  value.mutable_shape()->Add(tensor.shape().begin(), tensor.shape().end());
  value.set_data(tensor.data(), size_t(tensor.byteSize()));
}

static void setOperands(Operation *op, const Positions &positions,
                        plan::ProgramOp &entry) {
  for (Value operand : op->getOperands()) {
    plan::ProgramOp::Operand &to = *entry.add_operands();
    if (auto argument = dyn_cast<BlockArgument>(operand)) {
      to.set_op(-1);
      to.set_number(argument.getArgNumber());
      continue;
    }
    to.set_op(positions.lookup(operand.getDefiningOp()));
    to.set_number(cast<OpResult>(operand).getResultNumber());
  }
}

static void setResults(Operation *op, plan::ProgramOp &entry) {
  for (Type type : op->getResultTypes()) {
    plan::ProgramOp::Result &result = *entry.add_results();
    auto tensor = cast<RankedTensorType>(type);
    result.set_element_type(
        std::string(name(*repro::getElementType(tensor.getElementType()))));
    result.mutable_shape()->Add(tensor.getShape().begin(),
                                tensor.getShape().end());
  }
}

void listProgramOps(ModuleOp module, plan::ProbeResponse &response) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  const ResultNames names = nameResults(main);
  Positions positions;
  for (Operation &op : main.getBody().front().without_terminator()) {
    plan::ProgramOp &entry = *response.add_ops();
    entry.set_name(op.getName().getStringRef().str());
    entry.set_operation(codegen::describeNode(&op));
    entry.set_scope(readScope(&op));
    setOperands(&op, positions, entry);
    setResults(&op, entry);
    if (auto found = names.find(&op); found != names.end())
      entry.set_leads_to(found->second);
    positions[&op] = int32_t(positions.size());
    if (auto constant = dyn_cast<repro::ConstantOp>(op)) {
      setConstant(constant, entry);
      continue;
    }
    std::string text = printAttributes(&op);
    const auto digest = llvm::BLAKE3::hash(llvm::arrayRefFromStringRef(text));
    entry.set_attributes_blake3(digest.data(), digest.size());
    if (text.size() > longestAttributes)
      text = text.substr(0, longestAttributes) + "...";
    entry.set_attributes(std::move(text));
  }
}

bool returnValuesOf(const plan::ProbedOps &probed, ModuleOp module,
                    plan::Error &error) {
  auto main = module.lookupSymbol<func::FuncOp>("main");
  Block &body = main.getBody().front();
  SmallVector<Operation *> ops;
  for (Operation &op : body.without_terminator())
    ops.push_back(&op);
  Builder builder(module.getContext());
  Operation *end = body.getTerminator();
  SmallVector<Value> values(end->getOperands());
  SmallVector<std::string> names;
  for (uint32_t position : probed.positions()) {
    if (position >= ops.size())
      return fail(error, ExitCode::BadInput,
                  "the program has no op at " + Twine(position));
    for (Value result : ops[position]->getResults()) {
      values.push_back(result);
      names.push_back("op " + std::to_string(position));
    }
  }
  const unsigned before = main.getNumResults();
  end->setOperands(values);
  main.setFunctionType(builder.getFunctionType(
      main.getArgumentTypes(), llvm::to_vector(ValueRange(values).getTypes())));
  // The attributes of results are a list as long as that of the types.
  SmallVector<Attribute> attributes;
  for (unsigned i = 0; i < values.size(); ++i)
    attributes.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        program::kNameAttr,
        builder.getStringAttr(i < before ? "" : names[i - before]))));
  if (ArrayAttr old = main.getResAttrsAttr())
    for (unsigned i = 0; i < before; ++i)
      attributes[i] = old[i];
  main.setResAttrsAttr(builder.getArrayAttr(attributes));
  if (auto donated =
          module->getAttrOfType<DenseI64ArrayAttr>(program::kDonatedAttr)) {
    SmallVector<int64_t> replaced(donated.asArrayRef());
    replaced.resize(values.size(), -1);
    module->setAttr(program::kDonatedAttr,
                    builder.getDenseI64ArrayAttr(replaced));
  }
  FailureOr<std::string> digest = repro::computeDigest(module);
  if (failed(digest))
    return fail(error, ExitCode::Bug, "the probed program has no digest");
  module->setAttr(repro::kDigestAttr, builder.getStringAttr(*digest));
  return true;
}

} // namespace gensyn
