// See KernelComponents.h.

#include "KernelComponents.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace gensyn::repro {
namespace {

/// The ops and arguments that a value needs, in post-order: operands before the
/// ops that read them.
class Needs {
public:
  void collect(Value value) {
    if (!seen.insert(value).second)
      return;
    if (Operation *op = value.getDefiningOp())
      for (Value operand : op->getOperands())
        collect(operand);
    values.push_back(value);
  }

  SmallVector<Value> values;

private:
  llvm::SmallDenseSet<Value> seen;
};

/// Writes the signature of a component. Types, names and attributes are unique
/// in their context, so their addresses are written: printing them would take
/// most of the time of fusion.
class SignatureWriter {
public:
  explicit SignatureWriter(int64_t elements) : elements(elements), out(text) {}

  bool write(Value value) {
    const int64_t count = elementsOf(value);
    if (count != elements && count != 1)
      return false;
    numbers[value] = numbers.size();
    // In a component of one element every value is 'f', none uniform.
    out << (count == elements ? 'f' : 'u');
    writeAddress(cast<ShapedType>(value.getType()).getElementType());
    Operation *op = value.getDefiningOp();
    if (!op) {
      out << "input;";
      return true;
    }
    if (auto constant = dyn_cast<ConstantOp>(op)) {
      auto dense = dyn_cast<DenseElementsAttr>(constant.getValue());
      if (!dense || !dense.isSplat())
        return false;
      out << "constant ";
      writeAddress(dense.getSplatValue<Attribute>());
      return true;
    }
    const bool isUniform =
        isa<BroadcastOp>(op) && elementsOf(op->getOperand(0)) == 1;
    if (!isUniform && !op->hasTrait<OpTrait::Elementwise>() &&
        !isa<ReshapeOp>(op) && !isa<BroadcastOp>(op))
      return false;
    if (isUniform)
      out << "uniform";
    else
      writeAddress(op->getName());
    if (!isa<BroadcastOp, ReshapeOp>(op))
      writeAddress(op->getAttrDictionary());
    for (Value operand : op->getOperands())
      out << ' ' << numbers.lookup(operand);
    out << ';';
    return true;
  }

  void writeResult(Value value) { out << " -> " << numbers.lookup(value); }

  std::string take() { return std::move(text); }

private:
  template <class Unique> void writeAddress(Unique unique) {
    const void *address = unique.getAsOpaquePointer();
    out.write(reinterpret_cast<const char *>(&address), sizeof(address));
  }

  int64_t elements;
  llvm::DenseMap<Value, size_t> numbers;
  std::string text;
  llvm::raw_string_ostream out;
};

} // namespace

SmallVector<KernelComponent> findComponents(KernelOp kernel) {
  OperandRange yielded = kernel.getYielded();
  llvm::EquivalenceClasses<unsigned> classes;
  llvm::MapVector<Value, unsigned> firstReader;
  SmallVector<Needs> needs(yielded.size());
  for (auto [number, value] : llvm::enumerate(yielded)) {
    const auto result = static_cast<unsigned>(number);
    classes.insert(result);
    needs[number].collect(value);
    for (Value needed : needs[number].values) {
      Operation *op = needed.getDefiningOp();
      // An op without operands may be duplicated in each component.
      const bool joins = op ? op->getNumOperands() > 0
                            : elementsOf(needed) == elementsOf(value) &&
                                  elementsOf(needed) > 1;
      if (!joins)
        continue;
      auto [found, isNew] = firstReader.try_emplace(needed, result);
      if (!isNew)
        classes.unionSets(found->second, result);
    }
  }
  SmallVector<KernelComponent> components;
  llvm::DenseMap<unsigned, size_t> numberOfLeader;
  SmallVector<llvm::SetVector<unsigned>> inputs;
  for (auto [number, value] : llvm::enumerate(yielded)) {
    const auto result = static_cast<unsigned>(number);
    auto [found, isNew] = numberOfLeader.try_emplace(
        classes.getLeaderValue(result), components.size());
    if (isNew) {
      components.emplace_back().elements = elementsOf(value);
      inputs.emplace_back();
    }
    KernelComponent &component = components[found->second];
    if (component.elements != elementsOf(value))
      return {};
    component.outputs.push_back(result);
    for (Value needed : needs[number].values)
      if (auto argument = dyn_cast<BlockArgument>(needed))
        inputs[found->second].insert(argument.getArgNumber());
  }
  for (auto [component, numbers] : llvm::zip_equal(components, inputs))
    component.inputs.assign(numbers.begin(), numbers.end());
  return components;
}

std::string getSignature(KernelOp kernel, const KernelComponent &component) {
  Needs needs;
  for (unsigned output : component.outputs)
    needs.collect(kernel.getYielded()[output]);
  SignatureWriter writer(component.elements);
  for (Value value : needs.values)
    if (!writer.write(value))
      return "";
  for (unsigned output : component.outputs)
    writer.writeResult(kernel.getYielded()[output]);
  return writer.take();
}

} // namespace gensyn::repro
