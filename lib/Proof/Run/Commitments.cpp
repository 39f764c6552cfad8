// See Commitments.h.

#include "gensyn/Proof/Run/Commitments.h"

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Executable/Support/Encoding.h"
#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Proof/Trees/ListTree.h"
#include "gensyn/Runtime/Replay/RepeatRun.h"

#include <bit>
#include <set>

namespace gensyn::proof {

namespace fs = std::filesystem;
using nlohmann::json;

Digest digestTensor(const runtime::WitnessedTensor &tensor) {
  return digestTensor(
      name(tensor.type), tensor.shape,
      uint64_t(countBytes(tensor.type, tensor.shape).value_or(0)),
      tensor.elements);
}

Digest digestState(const runtime::WitnessedState &state) {
  ListTree tree("state");
  for (const auto &[name, tensor] : state)
    tree.add(Encoding().text(name).digest(digestTensor(tensor)).bytes());
  return tree.root();
}

Digest digestStep(const Digest &before, const runtime::WitnessedStep &step) {
  return Encoding("gensyn step 1")
      .digest(before)
      .number(uint64_t(step.step))
      .text(step.programDigest)
      .numbers(step.samples)
      .number(std::bit_cast<uint64_t>(step.loss))
      .finish();
}

std::string encodeSample(const runtime::WitnessedState &sample) {
  Encoding encoding;
  for (const auto &[name, tensor] : sample)
    encoding.text(name).digest(digestTensor(tensor));
  return encoding.bytes();
}

static std::string findSamplesRoot(const runtime::WitnessedStart &start) {
  ListTree samples("samples");
  start.visitSamples([&](const runtime::WitnessedState &sample) {
    samples.add(encodeSample(sample));
  });
  return toHex(samples.root());
}

std::string writeFacts(const runtime::WitnessedStart &start,
                       bool commitsToSamples, std::string *samplesRoot) {
  OrderedJson facts = start.facts;
  facts["constants_root"] = toHex(digestState(start.constants));
  std::string root;
  if (start.visitSamples &&
      (commitsToSamples || start.sampleBytes <= runtime::kMostSampleBytes))
    root = samplesRoot && !samplesRoot->empty() ? *samplesRoot
                                                : findSamplesRoot(start);
  facts["samples_root"] = root;
  if (samplesRoot)
    *samplesRoot = root;
  return printJson(facts);
}

bool hasSamplesRoot(const std::string &facts) {
  const nlohmann::json read =
      nlohmann::json::parse(facts, nullptr, /*allow_exceptions=*/false);
  const auto root = read.is_object() ? read.find("samples_root") : read.end();
  return root != read.end() && root->is_string() &&
         !root->get_ref<const std::string &>().empty();
}

Digest digestFacts(std::string_view facts) {
  return Encoding("gensyn run 1").text(facts).finish();
}

Digest digestPoint(const Digest *before, const RunPoint &point) {
  Encoding encoding("gensyn point 1");
  if (before)
    encoding.digest(*before);
  return encoding.number(uint64_t(point.step))
      .digest(point.history)
      .digest(point.state)
      .finish();
}

namespace {

/// Reads lines, and checks each against those before.
class CommitmentReader {
public:
  explicit CommitmentReader(const fs::path &path) : path(path) {}

  RunCommitments read();

private:
  [[noreturn]] void fail(const std::string &problem) const {
    failBadInput(path.string() + ": line " + std::to_string(line) + " " +
                 problem);
  }
  void readLine(std::string_view text);
  Digest digestAt(const json &row, const char *key) const;

  fs::path path;
  int64_t line = 0;
  RunCommitments commitments;
};

} // namespace

Digest CommitmentReader::digestAt(const json &row, const char *key) const {
  const auto found = row.find(key);
  const auto digest = found != row.end() && found->is_string()
                          ? parseDigest(found->get<std::string>())
                          : std::nullopt;
  if (!digest)
    fail("has no digest " + quote(key));
  return *digest;
}

void CommitmentReader::readLine(std::string_view text) {
  const json row = parseJson(
      text, path.string() + ": line " + std::to_string(line), "the line");
  if (!row.is_object() || !row.contains("step") ||
      !row["step"].is_number_unsigned() ||
      row["step"].get<uint64_t>() > uint64_t(INT64_MAX))
    fail("has no step");
  RunPoint point;
  point.step = row["step"].get<int64_t>();
  point.history = digestAt(row, "history");
  point.state = digestAt(row, "state");
  point.root = digestAt(row, "root");
  point.isStop = row.value("stop", json(false)) == true;
  std::vector<RunPoint> &points = commitments.points;
  if (points.empty()) {
    if (row.value("format", json()) != "gensyn-commitments-2" ||
        !row.contains("facts") || !row["facts"].is_string())
      fail("is not the beginning of a gensyn-commitments-2");
    commitments.facts = row["facts"].get<std::string>();
    if (!parseJson(commitments.facts,
                   path.string() + ": line " + std::to_string(line), "'facts'")
             .is_object())
      fail("has facts that are not an object");
    if (point.isStop)
      fail("is a stop before the first step");
    if (point.step != 0 || point.history != digestFacts(commitments.facts))
      fail("does not commit to its facts");
  } else if (points.back().isStop) {
    fail("follows a stop");
  } else if (point.step <= points.back().step) {
    fail("has step " + std::to_string(point.step) + " after step " +
         std::to_string(points.back().step));
  }
  if (digestPoint(points.empty() ? nullptr : &points.back().root, point) !=
      point.root)
    fail("has a root that does not follow from it");
  points.push_back(point);
}

RunCommitments CommitmentReader::read() {
  constexpr size_t largest = size_t(1) << 30;
  const std::string text = readText(path, largest);
  for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
    ++line;
    end = text.find('\n', begin);
    if (end == text.npos)
      fail("is incomplete");
    readLine(std::string_view(text).substr(begin, end - begin));
  }
  if (commitments.points.empty())
    failBadInput(path.string() + ": has no commitment");
  return std::move(commitments);
}

RunCommitments readCommitments(const fs::path &folder) {
  const fs::path path = folder / kCommitmentsFile;
  std::error_code ignored;
  if (!fs::exists(path, ignored))
    failBadInput(folder.string() + ": has no " + kCommitmentsFile,
                 "gensyn-run train writes it unless --commit says none");
  return CommitmentReader(path).read();
}

std::vector<int64_t> findStarts(const fs::path &run,
                                const std::vector<RunPoint> &points) {
  std::set<int64_t> committed;
  for (const RunPoint &point : points)
    committed.insert(point.step);
  std::vector<int64_t> starts = {0};
  for (int64_t checkpoint : runtime::listCheckpointSteps(run))
    if (checkpoint > 0 && committed.contains(checkpoint))
      starts.push_back(checkpoint);
  return starts;
}

} // namespace gensyn::proof
