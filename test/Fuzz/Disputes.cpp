// See Disputes.h.

#include "Disputes.h"

#include "Wire.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Proof/Trees/ListTree.h"

#include <algorithm>
#include <cstring>

namespace gensyn::fuzz {

using cheats::Lie;
using testing::SyntheticRun;

static std::function<void(runtime::WitnessedState &)>
alterState(uint64_t number) {
  return [=](runtime::WitnessedState &state) {
    if (state.empty())
      return;
    auto chosen = std::next(state.begin(), long(number % state.size()));
    switch (number / 8 % 4) {
    case 0:
      chosen->second.shape.push_back(int64_t(number));
      return;
    case 1:
      state.erase(chosen);
      return;
    case 2:
      state["another"] = runtime::WitnessedTensor(chosen->second);
      return;
    default:
      chosen->second.elements[number % 32] ^= 1;
    }
  };
}

static void alterRecord(Random &random, Lie &lie) {
  const uint64_t number = random.edge();
  const bool isLoss = random.once(2);
  lie.record = [=](proof::StepSource::Record &record) {
    if (isLoss)
      record.loss = double(number);
    else if (number % 2)
      record.samples.push_back(int64_t(number));
    else
      record.programDigest += "x";
  };
}

/// Other digests, more or fewer values, or iterations.
static std::function<void(proof::CarriedValues &)>
alterCarried(Random &random) {
  const uint64_t number = random.next();
  const uint64_t kind = random.below(5);
  return [=](proof::CarriedValues &carried) {
    const size_t from = number % carried.size();
    const auto last = carried.back();
    switch (kind) {
    case 0:
      carried.resize(1 + number / 8 % 8, last);
      return;
    case 1:
      carried.back().resize(number / 8 % 8, last.front());
      return;
    case 2:
      std::swap(carried[from], carried.back());
      return;
    default:
      // Some ops carry nothing before their iteration.
      for (size_t i = from; i < (kind == 3 ? from + 1 : carried.size()); ++i)
        if (!carried[i].empty())
          carried[i][number / 8 % carried[i].size()]
              .elements[number / 64 % 32] ^= 1;
    }
  };
}

/// Moves a lie into an iteration of the loop, or of an op there, or makes it
/// one about what these carry.
static void nest(Random &random, Lie &lie) {
  using In = SyntheticRun::InLoop;
  auto enter = [&](uint64_t value, uint64_t iteration) {
    dispute::Iteration &place = lie.path.emplace_back();
    place.set_value(value);
    place.set_iteration(iteration);
  };
  lie.value = SyntheticRun::Looped + random.below(2);
  if (random.once(4)) {
    lie.carried = alterCarried(random);
    return;
  }
  enter(lie.value, 1 + random.below(random.once(2) ? 2 : 6));
  if (random.once(2)) {
    lie.value = random.below(In::kValues);
    return;
  }
  lie.value = random.once(3) ? In::Picked : In::Branched;
  if (random.once(2)) {
    lie.carried = alterCarried(random);
    return;
  }
  enter(lie.value, 1);
  lie.value = random.below(SyntheticRun::InBranch::kValues);
}

Lie makeLie(Random &random) {
  Lie lie;
  lie.step = int64_t(1 + random.below(SyntheticRun::kSteps));
  const uint64_t number = random.next();
  switch (random.below(8)) {
  case 0:
    lie.after = alterState(number);
    return lie;
  case 1:
    alterRecord(random, lie);
    return lie;
  case 2:
    lie.before = alterState(number);
    break;
  default:
    break;
  }
  lie.value = random.below(SyntheticRun::kValues);
  if (!random.once(3))
    nest(random, lie);
  const bool isReshaped = random.once(8);
  lie.alter = [=](Tensor &tensor) {
    if (isReshaped) {
      std::vector<int64_t> shape = tensor.shape();
      shape.insert(shape.begin(), int64_t(number % 3));
      tensor =
          Tensor(number % 2 ? ElementType::F64 : tensor.elementType(), shape);
    } else if (tensor.byteSize() > 0) {
      tensor.data()[number % uint64_t(tensor.byteSize())] ^=
          std::byte(1 << number / 8192 % 8);
    }
  };
  lie.after = cheats::spoil;
  return lie;
}

static nlohmann::ordered_json anyJson(Random &random) {
  switch (random.below(9)) {
  case 0:
    return int64_t(random.edge());
  case 1:
    return "text";
  case 2:
    return nullptr;
  case 3:
    return nlohmann::ordered_json::array();
  case 4:
    return nlohmann::ordered_json::object();
  case 5:
    return 1e300;
  case 6:
    return random.once(2);
  case 7:
    return "a b c  d";
  default:
    return random.edge();
  }
}

/// A number anywhere, or any bytes.
static void alterHeader(std::string &header, Random &random) {
  const uint64_t number = random.edge();
  if (random.once(3) || header.size() <= sizeof(number))
    return changeBytes(header, random);
  const size_t at = random.below(header.size() - sizeof(number));
  std::memcpy(header.data() + at, &number, sizeof(number));
}

Lie makeWorld(SyntheticRun &run, int64_t step, Random &random) {
  Lie lie;
  lie.step = step;
  auto facts = nlohmann::ordered_json::parse(run.commitments().facts);
  if (random.once(2)) {
    plan::EntriesResponse program = run.open(step)->listEntries({});
    for (uint64_t i = 1 + random.below(3); i > 0; --i)
      alterHeader(*program.mutable_header(), random);
    proof::ListTree tree("program");
    tree.add(program.header());
    for (const auto &entry : program.entries())
      tree.add(entry.encoding());
    facts["program_root"] = facts["last_batch_program_root"] =
        toHex(tree.root());
    lie.program = [header = program.header()](plan::EntriesResponse &response) {
      if (!response.header().empty())
        response.set_header(header);
    };
  }
  for (uint64_t i = random.below(3); i > 0; --i)
    std::next(facts.begin(), long(random.below(facts.size()))).value() =
        anyJson(random);
  const uint64_t last = random.once(8) ? random.edge() : 0;
  lie.commitments = [last, text = facts.dump()](proof::RunCommitments &told) {
    told.facts = text;
    told.points[0].history = proof::digestFacts(text);
    if (last)
      told.points.back().step = int64_t(last);
  };
  return lie;
}

void changeDigests(Field &field, Random &random) {
  std::string &bytes = field.bytes;
  const size_t count = bytes.size() / sizeof(Digest);
  if (count == 0 || bytes.size() % sizeof(Digest) != 0 || random.once(2))
    return changeBytes(bytes, random);
  const size_t at = random.below(count) * sizeof(Digest);
  const std::string digest = bytes.substr(at, sizeof(Digest));
  switch (random.below(4)) {
  case 0:
    bytes.erase(at, sizeof(Digest));
    return;
  case 1:
    bytes.insert(random.below(count) * sizeof(Digest), digest);
    return;
  case 2:
    bytes.replace(random.below(count) * sizeof(Digest), sizeof(Digest), digest);
    return;
  default:
    bytes[random.below(bytes.size())] ^= 1;
  }
}

/// Answers from 0 that are as they are: a few or many, so that late ones have
/// their turn, too.
static uint64_t countUnaltered(Random &random) {
  return random.below(random.once(3) ? 15 : 60);
}

cheats::AlteredParty::Alter alterAnswers(uint64_t seed) {
  auto random = std::make_shared<Random>(seed);
  auto left = std::make_shared<uint64_t>(countUnaltered(*random));
  return [=](const dispute::Question &, dispute::Answer &answer) {
    if (*left > 0) {
      --*left;
      return;
    }
    *left = random->below(8);
    std::list<Field> fields;
    if (!parseFields(answer.SerializeAsString(), fields))
      return;
    for (uint64_t i = 1 + random->below(2); i > 0; --i)
      changeFields(fields, *random, changeDigests);
    if (!answer.ParseFromString(writeFields(fields)))
      failBadInput("the answer is none");
  };
}

cheats::MovedParty::Move moveQuestions(uint64_t seed) {
  auto random = std::make_shared<Random>(seed);
  auto left = std::make_shared<uint64_t>(countUnaltered(*random));
  // Who answers from elsewhere may go on with that, or come back.
  const bool stays = random->once(2);
  const uint64_t kind = random->below(4);
  return [=](dispute::Question &question) {
    auto *path = cheats::pathOf(question);
    if (!path || path->empty())
      return;
    if (*left > 0) {
      --*left;
      return;
    }
    if (!stays)
      *left = random->below(8);
    dispute::Iteration &last = *path->Mutable(path->size() - 1);
    switch (kind) {
    case 0:
      path->RemoveLast();
      return;
    case 1:
      last.set_value(last.value() ^ 1);
      return;
    default:
      last.set_iteration(last.iteration() == 1 ? 2 : last.iteration() - 1);
    }
  };
}

bool isPrintable(const proof::Verdict &verdict) {
  std::vector<std::string> texts = {verdict.reason, verdict.operation,
                                    verdict.op,     verdict.first,
                                    verdict.second, verdict.right};
  for (const proof::Verdict::Iteration &iteration : verdict.path)
    texts.push_back(iteration.operation);
  for (const std::string &text : texts) {
    if (std::ranges::any_of(
            text, [](char c) { return uint8_t(c) < 0x20 || c == 0x7f; }))
      return false;
    // What is not UTF-8 cannot be written as JSON.
    try {
      (void)nlohmann::json(text).dump();
    } catch (const nlohmann::json::exception &) {
      return false;
    }
  }
  return true;
}

} // namespace gensyn::fuzz
