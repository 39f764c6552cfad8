// The sections of a report page, and the data that its scripts draw.
#ifndef GENSYN_LIB_RUNTIME_REPORT_SECTIONS_H
#define GENSYN_LIB_RUNTIME_REPORT_SECTIONS_H

#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Runtime/Report/ReportPage.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gensyn::runtime::report {

/// Where a layer or a kernel is among the modules of the model, outermost
/// first: {"layer1", "0", "conv1"}.
using ModulePath = std::vector<std::string>;

/// The module of a layer of `info`: by the exporter's metadata, else by the
/// node's name if it has slashes, else by its first parameter's name. Empty if
/// none of them tells.
ModulePath findModule(const nlohmann::json &layer);
/// The module of a parameter: {"fc"} of "fc.weight".
ModulePath moduleOfParameter(const std::string &name);

/// The parts of a training step. An inference program has Forward alone.
enum class Phase { Forward, Loss, Backward, Update };
const char *nameOf(Phase phase);

/// The phase of each kernel of `info`, by name. Kernels without a node compute
/// the loss, those that depend on it derivatives, and those of a parameter its
/// update.
std::map<std::string, Phase> findPhases(const nlohmann::json &info);

/// "contract f32, 576 points, blocked<...>: within 41 u of ..."
std::string describeOrder(const nlohmann::json &order);

/// Layers and kernels with their modules and edges.
OrderedJson describeGraph(const nlohmann::json &info);
/// The kernel of the program that a launch belongs to, as in `info`; the symbol
/// of its code if an older compiler made the plan.
std::string nameLaunch(const plan::Launch &launch);
/// The kernels of a plan as rows of `info`, as far as a plan tells: names, main
/// nodes, operations, bytes and readers.
nlohmann::json describePlannedKernels(const plan::Plan &plan);
/// The phase of each launch of a plan: that of its kernel. Launches of kernels
/// that `info` does not have are of the forward pass.
std::vector<Phase> findLaunchPhases(const plan::Plan &plan,
                                    const nlohmann::json &info);
/// The buffers of a program's arena: where each lies, and the first and the
/// last launch of its life.
OrderedJson describeMemory(const ReportedProgram &program,
                           const nlohmann::json &info);
/// The spans of the last run and the rates of kernels.
OrderedJson describeTime(const MeasuredRuns &measured,
                         const nlohmann::json &info);
/// A point for each step of each run, and `words` about where their bits part.
OrderedJson describeRuns(const std::vector<std::filesystem::path> &folders);

std::string makeSummary(const ReportContent &content);
std::string makeGraph(const ReportContent &content);
std::string makeMemory(const ReportContent &content,
                       const OrderedJson &memories);
std::string makeTime(const OrderedJson &time);
std::string makeCurves(const OrderedJson &runs);
std::string makeLayers(const ReportContent &content);
std::string makeKernels(const ReportContent &content);

/// "12.3 MiB", "4.56 Gflop".
std::string printBytes(double bytes);
std::string printFlops(double flops);
/// "f32[4,64,56,56]" of an object with type and shape.
std::string printType(const nlohmann::json &value);

/// The style sheet and the scripts of these pages.
extern const char *const styles,
    *const layoutScript, *const plotScript, *const graphScript,
                                                *const chartScript,
                                                    *const curvesScript;

} // namespace gensyn::runtime::report

#endif
