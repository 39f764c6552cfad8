// The page of `report`: what the compiler made of a model, and training runs.
#ifndef GENSYN_RUNTIME_REPORT_REPORTPAGE_H
#define GENSYN_RUNTIME_REPORT_REPORTPAGE_H

#include "gensyn/Executable/PlanMessages.h"
#include "gensyn/Runtime/Devices/KernelProfile.h"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace gensyn::runtime {

/// A compiled program whose memory the page shows.
struct ReportedProgram {
  /// "without a memory budget"
  std::string name;
  /// Null if it could not be compiled.
  const plan::Executable *executable = nullptr;
  /// The reason why it could not.
  std::string problem;
};

/// What was measured in runs of a program on a CPU.
struct MeasuredRuns {
  /// The program that ran.
  const plan::Executable *executable = nullptr;
  /// The times of kernels over all runs, and the spans of the last run.
  KernelProfile profile;
  unsigned threads = 0;
};

struct ReportContent {
  /// The model's file, without its folder.
  std::string model;
  /// The recipe's file; empty without one.
  std::string recipe;
  /// "cpu:x86-64-v3"
  std::string target;
  /// The response of `info` (CompilerApi.h) with orders and kernels.
  nlohmann::json info;
  /// The name of the program whose kernels `info` has, if there are several.
  std::string graphProgram;
  /// The programs of a compiled model; empty for a model. Of a compiled model
  /// `info` has neither reasons between kernels nor all of their nodes.
  std::string compiled;
  std::vector<ReportedProgram> programs;
  /// Nothing unless the program was run.
  std::optional<MeasuredRuns> measured;
  /// Folders of training runs, whose log.jsonl is read.
  std::vector<std::filesystem::path> runs;
};

/// One document that needs no other file. The same content gives the same
/// bytes. Throws a Failure if a run's log cannot be read (I/O) or is malformed
/// (bad input).
std::string makeReportPage(const ReportContent &content);

/// The last run as a JSON trace that Perfetto and Chrome open: an event for
/// each thread's part of a launch.
std::string makeTrace(const MeasuredRuns &measured);

} // namespace gensyn::runtime

#endif
