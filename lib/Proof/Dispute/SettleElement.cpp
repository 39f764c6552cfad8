// The value that differs, its first element, and what that is; see Dispute.h.

#include "Settler.h"

#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Failure.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Executable/proof.pb.h"
#include "gensyn/Proof/Trees/Descent.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Runtime/Formats/Compare.h"

#include <algorithm>
#include <map>

namespace gensyn::proof {

/// What a party calls an op is cut behind so many bytes.
static constexpr size_t longestName = 200;
/// Parts of an operand that are not adjacent.
static constexpr uint64_t mostRuns = uint64_t(1) << 20;
/// A value of more bytes is not compared.
static constexpr int64_t mostTensorBytes = int64_t(1) << 50;

std::string describeElement(ElementType type, const std::string &bytes) {
  TensorEntry entry;
  entry.type = type;
  entry.data = reinterpret_cast<const uint8_t *>(bytes.data());
  entry.size = bytes.size();
  return runtime::printElement(entry, 0) + " (" +
         runtime::printElementBits(entry, 0) + ")";
}

/// A type and a shape that are not absurd; nothing else is multiplied.
static uint64_t requireBytes(Side side, const std::optional<ElementType> &type,
                             const std::vector<int64_t> &shape) {
  const auto bytes = type ? countBytes(*type, shape) : std::nullopt;
  if (!bytes || *bytes > mostTensorBytes || shape.size() > 64)
    throw Wrong{side, "has a value that is no tensor"};
  return uint64_t(*bytes);
}

Settler::Tensor Settler::askTensor(Side side, uint64_t value,
                                   const Digest &digest) {
  const dispute::TensorAnswer answer = asker.tensor(side, place(), value);
  const std::optional<ElementType> type =
      elementTypeFromName(answer.element_type());
  Tensor tensor;
  tensor.shape.assign(answer.shape().begin(), answer.shape().end());
  tensor.bytes = requireBytes(side, type, tensor.shape);
  tensor.type = *type;
  tensor.elements = readDigest(side, answer.elements());
  if (digestTensor(name(tensor.type), tensor.shape, tensor.bytes,
                   tensor.elements) != digest)
    throw Wrong{side, "describes another value than the one it claimed"};
  return tensor;
}

/// Where two lists differ first; their size if they do not.
template <class T> static size_t findMismatch(const T &a, const T &b) {
  return size_t(std::ranges::mismatch(a, b).in1 - a.begin());
}

Settler::Element Settler::findElement(uint64_t value,
                                      const Both<Tensor> &tensors) {
  const uint64_t bytes = tensors.first.bytes, chunks = countChunks(bytes);
  Both<std::vector<Digest>> parts;
  Both<std::string> data;
  for (Side side : kSides) {
    const dispute::PartsAnswer answer =
        asker.parts(side, place(), value, {0, chunks});
    parts[side] = readDigests(side, answer.digests());
    data[side] = answer.last_chunk();
    if (joinChunks(bytes, parts[side], data[side]) != tensors[side].elements)
      throw Wrong{side, "shows parts of a value that are not in what it "
                        "claimed"};
  }
  size_t i = findMismatch(parts.first, parts.second);
  uint64_t chunk = chunks - 1;
  auto narrow = [&](const LeafRange &from, const LeafRange &to) {
    found.rounds.push_back({"chunks", from.begin, from.end, to.begin, to.end});
    return to;
  };
  if (i == parts.first.size()) {
    narrow({0, chunks}, {chunk, chunks});
  } else {
    LeafRange range = narrow({0, chunks}, splitChunks(chunks)[i]);
    Both<Digest> digests = {parts.first[i], parts.second[i]};
    while (range.end - range.begin > 1) {
      for (Side side : kSides) {
        parts[side] = readDigests(
            side, asker.parts(side, place(), value, range).digests());
        if (joinChunkParts(range.begin, range.end - range.begin, parts[side]) !=
            digests[side])
          throw Wrong{side, "shows parts of a value that are not in what it "
                            "claimed"};
      }
      i = findMismatch(parts.first, parts.second);
      digests = {parts.first[i], parts.second[i]};
      range = narrow(range,
                     splitSubtree(range.begin, range.end - range.begin).at(i));
    }
    chunk = range.begin;
    for (Side side : kSides) {
      data[side] = asker.chunk(side, place(), value, chunk).data();
      if (data[side].size() != kChunkBytes ||
          Hasher::digestSubtree(chunk * kChunkBytes, data[side].data(),
                                kChunkBytes) != digests[side])
        throw Wrong{side, "shows elements of a value that are not in what it "
                          "claimed"};
    }
  }
  const uint64_t width = uint64_t(byteWidth(tensors.first.type));
  const uint64_t first = findMismatch(data.first, data.second) / width;
  Element element;
  element.number = chunk * kChunkBytes / width + first;
  for (Side side : kSides)
    element.bytes[side] = data[side].substr(first * width, width);
  return element;
}

/// The parts of a tensor that are asked for, with their chunks.
static std::vector<LeafRange> findParts(const TileBytes &tile) {
  if (tile.countRuns() > mostRuns)
    throw Failure(ExitCode::OutOfResources,
                  "an operand's tile has " + std::to_string(tile.countRuns()) +
                      " parts, and " + std::to_string(mostRuns) +
                      " are the limit");
  return tile.findChunks();
}

std::string Settler::readOperand(Side side, const dispute::TensorChunks &chunks,
                                 const TileBytes &tile,
                                 const Digest &elements) {
  ChunkProof proof;
  for (const dispute::TensorChunks::Range &range : chunks.chunks())
    proof.chunks.push_back({range.begin(), range.end()});
  if (proof.chunks != findParts(tile))
    throw Wrong{side, "gives other parts of an operand than the element needs"};
  const auto *data = reinterpret_cast<const std::byte *>(chunks.data().data());
  proof.data.assign(data, data + chunks.data().size());
  proof.siblings = readDigests(side, chunks.siblings());
  if (findDigest(tile.bytes, proof) != elements)
    throw Wrong{side, "gives parts of an operand that do not have its digest"};
  // Runs and chunks both ascend.
  std::string bytes;
  bytes.reserve(tile.tileBytes);
  size_t range = 0;
  uint64_t before = 0;
  tile.visitRuns([&](uint64_t begin, uint64_t size) {
    while (begin >= proof.chunks[range].end * kChunkBytes) {
      before +=
          (proof.chunks[range].end - proof.chunks[range].begin) * kChunkBytes;
      ++range;
    }
    bytes.append(chunks.data(),
                 before + begin - proof.chunks[range].begin * kChunkBytes,
                 size);
  });
  return bytes;
}

plan::EvaluateResponse Settler::evaluate(Side side,
                                         const plan::EvaluateRequest &request) {
  try {
    return options.compiler->evaluate(request);
  } catch (const Failure &failure) {
    if (failure.code == ExitCode::BadInput)
      throw Wrong{side, std::string("gives an op that cannot be read: ") +
                            failure.what()};
    throw TooLong{side, failure.what()};
  }
}

Settler::Located Settler::locate(Side side, uint64_t value, uint64_t element) {
  const dispute::EvidenceAnswer evidence =
      asker.evidence(side, place(), value, element, std::nullopt);
  if (value < evidence.first_value())
    throw Wrong{side, "names an op that does not compute the value"};
  // A loop has all that it repeats in it.
  if (evidence.module().size() > options.mostBytes / 4)
    throw TooLong{side, "has " + std::to_string(evidence.module().size()) +
                            " bytes as text"};
  Located located;
  plan::EvaluateRequest &request = located.request;
  plan::EntryText &text = *request.mutable_text();
  text.set_module(evidence.module());
  text.set_first_value(evidence.first_value());
  for (const dispute::EvidenceAnswer::Operand &operand : evidence.operands()) {
    plan::EntryOperand &to = *text.add_operands();
    to.set_value(operand.value());
    to.set_constant(operand.constant());
  }
  request.set_result(
      uint32_t(std::min<uint64_t>(value - evidence.first_value(), UINT32_MAX)));
  request.set_element(element);
  const plan::EvaluateResponse response = evaluate(side, request);
  if (evidence.entry() == 0 ||
      findListRoot("program", evidence.entries(),
                   {{evidence.entry(), response.encoding()}},
                   readDigests(side, evidence.entry_siblings())) != frame.root)
    throw Wrong{side, "gives an op that is not in the program"};
  located.computed = {*elementTypeFromName(response.element_type()),
                      {response.shape().begin(), response.shape().end()},
                      response.op(),
                      printable(evidence.operation(), longestName)};
  if (response.has_iterations())
    located.iterations = response.iterations();
  located.isElement =
      element < uint64_t(countElements(located.computed.shape).value_or(0));
  if (!located.isElement)
    return located;
  if (evidence.tiles_size() != response.tiles_size() ||
      evidence.operands_size() != response.tiles_size())
    throw Wrong{side, "gives another number of operands than the op has"};
  // The encoding does not have the types of operands: their digests do, so
  // nothing of a tile is believed before these are proved.
  std::map<uint64_t, std::string> used;
  for (int i = 0; i < response.tiles_size(); ++i) {
    const std::optional<TileBytes> tile = readTile(response.tiles(i));
    if (!tile)
      throw Wrong{side, "gives an op whose operands are no tensors"};
    const Digest elements = readDigest(side, evidence.tiles(i).elements());
    located.tiles.push_back({*tile, elements});
    const Digest digest =
        digestTensor(name(tile->type), tile->shape, tile->bytes, elements);
    located.operands.push_back(digest);
    const dispute::EvidenceAnswer::Operand &operand = evidence.operands(i);
    if (!operand.constant().empty()) {
      if (readDigest(side, operand.constant()) != digest)
        throw Wrong{side, "gives another constant than the op has"};
      continue;
    }
    // An op may read a value twice.
    const std::string bytes(digest.begin(), digest.end());
    if (used.try_emplace(operand.value(), bytes).first->second != bytes)
      throw Wrong{side, "gives two tensors for one value"};
  }
  if (!used.empty() &&
      findListRoot("values", frame.header.values, {used.begin(), used.end()},
                   readDigests(side, evidence.value_siblings())) !=
          frame.values[side])
    throw Wrong{side, "gives operands that are not the values it claimed"};
  return located;
}

std::string Settler::compute(Side side, uint64_t value, uint64_t element,
                             Located &located) {
  // What follows is the op's own cost, whoever is asked.
  uint64_t bytes = 0;
  for (const auto &[tile, elements] : located.tiles)
    for (const LeafRange &range : findParts(tile))
      bytes += (range.end - range.begin) * kChunkBytes;
  if (bytes > options.mostBytes)
    throw Failure(ExitCode::OutOfResources,
                  "what " + located.computed.op +
                      " reads for one element has " + std::to_string(bytes) +
                      " bytes, and " + std::to_string(options.mostBytes) +
                      " are the limit",
                  "--most-bytes sets it");
  const dispute::EvidenceAnswer evidence =
      asker.evidence(side, place(), value, element, bytes);
  if (evidence.tiles_size() != int(located.tiles.size()))
    throw Wrong{side, "gives another number of operands than the op has"};
  for (int i = 0; i < evidence.tiles_size(); ++i)
    located.request.add_tiles(readOperand(side, evidence.tiles(i),
                                          located.tiles[size_t(i)].first,
                                          located.tiles[size_t(i)].second));
  located.request.set_has_tiles(true);
  return options.compiler->evaluate(located.request).value();
}

/// Whether two have the same type and shape.
template <class A, class B> static bool isAlike(const A &a, const B &b) {
  return a.type == b.type && a.shape == b.shape;
}

Settler::Both<Settler::Tensor> Settler::askTensors(const Leaf &leaf) {
  Both<Tensor> tensors;
  for (Side side : kSides)
    tensors[side] =
        askTensor(side, leaf.number,
                  readDigest(side, entry(side, dispute::VALUES, leaf.number,
                                         frame.values[side])));
  return tensors;
}

void Settler::setElement(ElementType type, const std::vector<int64_t> &shape,
                         const Element &element, const std::string &right) {
  TensorEntry entry;
  entry.shape = shape;
  found.element = runtime::indexOfElement(entry, int64_t(element.number));
  found.first = describeElement(type, element.bytes.first);
  found.second = describeElement(type, element.bytes.second);
  found.right = describeElement(type, right);
}

Verdict Settler::compareElement(const Element &element,
                                const std::string &right) {
  const bool first = element.bytes.first != right,
             second = element.bytes.second != right;
  if (first && second)
    return make(Verdict::Kind::Both, "the first claims " + found.first +
                                         ", the second " + found.second +
                                         ", and it is " + found.right);
  return blame(first ? Side::First : Side::Second,
               "claims " + (first ? found.first : found.second) +
                   ", and it is " + found.right);
}

Verdict Settler::settleSample(const Leaf &leaf) {
  const ProgramHeader::Argument &argument = frame.header.arguments[leaf.number];
  const Both<Tensor> tensors = askTensors(leaf);
  for (Side side : kSides)
    if (tensors[side].type != argument.type ||
        tensors[side].shape != argument.shape)
      throw Wrong{side, "has an argument of another type or shape than the "
                        "program"};
  const Element element = findElement(leaf.number, tensors);
  const std::optional<Digest> root = parseDigest(factText("samples_root"));
  if (!root)
    return make(Verdict::Kind::Undecided,
                "the " + found.operation +
                    " differs, so the data do, and the run does not commit to "
                    "its samples");
  const SampleElement place =
      findSampleElement(argument.type, argument.shape, element.number);
  if (place.row >= samples.size())
    throw Failure(ExitCode::Unsupported,
                  "the program has more samples than the step");
  const auto number = uint64_t(samples[place.row]);
  const Side side = Side::First;
  const dispute::SampleAnswer answer =
      asker.sample(side, step, leaf.number, element.number);
  if (findListRoot("samples", factNumber("samples"), {{number, answer.entry()}},
                   readDigests(side, answer.siblings())) != *root)
    throw Wrong{side, "proves a sample that is not in the data"};
  const Digest elements = readDigest(side, answer.chunks().elements());
  if (findInSample(answer.entry(), argument.name) !=
      digestTensor(name(place.tile.type), place.tile.shape, place.tile.bytes,
                   elements))
    throw Wrong{side, "gives parts of a tensor that is not the sample's"};
  const std::string right =
      readOperand(side, answer.chunks(), place.tile, elements);
  setElement(argument.type, argument.shape, element, right);
  Verdict verdict = compareElement(element, right);
  verdict.reason += " in sample " + std::to_string(number) + " of the data";
  return verdict;
}

Verdict Settler::settleBy(Side giver, const Leaf &leaf,
                          const Both<Tensor> &tensors, const Element &element) {
  Located located = locate(giver, leaf.number, element.number);
  const Computed &right = located.computed;
  found.op = right.op;
  found.operation = right.operation;
  const bool first = !isAlike(tensors.first, right),
             second = !isAlike(tensors.second, right);
  const std::string what =
      "claims a result of another type or shape than that of the op";
  if (first && second)
    return make(Verdict::Kind::Both, "each " + what);
  if (first || second)
    return blame(first ? Side::First : Side::Second, what);
  if (located.iterations)
    return settleIterations(giver, leaf.number, std::move(located));
  const std::string bytes =
      compute(giver, leaf.number, element.number, located);
  setElement(right.type, right.shape, element, bytes);
  return compareElement(element, bytes);
}

Verdict Settler::settleValue(const Leaf &leaf) {
  say("comparing value " + std::to_string(leaf.number) + " of step " +
      std::to_string(step));
  const Both<Tensor> tensors = askTensors(leaf);
  Element element;
  if (isAlike(tensors.first, tensors.second))
    element = findElement(leaf.number, tensors);
  try {
    return settleBy(Side::First, leaf, tensors, element);
  } catch (const TooLong &) {
    // Whoever lies may make it so.
  }
  try {
    return settleBy(Side::Second, leaf, tensors, element);
  } catch (const TooLong &tooLong) {
    throw Failure(ExitCode::OutOfResources,
                  "the op that computes value " + std::to_string(leaf.number) +
                      " cannot be read: " + tooLong.reason,
                  "--most-bytes and --most-seconds set the limits");
  }
}

} // namespace gensyn::proof
