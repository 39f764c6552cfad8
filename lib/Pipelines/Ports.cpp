// See Ports.h.

#include "Ports.h"

#include "gensyn/Codegen/Plan/Plan.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"
#include "gensyn/Dialect/Repro/IR/BoundedSizes.h"
#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Repro/Transforms/Passes.h"
#include "llvm/Support/Path.h"

using namespace mlir;

namespace gensyn {

static std::string textOf(DictionaryAttr attributes, StringRef name) {
  auto text = attributes ? attributes.getAs<StringAttr>(name) : StringAttr();
  return text ? text.getValue().str() : "";
}

static void setInitial(Attribute initial, StringRef folder,
                       plan::Initial &out) {
  if (auto elements = dyn_cast<ElementsAttr>(initial)) {
    const Tensor tensor = repro::toTensor(elements);
    out.set_literal(tensor.data(), tensor.byteSize());
    return;
  }
  auto place = cast<DictionaryAttr>(initial);
  if (auto fill = place.getAs<FloatAttr>("fill")) {
    out.set_fill(fill.getValueAsDouble());
    return;
  }
  if (place.get("symbol")) {
    plan::Initial::Symbol &symbol = *out.mutable_symbol();
    symbol.set_name(textOf(place, "symbol"));
    symbol.set_seed(uint64_t(place.getAs<IntegerAttr>("seed").getInt()));
    symbol.set_center(int32_t(place.getAs<IntegerAttr>("center").getInt()));
    symbol.set_exponent(int32_t(place.getAs<IntegerAttr>("exponent").getInt()));
    return;
  }
  SmallString<128> path(folder);
  llvm::sys::path::append(path, textOf(place, "file"));
  plan::Initial::File &file = *out.mutable_file();
  file.set_path(path.str().str());
  file.set_offset(place.getAs<IntegerAttr>("offset").getInt());
  file.set_length(place.getAs<IntegerAttr>("length").getInt());
  file.set_blake3(textOf(place, "hash"));
  file.set_element_type(textOf(place, "type"));
}

static void setSpec(Type type, DictionaryAttr attributes, Role role,
                    StringRef folder, plan::TensorSpec &spec) {
  auto tensor = cast<RankedTensorType>(type);
  spec.set_name(textOf(attributes, program::kNameAttr));
  std::string own = textOf(attributes, program::kRoleAttr);
  spec.set_role(own.empty() ? std::string(name(role)) : own);
  spec.set_element_type(
      std::string(name(*repro::getElementType(tensor.getElementType()))));
  for (int64_t extent : tensor.getShape())
    spec.add_shape(extent);
  if (Attribute initial =
          attributes ? attributes.get(program::kInitialAttr) : Attribute())
    setInitial(initial, folder, *spec.mutable_initial());
}

void setPorts(func::FuncOp main, StringRef folder, plan::Plan &plan) {
  plan.clear_inputs();
  plan.clear_outputs();
  plan.clear_donated();
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    setSpec(main.getArgument(i).getType(), main.getArgAttrDict(i), Role::Input,
            folder, *plan.add_inputs());
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    setSpec(main.getResultTypes()[i], main.getResultAttrDict(i), Role::Output,
            folder, *plan.add_outputs());
  auto donated =
      main->getParentOfType<ModuleOp>()->getAttrOfType<DenseI64ArrayAttr>(
          program::kDonatedAttr);
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    plan.add_donated(donated ? donated[i] : -1);
}

/// {symbol = "name", seed, center, exponent}.
static bool isSymbol(DictionaryAttr place) {
  auto isNumber = [&](StringRef name, bool isSmall) {
    auto number = place.getAs<IntegerAttr>(name);
    return number && number.getType().isSignlessInteger(64) &&
           (!isSmall || llvm::isInt<32>(number.getInt()));
  };
  return place.getAs<StringAttr>("symbol") && isNumber("seed", false) &&
         isNumber("center", true) && isNumber("exponent", true);
}

/// A starting value is tensor elements of the port's own type, {fill = number},
/// a range of a file, or a symbol.
static bool isInitial(Attribute initial, Type type) {
  if (auto elements = dyn_cast<ElementsAttr>(initial))
    return elements.getType() == type && repro::hasBoundedElements(elements);
  auto place = dyn_cast<DictionaryAttr>(initial);
  if (!place)
    return false;
  if (auto fill = place.getAs<FloatAttr>("fill"))
    return fill.getType().isF64();
  if (place.get("symbol"))
    return isSymbol(place);
  auto isCount = [&](StringRef name) {
    auto number = place.getAs<IntegerAttr>(name);
    return number && number.getType().isSignlessInteger(64) &&
           number.getValue().isNonNegative();
  };
  return place.getAs<StringAttr>("file") && isCount("offset") &&
         isCount("length");
}

static std::string whyNotPort(Type type, DictionaryAttr attributes) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !repro::getElementType(tensor.getElementType()) ||
      !repro::hasBoundedSize(tensor))
    return "is not a tensor with a supported element type and a static shape";
  Attribute initial =
      attributes ? attributes.get(program::kInitialAttr) : Attribute();
  if (initial && !isInitial(initial, type))
    return "has a gensyn.initial that is neither elements of its type, a fill, "
           "a place in a file nor a symbol";
  return "";
}

/// Each result replaces no argument or one of its type, and no argument is
/// replaced twice.
static bool isDonated(Attribute attribute, func::FuncOp main) {
  auto donated = dyn_cast<DenseI64ArrayAttr>(attribute);
  if (!donated || donated.size() != main.getNumResults())
    return false;
  llvm::SmallDenseSet<int64_t> taken;
  for (auto [argument, type] :
       llvm::zip_equal(donated.asArrayRef(), main.getResultTypes()))
    if (argument != -1 && (argument < 0 || argument >= main.getNumArguments() ||
                           main.getArgument(argument).getType() != type ||
                           !taken.insert(argument).second))
      return false;
  return true;
}

std::string whyNotPorts(func::FuncOp main) {
  if (main.isExternal())
    return "main has no body";
  for (unsigned i = 0; i < main.getNumArguments(); ++i)
    if (std::string problem =
            whyNotPort(main.getArgument(i).getType(), main.getArgAttrDict(i));
        !problem.empty())
      return "argument " + std::to_string(i) + " of main " + problem;
  for (unsigned i = 0; i < main.getNumResults(); ++i)
    if (std::string problem =
            whyNotPort(main.getResultTypes()[i], main.getResultAttrDict(i));
        !problem.empty())
      return "result " + std::to_string(i) + " of main " + problem;
  auto module = main->getParentOfType<ModuleOp>();
  if (Attribute donated = module->getAttr(program::kDonatedAttr);
      donated && !isDonated(donated, main))
    return "gensyn.donated does not name, for each result of main, an argument "
           "of its type or -1";
  if (!module->getAttrOfType<StringAttr>(repro::kDigestAttr))
    return "repro.digest is not a string";
  return "";
}

/// "'x' (input, f32[2,3])".
static std::string describePort(const plan::TensorSpec &spec) {
  std::string text = "'" + spec.name() + "' (" + spec.role() + ", " +
                     spec.element_type() + "[";
  for (int i = 0; i < spec.shape_size(); ++i)
    text += (i ? "," : "") + std::to_string(spec.shape(i));
  return text + "])";
}

/// True if a plan's starting value is that of the program. Bytes in a file have
/// a hash of their own.
static bool startsAs(const plan::Initial &found, const plan::Initial &program) {
  if (program.has_fill())
    return found.has_fill() && llvm::bit_cast<uint64_t>(found.fill()) ==
                                   llvm::bit_cast<uint64_t>(program.fill());
  if (program.has_symbol())
    return found.has_symbol() && found.symbol().SerializeAsString() ==
                                     program.symbol().SerializeAsString();
  return !program.has_literal() || found.has_file() ||
         (found.has_literal() && found.literal() == program.literal());
}

template <class Specs>
static std::string whyNotSpecs(StringRef kind, const Specs &expected,
                               const Specs &found) {
  auto contradicts = [&](const llvm::Twine &in, const llvm::Twine &instead) {
    return ("the plan has " + in + ", the program " + instead).str();
  };
  if (found.size() != expected.size())
    return contradicts(llvm::Twine(found.size()) + " " + kind + "s",
                       llvm::Twine(expected.size()));
  for (int i = 0; i < found.size(); ++i) {
    std::string in = describePort(found[i]),
                instead = describePort(expected[i]);
    if (in != instead)
      return contradicts(kind + " " + llvm::Twine(i) + " " + in, instead);
    if (!startsAs(found[i].initial(), expected[i].initial()))
      return ("the plan starts with another " + kind + " " + llvm::Twine(i) +
              " " + in + " than the program")
          .str();
  }
  return "";
}

std::string whyNotPlanOf(func::FuncOp main, const plan::Plan &plan) {
  plan::Plan expected;
  setPorts(main, "", expected);
  if (std::string problem =
          whyNotSpecs("input", expected.inputs(), plan.inputs());
      !problem.empty())
    return problem;
  if (std::string problem =
          whyNotSpecs("output", expected.outputs(), plan.outputs());
      !problem.empty())
    return problem;
  if (!llvm::equal(expected.donated(), plan.donated()))
    return "the plan replaces other inputs by its outputs than the program";
  codegen::setFaultSlots(main, "", expected);
  if (expected.faults_size() != plan.faults_size())
    return "the plan has " + std::to_string(plan.faults_size()) +
           " ops that may fail, the program " +
           std::to_string(expected.faults_size());
  for (int i = 0; i < plan.faults_size(); ++i)
    if (const auto &in = plan.faults(i), &instead = expected.faults(i);
        in.message() != instead.message() ||
        in.by_element() != instead.by_element() ||
        in.in_loop() != instead.in_loop())
      return "the plan describes op " + std::to_string(i) +
             " that may fail otherwise than the program";
  return "";
}

} // namespace gensyn
