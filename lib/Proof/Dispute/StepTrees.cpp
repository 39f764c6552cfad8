// See StepTrees.h.

#include "StepTrees.h"

#include "Limits.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Trees/Descent.h"

namespace gensyn::proof {

using Path = google::protobuf::RepeatedPtrField<dispute::Iteration>;

static void addState(const runtime::WitnessedState &state, ListedTree &tree) {
  for (const auto &[name, tensor] : state)
    tree.add(Encoding().text(name).digest(digestTensor(tensor)).bytes());
}

StepTrees::StepTrees(std::shared_ptr<StepSource> source)
    : step(std::move(source)), record(step->record()), program(step) {
  addState(step->before(), before);
  addState(step->after(), after);
  addState(step->constants(), constants);
}

ProgramTrees &StepTrees::open(const Path &path) {
  // A question may be anybody's.
  if (size_t(path.size()) > mostNested)
    failBadInput("the question is about an op in " +
                 std::to_string(path.size()) + " others");
  ProgramTrees *opened = &program;
  for (const dispute::Iteration &iteration : path)
    opened = &opened->enter(iteration);
  return *opened;
}

dispute::StepAnswer StepTrees::describe() const {
  dispute::StepAnswer answer;
  answer.set_program_digest(record.programDigest);
  answer.mutable_samples()->Add(record.samples.begin(), record.samples.end());
  answer.set_loss(record.loss);
  answer.set_values_root(asText(program.values().get().root()));
  return answer;
}

const ListedTree &StepTrees::treeOf(dispute::Tree tree, const Path &path) {
  switch (tree) {
  case dispute::VALUES:
    return open(path).values();
  case dispute::BEFORE:
    return before;
  case dispute::AFTER:
    return after;
  case dispute::CONSTANTS:
    return constants;
  case dispute::PROGRAM:
    return open(path).program();
  default:
    failBadInput("there is no such tree");
  }
}

dispute::NodesAnswer StepTrees::show(const dispute::NodesQuestion &question) {
  const ListTree &tree = treeOf(question.tree(), question.path()).get();
  requireLeaves(question.begin(), question.count(), tree.size());
  dispute::NodesAnswer answer;
  for (const LeafRange &part : splitSubtree(question.begin(), question.count()))
    answer.mutable_digests()->append(
        asText(tree.node(part.begin, part.end - part.begin)));
  return answer;
}

dispute::EntriesAnswer
StepTrees::show(const dispute::EntriesQuestion &question) {
  const ListedTree &listed = treeOf(question.tree(), question.path());
  dispute::EntriesAnswer answer;
  std::vector<LeafRange> ranges;
  for (uint64_t number : question.numbers()) {
    requireLeaves(number, 1, listed.get().size());
    answer.add_entries(listed.entry(number));
    ranges.push_back({number, number + 1});
  }
  answer.set_siblings(asText(listed.get().prove(normalize(std::move(ranges)))));
  answer.set_size(listed.get().size());
  return answer;
}

dispute::SampleAnswer StepTrees::show(const dispute::SampleQuestion &question) {
  const Tensor tensor = step->value(question.value());
  requireLeaves(question.element(), 1, uint64_t(tensor.numElements()));
  if (samples.get().size() == 0) {
    const runtime::SampleVisitor visit = step->samples();
    if (!visit)
      failBadInput("the samples of the data have no tree");
    visit([&](const runtime::WitnessedState &sample) {
      samples.add(encodeSample(sample));
    });
  }
  const SampleElement place = findSampleElement(
      tensor.elementType(), tensor.shape(), question.element());
  const auto number = uint64_t(record.samples.at(place.row));
  requireLeaves(number, 1, samples.get().size());
  dispute::SampleAnswer answer;
  answer.set_entry(samples.entry(number));
  answer.set_siblings(asText(samples.get().prove({{number, number + 1}})));
  const auto row =
      Tensor::view(place.tile.type, place.tile.shape,
                   tensor.data() + place.row * place.tile.bytes, nullptr);
  showChunks(row, place.tile, *answer.mutable_chunks());
  return answer;
}

} // namespace gensyn::proof
