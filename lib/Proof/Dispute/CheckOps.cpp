// See CheckOps.h.

#include "gensyn/Proof/Dispute/CheckOps.h"

#include "RunProgram.h"
#include "Settler.h"
#include "TileBytes.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Proof/Run/Commitments.h"
#include "gensyn/Runtime/Formats/Compare.h"

#include <random>

namespace gensyn::proof {

/// An op may be in an iteration of another one, and so on.
static constexpr int mostDepth = 16;
/// So many ops are drawn for each that is wanted: some have no elements.
static constexpr uint64_t mostDraws = 10;

static std::string readTile(const Tensor &tensor, const TileBytes &tile) {
  std::string bytes;
  bytes.reserve(tile.tileBytes);
  tile.visitRuns([&](uint64_t begin, uint64_t size) {
    bytes.append(reinterpret_cast<const char *>(tensor.data()) + begin, size);
  });
  return bytes;
}

namespace {

class OpsChecker {
public:
  explicit OpsChecker(const OpsCheckOptions &options)
      : options(options), random(options.seed) {}

  OpsCheck run(const std::shared_ptr<StepSource> &step);

private:
  uint64_t draw(uint64_t all) { return random() % all; }
  /// Draws an op, and checks elements of it, if it has some.
  void checkOne(std::shared_ptr<ProgramSource> program);
  /// False if the operands are too large for that.
  bool compare(ProgramSource &program, uint64_t value, uint64_t element,
               const Tensor &result);
  /// Whether the result of an op is what its last iteration leaves.
  void compareEnd(uint64_t value, const plan::OpIterations &iterations,
                  const CarriedValues &carried, const Tensor &result);

  const OpsCheckOptions &options;
  std::mt19937_64 random;
  OpsCheck check;
  /// Of the op that is checked.
  plan::EntriesResponse listed;
  std::string name;
};

} // namespace

bool OpsChecker::compare(ProgramSource &program, uint64_t value,
                         uint64_t element, const Tensor &result) {
  const plan::EntriesResponse::Described &described = listed.described(0);
  plan::EvaluateRequest request;
  *request.mutable_text() = described.text();
  request.set_result(uint32_t(value - described.text().first_value()));
  request.set_element(element);
  const plan::EvaluateResponse needed = options.compiler->evaluate(request);
  uint64_t bytes = 0;
  for (int i = 0; i < needed.tiles_size(); ++i) {
    const std::optional<TileBytes> tile = proof::readTile(needed.tiles(i));
    if (!tile)
      throw Failure(ExitCode::Bug, "a tile is not in its tensor");
    bytes += tile->tileBytes;
    if (bytes > options.mostBytes)
      return false;
    const plan::EntryOperand &operand = described.text().operands(i);
    request.add_tiles(readTile(operand.constant().empty()
                                   ? program.value(operand.value())
                                   : viewOf(described.constants(i)),
                               *tile));
  }
  request.set_has_tiles(true);
  const std::string right = options.compiler->evaluate(request).value();
  const std::string computed(reinterpret_cast<const char *>(result.data()) +
                                 element * right.size(),
                             right.size());
  ++check.elements;
  if (computed == right || !check.problem.empty())
    return true;
  TensorEntry entry;
  entry.shape = result.shape();
  std::string index;
  for (int64_t at : runtime::indexOfElement(entry, int64_t(element)))
    index += (index.empty() ? "" : ", ") + std::to_string(at);
  check.problem = name + ", " + needed.op() + ": element [" + index +
                  "] of value " + std::to_string(value) + " is " +
                  describeElement(result.elementType(), computed) +
                  ", and the reference computes " +
                  describeElement(result.elementType(), right);
  return true;
}

void OpsChecker::compareEnd(uint64_t value,
                            const plan::OpIterations &iterations,
                            const CarriedValues &carried,
                            const Tensor &result) {
  const uint64_t number = value - listed.described(0).text().first_value();
  const runtime::WitnessedTensor &last =
      carried.back().at(iterations.results(int(number)));
  if (digestTensor(last) == digestTensor(runtime::witnessTensor(result)) ||
      !check.problem.empty())
    return;
  check.problem = name + ": value " + std::to_string(value) +
                  " is another one than what its " +
                  std::to_string(carried.size() - 1) + " iterations leave";
}

void OpsChecker::checkOne(std::shared_ptr<ProgramSource> program) {
  std::string within;
  for (int depth = 0; depth < mostDepth; ++depth) {
    const plan::EntriesResponse all = program->listEntries({});
    if (all.entries().empty())
      return;
    const uint64_t number = draw(uint64_t(all.entries_size()));
    const plan::EntriesResponse::Entry &entry = all.entries(int(number));
    if (entry.results() == 0)
      return;
    const uint64_t value = entry.first_value() + draw(entry.results());
    const Tensor result = program->value(value);
    if (result.numElements() == 0)
      return;
    listed = program->listEntries({number});
    name = printable(entry.operation(), 200) + within;
    plan::EvaluateRequest request;
    *request.mutable_text() = listed.described(0).text();
    const plan::EvaluateResponse needed = options.compiler->evaluate(request);
    if (!needed.has_iterations()) {
      for (uint64_t i = 0; i < options.elements; ++i)
        if (!compare(*program, value, draw(uint64_t(result.numElements())),
                     result)) {
          ++check.passed;
          return;
        }
      ++check.ops;
      return;
    }
    const CarriedValues carried = program->iterate(value);
    compareEnd(value, needed.iterations(), carried, result);
    if (carried.size() == 1)
      return;
    const uint64_t iteration = 1 + draw(carried.size() - 1);
    within = " in iteration " + std::to_string(iteration) + " of " + name;
    program = program->enter(value, iteration);
  }
}

OpsCheck OpsChecker::run(const std::shared_ptr<StepSource> &step) {
  for (uint64_t draws = 0;
       check.ops < options.ops && draws < mostDraws * options.ops; ++draws) {
    if (options.progress)
      options.progress(check.ops);
    checkOne(step);
  }
  return check;
}

OpsCheck checkOps(const std::shared_ptr<StepSource> &step,
                  const OpsCheckOptions &options) {
  return OpsChecker(options).run(step);
}

} // namespace gensyn::proof
