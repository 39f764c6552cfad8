// See ProgramTrees.h.

#include "ProgramTrees.h"

#include "Limits.h"
#include "RunProgram.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Trees/Descent.h"

namespace gensyn::proof {

std::string asText(const Digest &digest) {
  return {digest.begin(), digest.end()};
}

std::string asText(const std::vector<Digest> &digests) {
  std::string text;
  for (const Digest &digest : digests)
    text.append(digest.begin(), digest.end());
  return text;
}

void ListedTree::add(std::string entry) {
  tree.add(entry);
  entries.push_back(std::move(entry));
}

ProgramTrees::ProgramTrees(std::shared_ptr<ProgramSource> program)
    : source(std::move(program)), entries(source->listEntries({})),
      digests(source->values()) {
  for (const runtime::WitnessedTensor &value : digests)
    valueTree.add(asText(digestTensor(value)));
  programTree.add(entries.header());
  for (const plan::EntriesResponse::Entry &entry : entries.entries())
    programTree.add(entry.encoding());
}

ProgramTrees &ProgramTrees::enter(const dispute::Iteration &iteration) {
  requireLeaves(iteration.value(), 1, digests.size());
  if (inner && entered.value() == iteration.value() &&
      entered.iteration() == iteration.iteration())
    return *inner;
  inner.reset();
  inner = std::make_unique<ProgramTrees>(
      source->enter(iteration.value(), iteration.iteration()));
  entered = iteration;
  return *inner;
}

void requireLeaves(uint64_t begin, uint64_t count, uint64_t all) {
  if (count == 0 || begin > all || count > all - begin)
    failBadInput("the question is about leaves that a tree of " +
                 std::to_string(all) + " does not have");
}

dispute::ProgramAnswer
ProgramTrees::show(const dispute::ProgramQuestion &) const {
  dispute::ProgramAnswer answer;
  answer.set_values_root(asText(valueTree.get().root()));
  return answer;
}

dispute::TensorAnswer
ProgramTrees::show(const dispute::TensorQuestion &question) const {
  requireLeaves(question.value(), 1, digests.size());
  const runtime::WitnessedTensor &value = digests[question.value()];
  dispute::TensorAnswer answer;
  answer.set_element_type(std::string(name(value.type)));
  answer.mutable_shape()->Add(value.shape.begin(), value.shape.end());
  answer.set_elements(asText(value.elements));
  return answer;
}

dispute::PartsAnswer
ProgramTrees::show(const dispute::PartsQuestion &question) const {
  const Tensor tensor = source->value(question.value());
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
ProgramTrees::show(const dispute::ChunkQuestion &question) const {
  const Tensor tensor = source->value(question.value());
  requireLeaves(question.chunk(), 1,
                countChunks(uint64_t(tensor.byteSize())) - 1);
  dispute::ChunkAnswer answer;
  const auto data =
      tensor.byteSpan().subspan(question.chunk() * kChunkBytes, kChunkBytes);
  answer.set_data(data.data(), data.size());
  return answer;
}

void showChunks(const Tensor &tensor, const TileBytes &tile,
                dispute::TensorChunks &to) {
  if (tile.bytes != uint64_t(tensor.byteSize()))
    throw Failure(ExitCode::Bug, "a tile is not in its tensor");
  to.set_elements(asText(runtime::witnessTensor(tensor).elements));
  const ChunkProof proof = proveChunks(tensor.byteSpan(), tile.findChunks());
  for (const LeafRange &range : proof.chunks) {
    dispute::TensorChunks::Range &chunk = *to.add_chunks();
    chunk.set_begin(range.begin);
    chunk.set_end(range.end);
  }
  to.set_data(proof.data.data(), proof.data.size());
  to.set_siblings(asText(proof.siblings));
}

dispute::EvidenceAnswer
ProgramTrees::show(const dispute::EvidenceQuestion &question) const {
  requireLeaves(question.value(), 1, digests.size());
  const uint64_t value = question.value(), entry = findEntry(entries, value);
  // Computed together with the operands.
  (void)source->value(value);
  const plan::EntriesResponse response = source->listEntries({entry});
  const plan::EntriesResponse::Described &described = response.described(0);
  plan::EvaluateRequest request;
  *request.mutable_text() = described.text();
  request.set_result(uint32_t(value - described.text().first_value()));
  request.set_element(question.element());
  const plan::EvaluateResponse needed = source->locate(request);
  dispute::EvidenceAnswer answer;
  answer.set_entry(entry + 1); // behind the header
  answer.set_entries(programTree.get().size());
  answer.set_entry_siblings(
      asText(programTree.get().prove({{entry + 1, entry + 2}})));
  answer.set_module(described.text().module());
  answer.set_first_value(described.text().first_value());
  answer.set_operation(entries.entries(int(entry)).operation());
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
                                     : source->value(operand.value());
    if (question.without_data())
      answer.add_tiles()->set_elements(
          asText(runtime::witnessTensor(tensor).elements));
    else
      showChunks(tensor, *tile, *answer.add_tiles());
  }
  if (!used.empty())
    answer.set_value_siblings(
        asText(valueTree.get().prove(normalize(std::move(used)))));
  return answer;
}

dispute::IterationsAnswer
ProgramTrees::show(const dispute::IterationsQuestion &question) {
  requireLeaves(question.value(), 1, digests.size());
  // It may be anybody's.
  const uint64_t most = question.with_tensors() ? 1 : mostIterations;
  if (uint64_t(question.iterations_size()) > most)
    failBadInput("the question is about " +
                 std::to_string(question.iterations_size()) +
                 " iterations, and " + std::to_string(most) + " are the limit");
  if (iterated != question.value()) {
    iterated.reset();
    carried = source->iterate(question.value());
    iterated = question.value();
  }
  dispute::IterationsAnswer answer;
  answer.set_count(carried.size() - 1);
  for (uint64_t iteration : question.iterations()) {
    requireLeaves(iteration, 1, carried.size());
    ListTree list("carried");
    for (const runtime::WitnessedTensor &tensor : carried[iteration]) {
      const std::string digest = asText(digestTensor(tensor));
      list.add(digest);
      if (question.with_tensors())
        answer.mutable_tensors()->append(digest);
    }
    answer.mutable_roots()->append(asText(list.root()));
  }
  return answer;
}

} // namespace gensyn::proof
