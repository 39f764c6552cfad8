// The page of `compare --html`: where and how much tensors differ.
#ifndef GENSYN_RUNTIME_REPORT_COMPARISONPAGE_H
#define GENSYN_RUNTIME_REPORT_COMPARISONPAGE_H

#include "gensyn/Executable/Formats/TensorFile.h"
#include "gensyn/Runtime/Formats/Compare.h"
#include "gensyn/Runtime/Replay/Replay.h"

#include <filesystem>
#include <string>
#include <vector>

namespace gensyn::runtime {

struct ComparisonContent {
  /// Files of tensors, or run folders, as the user names them. Of two folders
  /// with a log.jsonl the page compares the runs, too.
  std::filesystem::path first, second;
  const TensorFile &firstTensors, &secondTensors;
  /// Of compareTensors().
  std::vector<Difference> differences;
  /// What repeating the runs found; null if they were not repeated.
  const ReplayResult *replay = nullptr;
};

/// One document that needs no other file, of at most 5 MB. The same content
/// gives the same bytes. Throws a Failure if a run folder cannot be read (I/O)
/// or is malformed (bad input).
std::string makeComparisonPage(const ComparisonContent &content);

} // namespace gensyn::runtime

#endif
