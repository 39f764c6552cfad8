// See BuildPhases.h.

#include "BuildPhases.h"

#include "../Stages/Gradients.h"
#include "PhaseBuilder.h"

#include "gensyn/Dialect/Repro/IR/Repro.h"
#include "gensyn/Dialect/Train/Transforms/Stages.h"
#include "gensyn/Dialect/Train/Transforms/StepParts.h"
#include "gensyn/Dialect/Train/Transforms/Tensors.h"
#include "gensyn/Numerics/Sizes.h"

#include <set>

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;
using repro::Tile;

namespace {
class ModuleBuilder {
public:
  ModuleBuilder(ModuleOp module, const Places &places)
      : module(module), places(places), program(places.program),
        builder(program.segments.front()),
        parameters(static_cast<size_t>(program.stages) * places.ranks) {}

  FailureOr<std::vector<PlaceFacts>> run();

private:
  size_t placeOf(const PhaseId &id) const {
    return static_cast<size_t>(program.stageOf(id.segment)) * places.ranks +
           id.rank;
  }
  void describe();
  std::vector<PlaceFacts> measure() const;

  ModuleOp module;
  const Places &places;
  const TensorProgram &program;
  OpBuilder builder;
  std::vector<ParameterTiles> parameters; ///< of each place
  std::map<PhaseId, func::FuncOp> functions;
};
} // namespace

/// All parameters, each by the argument that stands for it.
static std::vector<Value> findParameters(const TensorProgram &program) {
  std::vector<Value> found;
  for (func::FuncOp segment : program.segments)
    for (BlockArgument argument : segment.getArguments())
      if (program.resolve(argument) == argument &&
          program.isParameter(argument))
        found.push_back(argument);
  return found;
}

/// The numbers of results with that prefix, rising.
static DenseI64ArrayAttr numbersOfResults(OpBuilder &builder,
                                          ArrayRef<func::FuncOp> functions,
                                          StringRef prefix) {
  std::set<int64_t> numbers;
  for (func::FuncOp function : functions)
    for (unsigned i = 0; i < function.getNumResults(); ++i) {
      StringRef name = nameOfResult(function, i);
      int64_t number = 0;
      if (name.consume_front(prefix) && !name.getAsInteger(10, number))
        numbers.insert(number);
    }
  return builder.getDenseI64ArrayAttr(
      SmallVector<int64_t>(numbers.begin(), numbers.end()));
}

void ModuleBuilder::describe() {
  const std::vector<Value> all = findParameters(program);
  SmallVector<Attribute> described;
  for (size_t place = 0; place < parameters.size(); ++place) {
    SmallVector<StringRef> names;
    SmallVector<Attribute> tiles;
    for (Value parameter : all)
      if (auto found = parameters[place].find(parameter);
          found != parameters[place].end()) {
        names.push_back(program.nameOf(parameter));
        SmallVector<int64_t> numbers;
        for (const Tile &tile : found->second)
          llvm::append_range(numbers, numbersOf(tile));
        tiles.push_back(builder.getDenseI64ArrayAttr(numbers));
      }
    SmallVector<func::FuncOp> own;
    for (auto &[id, function] : functions)
      if (placeOf(id) == place)
        own.push_back(function);
    described.push_back(builder.getDictionaryAttr(
        {builder.getNamedAttr("parameters", builder.getStrArrayAttr(names)),
         builder.getNamedAttr("tiles", builder.getArrayAttr(tiles)),
         builder.getNamedAttr("sums",
                              numbersOfResults(builder, own, kSumPrefix)),
         builder.getNamedAttr(
             "contributions",
             numbersOfResults(builder, own, kContributionPrefix))}));
  }
  module->setAttr(kStagesAttr, builder.getArrayAttr(described));
}

std::vector<PlaceFacts> ModuleBuilder::measure() const {
  std::vector<PlaceFacts> facts(parameters.size());
  for (size_t place = 0; place < facts.size(); ++place) {
    facts[place].stage = static_cast<int64_t>(place / places.ranks);
    facts[place].rank = static_cast<int64_t>(place % places.ranks);
    for (const auto &[parameter, tiles] : parameters[place])
      facts[place].parameterBytes =
          saturatingAdd(facts[place].parameterBytes,
                        bytesOfTiles(parameter.getType(), tiles));
  }
  for (auto [id, function] : functions) {
    PlaceFacts &own = facts[placeOf(id)];
    ++own.phases;
    for (Operation &op : function.getBody().front().without_terminator()) {
      ++own.ops;
      if (auto cost = dyn_cast<repro::CostOpInterface>(op))
        own.operations = saturatingAdd(own.operations, cost.getFlops());
    }
  }
  for (const TensorNode &node : program.nodes)
    for (Value result : node.op ? node.op->getResults() : ResultRange({}, 0))
      for (unsigned rank = 0; rank < places.ranks; ++rank)
        for (const TravellingTile &one : places.travelling(result, rank)) {
          std::set<size_t> readers;
          for (const PhaseId &id : one.readers)
            readers.insert(placeOf(id));
          readers.erase(placeOf({node.segment, 0, rank}));
          for (size_t reader : readers) {
            ++facts[reader].values;
            facts[reader].receivedBytes =
                saturatingAdd(facts[reader].receivedBytes,
                              bytesOfTile(result.getType(), one.tile));
          }
        }
  return facts;
}

FailureOr<std::vector<PlaceFacts>> ModuleBuilder::run() {
  std::map<PhaseId, std::vector<unsigned>> nodes;
  for (unsigned node = 0; node < program.nodes.size(); ++node)
    for (size_t rank = 0; rank < places.ranks; ++rank)
      if (places.computes(node, rank))
        nodes[places.phaseOf(node, rank)].push_back(node);
  std::vector<BuiltPhase> built;
  for (const auto &[id, own] : nodes) {
    PhaseBuilder phase(places, id, builder,
                       ("phase_" + Twine(built.size())).str(),
                       parameters[placeOf({id.segment, 0, id.rank})]);
    for (unsigned node : own)
      phase.add(node);
    built.push_back(phase.finish());
    functions[id] = built.back().function;
  }
  if (failed(verifyPhases(
          program.segments,
          llvm::map_to_vector(built,
                              [](auto &phase) { return phase.function; }))) ||
      failed(verifyTiles(program, built)))
    return failure();
  describe();
  auto facts = measure();
  for (func::FuncOp segment : llvm::reverse(program.segments))
    segment.erase();
  for (auto [number, phase] : llvm::enumerate(built))
    phase.function.setName((kSegmentPart + Twine(number)).str());
  return facts;
}

FailureOr<std::vector<PlaceFacts>> train::buildPhases(ModuleOp module,
                                                      const Places &places) {
  return ModuleBuilder(module, places).run();
}
