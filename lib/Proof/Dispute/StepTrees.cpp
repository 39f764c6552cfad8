// See StepTrees.h.

#include "StepTrees.h"

#include "RepeatedStep.h"
#include "TileBytes.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Trees/Descent.h"

namespace gensyn::proof {

static std::string asText(const Digest &digest) {
  return {digest.begin(), digest.end()};
}

static std::string asText(const Siblings &siblings) {
  std::string text;
  for (const Digest &digest : siblings)
    text.append(digest.begin(), digest.end());
  return text;
}

void ListedTree::add(std::string entry) {
  tree.add(entry);
  entries.push_back(std::move(entry));
}

static void addState(const runtime::WitnessedState &state, ListedTree &tree) {
  for (const auto &[name, tensor] : state)
    tree.add(Encoding().text(name).digest(digestTensor(tensor)).bytes());
}

StepTrees::StepTrees(std::shared_ptr<StepSource> source)
    : step(std::move(source)), record(step->record()),
      program(step->listEntries({})), values(step->values()) {
  for (const runtime::WitnessedTensor &value : values)
    valueTree.add(asText(digestTensor(value)));
  addState(step->before(), before);
  addState(step->after(), after);
  addState(step->constants(), constants);
  programTree.add(program.header());
  for (const plan::EntriesResponse::Entry &entry : program.entries())
    programTree.add(entry.encoding());
}

dispute::StepAnswer StepTrees::describe() const {
  dispute::StepAnswer answer;
  answer.set_program_digest(record.programDigest);
  answer.mutable_samples()->Add(record.samples.begin(), record.samples.end());
  answer.set_loss(record.loss);
  answer.set_values_root(asText(valueTree.get().root()));
  return answer;
}

const ListedTree &StepTrees::treeOf(dispute::Tree tree) const {
  switch (tree) {
  case dispute::VALUES:
    return valueTree;
  case dispute::BEFORE:
    return before;
  case dispute::AFTER:
    return after;
  case dispute::CONSTANTS:
    return constants;
  case dispute::PROGRAM:
    return programTree;
  default:
    failBadInput("there is no such tree");
  }
}

/// A question may be anybody's.
static void requireLeaves(uint64_t begin, uint64_t count, uint64_t all) {
  if (count == 0 || begin > all || count > all - begin)
    failBadInput("the question is about leaves that a tree of " +
                 std::to_string(all) + " does not have");
}

dispute::NodesAnswer
StepTrees::show(const dispute::NodesQuestion &question) const {
  const ListTree &tree = treeOf(question.tree()).get();
  requireLeaves(question.begin(), question.count(), tree.size());
  dispute::NodesAnswer answer;
  for (const LeafRange &part : splitSubtree(question.begin(), question.count()))
    answer.mutable_digests()->append(
        asText(tree.node(part.begin, part.end - part.begin)));
  return answer;
}

dispute::EntriesAnswer
StepTrees::show(const dispute::EntriesQuestion &question) const {
  const ListedTree &listed = treeOf(question.tree());
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

dispute::TensorAnswer
StepTrees::show(const dispute::TensorQuestion &question) const {
  requireLeaves(question.value(), 1, values.size());
  const runtime::WitnessedTensor &value = values[question.value()];
  dispute::TensorAnswer answer;
  answer.set_element_type(std::string(name(value.type)));
  answer.mutable_shape()->Add(value.shape.begin(), value.shape.end());
  answer.set_elements(asText(value.elements));
  return answer;
}

dispute::PartsAnswer
StepTrees::show(const dispute::PartsQuestion &question) const {
  const Tensor tensor = step->value(question.value());
  const uint64_t chunks = countChunks(uint64_t(tensor.byteSize()));
  requireLeaves(question.begin(), question.count(), chunks);
  dispute::PartsAnswer answer;
  const bool isAll = question.count() == chunks;
  if (!isAll && question.begin() + question.count() == chunks)
    failBadInput("the question is about the last chunk alone");
  for (const LeafRange &part :
       isAll ? splitChunks(chunks)
             : splitSubtree(question.begin(), question.count()))
    answer.mutable_digests()->append(asText(
        digestChunks(tensor.byteSpan(), part.begin, part.end - part.begin)));
  if (isAll) {
    const auto last = tensor.byteSpan().subspan((chunks - 1) * kChunkBytes);
    answer.set_last_chunk(last.data(), last.size());
  }
  return answer;
}

dispute::ChunkAnswer
StepTrees::show(const dispute::ChunkQuestion &question) const {
  const Tensor tensor = step->value(question.value());
  requireLeaves(question.chunk(), 1,
                countChunks(uint64_t(tensor.byteSize())) - 1);
  dispute::ChunkAnswer answer;
  const auto data =
      tensor.byteSpan().subspan(question.chunk() * kChunkBytes, kChunkBytes);
  answer.set_data(data.data(), data.size());
  return answer;
}

static Digest digestBytes(const Tensor &tensor) {
  Hasher hasher;
  hasher.update(tensor.data(), size_t(tensor.byteSize()));
  return hasher.digest();
}

static void showChunks(const Tensor &tensor, const TileBytes &tile,
                       dispute::TensorChunks &to) {
  if (tile.bytes != uint64_t(tensor.byteSize()))
    throw Failure(ExitCode::Bug, "a tile is not in its tensor");
  to.set_elements(asText(digestBytes(tensor)));
  const ChunkProof proof = proveChunks(tensor.byteSpan(), tile.findChunks());
  for (const LeafRange &range : proof.chunks) {
    dispute::TensorChunks::Range &chunk = *to.add_chunks();
    chunk.set_begin(range.begin);
    chunk.set_end(range.end);
  }
  to.set_data(proof.data.data(), proof.data.size());
  to.set_siblings(asText(proof.siblings));
}

/// A tensor over the bytes of a message, which outlives it.
static Tensor viewOf(const plan::TensorValue &value) {
  const std::optional<ElementType> type =
      elementTypeFromName(value.element_type());
  std::vector<int64_t> shape(value.shape().begin(), value.shape().end());
  if (!type || countBytes(*type, shape) != int64_t(value.data().size()))
    throw Failure(ExitCode::Bug, "a constant has another size than its type");
  return Tensor::view(*type, std::move(shape), value.data().data(), nullptr);
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

dispute::EvidenceAnswer
StepTrees::show(const dispute::EvidenceQuestion &question) const {
  requireLeaves(question.value(), 1, values.size());
  const uint64_t value = question.value(), entry = findEntry(program, value);
  // Computed together with the operands.
  (void)step->value(value);
  const plan::EntriesResponse response = step->listEntries({entry});
  const plan::EntriesResponse::Described &described = response.described(0);
  plan::EvaluateRequest request;
  *request.mutable_text() = described.text();
  request.set_result(uint32_t(value - described.text().first_value()));
  request.set_element(question.element());
  const plan::EvaluateResponse needed = step->locate(request);
  dispute::EvidenceAnswer answer;
  answer.set_entry(entry + 1); // behind the header
  answer.set_entries(programTree.get().size());
  answer.set_entry_siblings(
      asText(programTree.get().prove({{entry + 1, entry + 2}})));
  answer.set_module(described.text().module());
  answer.set_first_value(described.text().first_value());
  answer.set_operation(program.entries(int(entry)).operation());
  std::vector<LeafRange> used;
  for (int i = 0; i < described.text().operands_size(); ++i) {
    const plan::EntryOperand &operand = described.text().operands(i);
    dispute::EvidenceAnswer::Operand &name = *answer.add_operands();
    name.set_value(operand.value());
    name.set_constant(operand.constant());
    const bool isConstant = !operand.constant().empty();
    if (!isConstant)
      used.push_back({operand.value(), operand.value() + 1});
    if (i >= needed.tiles_size())
      continue;
    const std::optional<TileBytes> tile = readTile(needed.tiles(i));
    if (!tile)
      throw Failure(ExitCode::Bug, "a tile is not in its tensor");
    const Tensor tensor = isConstant ? viewOf(described.constants(i))
                                     : step->value(operand.value());
    if (question.without_data())
      answer.add_tiles()->set_elements(asText(digestBytes(tensor)));
    else
      showChunks(tensor, *tile, *answer.add_tiles());
  }
  if (!used.empty())
    answer.set_value_siblings(
        asText(valueTree.get().prove(normalize(std::move(used)))));
  return answer;
}

} // namespace gensyn::proof
