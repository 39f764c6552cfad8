// info: describes a model.

#include "../Terminal/Terminal.h"
#include "Commands.h"

#include "gensyn/Executable/Formats/SafeTensors.h"
#include "gensyn/Executable/Support/Json.h"
#include "gensyn/Executable/plan.pb.h"
#include "gensyn/Runtime/Compiler/Assembler.h"
#include "gensyn/Runtime/Models/Model.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"
#include "gensyn/Runtime/Training/ThroughputMeter.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

namespace gensyn::run {

using nlohmann::json;

/// Maps the compiler's type names, which are MLIR's, to common ones.
static std::string describeType(const std::string &name) {
  std::optional<ElementType> type = elementTypeFromName(name);
  return type ? longName(*type) : name;
}

/// A name, quoted unless it consists of common characters.
static std::string describeDimension(const std::string &name) {
  auto isPlain = [](unsigned char c) {
    return std::isalnum(c) || std::string_view("_.+-*/() ").find(char(c)) !=
                                  std::string_view::npos;
  };
  return !name.empty() && name.size() <= 64 &&
                 std::all_of(name.begin(), name.end(), isPlain)
             ? name
             : quote(name);
}

static std::string describeValue(const json &value) {
  std::string line = quote(value.value("name", "?")) + " " +
                     describeType(value.value("type", "?")) + "[";
  bool first = true;
  for (const json &extent : value.value("shape", json::array())) {
    line += first ? "" : ",";
    line += extent.is_string() ? describeDimension(extent) : extent.dump();
    first = false;
  }
  return line + "]";
}

std::string describeOperators(const json &info) {
  std::vector<std::pair<int64_t, std::string>> rows;
  // A named variable, since items() of a temporary would outlive it.
  const json operators = info.value("operators", json::object());
  for (const auto &[name, count] : operators.items())
    rows.emplace_back(-count.get<int64_t>(), name);
  std::sort(rows.begin(), rows.end());
  std::string line;
  for (const auto &[count, name] : rows)
    line += (line.empty() ? "" : ", ") + std::to_string(-count) + " " + name;
  return line;
}

static void printInfo(const json &info) {
  if (std::string producer = info.value("producer", ""); !producer.empty())
    printLine("producer    " + producer);
  std::string opsets;
  const json imports = info.value("opsets", json::object());
  for (const auto &[domain, version] : imports.items())
    opsets += (opsets.empty() ? "" : ", ") +
              (domain.empty() ? "ai.onnx" : domain) + " " + version.dump();
  if (!opsets.empty())
    printLine("opset       " + opsets);
  for (const json &value : info.value("inputs", json::array()))
    printLine("input       " + describeValue(value));
  for (const json &value : info.value("outputs", json::array()))
    printLine("output      " + describeValue(value));
  printLine("operators   " + describeOperators(info));
  json parameters = info.value("parameters", json::array());
  printLine("parameters  " +
            counted(info.value("parameter_count", int64_t(0)), "parameter") +
            " in " + counted(int64_t(parameters.size()), "tensor"));
  for (const json &value : parameters)
    printLine("            " + describeValue(value));
  if (auto trained = info.find("trained"); trained != info.end())
    printLine("trained     " +
              counted(trained->value("parameters", int64_t(0)), "parameter") +
              " in " +
              counted(trained->value("tensors", int64_t(0)), "tensor") +
              ", by this recipe");
  if (auto constants = info.value("constants", json::array());
      !constants.empty()) {
    std::vector<std::string> names(constants.begin(), constants.end());
    printLine("constants   " + listed(names) +
              (names.size() == 1 ? ": no parameter" : ": no parameters"));
  }
  if (auto training = info.find("training_info"); training != info.end())
    printLine(std::string("training    by training_info") +
              (training->value("initialization", false)
                   ? ", which also initializes"
                   : ""));
  json unsupported = info.value("unsupported", json::array());
  if (unsupported.empty())
    printLine("unsupported nothing");
  for (const json &entry : unsupported)
    printLine("unsupported node " + quote(entry.value("node", "?")) +
              (entry.contains("operator")
                   ? " (" + entry.value("operator", "?") + "): "
                   : ": ") +
              entry.value("reason", "no conversion"));
  printLayers(info);
}

/// "contract f32, 4096 points, blocked<...>: within 1027 u of ..."
static std::string describeOrder(const json &order) {
  std::string line;
  if (std::string node = order.value("node", ""); !node.empty())
    line = "node " + quote(node) + " (" + order.value("operator", "?") + "): ";
  line += order.value("operation", "?") + " " +
          describeType(order.value("type", "?")) + ", " +
          counted(order.value("points", int64_t(0)), "point") + ", " +
          order.value("order", "?") + ": within " +
          std::to_string(order.value("roundings", int64_t(0))) + " u of ";
  line += order.value("relative_to", "") == "result"
              ? "the result"
              : "the terms' absolute sum";
  // A power of two, rounded up to one decimal place.
  if (const double each = order.value("point_error", 0.0); each > 0) {
    line += " and, for each point, 2^" +
            fixedText(std::ceil(std::log2(each) * 10) / 10, 1) +
            " of its rows' largest product";
  }
  return line;
}

static void printOrders(const json &info) {
  for (const json &order : info.value("orders", json::array()))
    printLine("order       " + describeOrder(order));
  printLine("            u is 2^-24 in float32 and 2^-53 in float64");
}

static std::string describeCost(const json &figures) {
  auto number = [&](const char *key) {
    return std::to_string(figures.value(key, int64_t(0)));
  };
  return number("flops") + " flops, reads " + number("bytes_read") +
         " bytes, writes " + number("bytes_written");
}

static void printKernels(const json &info) {
  for (const json &kernel : info.value("kernels", json::array())) {
    const std::string node = kernel.value("node", "");
    const std::string schedule = kernel.value("schedule", "");
    printLine("kernel      " + kernel.value("name", "?") + " (" +
              kernel.value("form", "?") +
              (schedule.empty() ? "" : ", " + schedule) + ")" +
              (node.empty() ? "" : " of node " + quote(node)) + ": " +
              counted(kernel.value("elements", int64_t(0)), "element") + ", " +
              describeCost(kernel));
    for (const json &border : kernel.value("borders", json::array()))
      printLine("            to " + border.value("reader", "?") + ": " +
                border.value("reason", "?"));
  }
  json totals = info.value("kernel_totals", json::object());
  for (const char *when : {"formed", "fused"}) {
    json sum = totals.value(when, json::object());
    printLine("kernels     " + std::string(when) + ": " +
              counted(sum.value("kernels", int64_t(0)), "kernel") + ", " +
              describeCost(sum) +
              (sum.contains("baseline_share")
                   ? "; " +
                         runtime::fixedText(
                             sum.value("baseline_share", 0.0) * 100, 1) +
                         " % of the time in the baseline schedule, by estimate"
                   : ""));
  }
}

/// The groups of ops that are listed: few, with a part of the operations that
/// shows.
static constexpr size_t kMostGroups = 8;
static constexpr double kLeastShare = 0.0005;

static std::string describeReason(const json &group, int64_t ranks) {
  const std::string reason = group.value("reason", "");
  if (reason == "few-indices")
    return "no free dimension has " + std::to_string(ranks) + " indices";
  if (reason == "price")
    return "dividing them would cost more than it saves";
  if (reason == "view")
    return "each rank computes what it reads of them";
  return "they have no pieces";
}

/// "; the longest sum has 768 points in order sequential, which allows 1 part;
/// --accuracy accurate would allow 6 (blocked<...>)"
static std::string describeSums(const json &group) {
  if (!group.contains("sum"))
    return "";
  const json sum = group.value("sum", json::object());
  std::string line = "; the longest sum has " +
                     counted(group.value("points", int64_t(0)), "point") +
                     " in order " + sum.value("order", "?") +
                     ", which allows " +
                     counted(sum.value("parts", int64_t(0)), "part");
  if (auto better = group.find("better"); better != group.end()) {
    const std::string order = better->value("order", "?"),
                      accuracy = better->value("accuracy", "?");
    line += "; --accuracy " + accuracy + " would allow " +
            std::to_string(better->value("parts", int64_t(0))) +
            (order == accuracy ? "" : " (" + order + ")");
  }
  return line;
}

static std::string percent(int64_t part, int64_t whole) {
  return runtime::fixedText(whole > 0 ? 100 * double(part) / double(whole) : 0,
                            1) +
         " %";
}

/// "divided     98.2 % of a microbatch's 1234 operations, by tensor=2"
static void printDivision(const json &division) {
  const auto all = division.value("operations", int64_t(0)),
             ranks = division.value("tensor", int64_t(1));
  printLine("divided     " +
            percent(division.value("divided", int64_t(0)), all) +
            " of a microbatch's " + counted(all, "operation") +
            ", by tensor=" + std::to_string(ranks));
  for (const json &rank : division.value("ranks", json::array())) {
    auto bytes = [&](const char *key) {
      return runtime::describeBytes(rank.value(key, uint64_t(0)));
    };
    printLine("            stage " +
              std::to_string(rank.value("stage", int64_t(0))) + ", rank " +
              std::to_string(rank.value("tensor", int64_t(0))) + ": " +
              percent(rank.value("operations", int64_t(0)), all) +
              " of them, " + bytes("parameter_bytes") + " of parameters, " +
              bytes("received_bytes") + " received in " +
              counted(rank.value("received_values", int64_t(0)), "value"));
  }
  const json groups = division.value("whole", json::array());
  int64_t left = all - division.value("divided", int64_t(0));
  size_t listed = 0;
  for (const json &group : groups) {
    const auto operations = group.value("operations", int64_t(0));
    if (listed == kMostGroups || double(operations) < kLeastShare * double(all))
      break;
    printLine("not divided " + percent(operations, all) + " in " +
              counted(group.value("ops", int64_t(0)), "op") + " '" +
              group.value("operation", "?") +
              "': " + describeReason(group, ranks) + describeSums(group));
    left -= operations;
    ++listed;
  }
  if (listed < groups.size())
    printLine("not divided " + percent(left, all) + " in " +
              counted(int64_t(groups.size() - listed), "smaller group") +
              ", which --json has");
}

/// The compiler's description, with the division that --parallel asks for.
static std::string describeModel(const Options &options, Model &model) {
  if (options.parallel.count() == 1 && !options.dataGroups)
    return model.info();
  runtime::requirePipeline(options.parallel);
  if (options.parallel.tensors < 2)
    throw Failure(ExitCode::Usage,
                  "--parallel: info describes tensor=T, for a T of at least 2");
  if (model.package())
    throw Failure(ExitCode::Usage,
                  options.model.string() + ": is compiled already",
                  "--parallel is for the ONNX file");
  if (model.recipeText().empty())
    throw Failure(ExitCode::Usage, "--parallel needs --recipe");
  plan::InfoRequest request = makeInfoRequest(options, model.recipeText());
  request.set_pipeline_stages(uint32_t(options.parallel.stages));
  request.set_tensor_ranks(uint32_t(options.parallel.tensors));
  request.set_interleave(uint32_t(options.parallel.interleave));
  return openCompiler(options)->info(request);
}

/// Adds the facts of a package to those of its model.
static void describePackage(const plan::Package &package, json &info) {
  info["compiled_by"] = package.producer();
  info["compiled_from"] = package.model();
  json &programs = info["programs"] = json::array();
  for (const plan::PackedProgram &program : package.programs()) {
    const plan::Executable &executable = program.executable();
    programs.push_back(
        {{"kind", executable.kind()},
         {"batch_size", program.batch_size()},
         {"target", program.target()},
         {"program_digest", executable.program_digest()},
         {"numerics_version", executable.numerics_version()},
         {"launches", executable.plan().launches_size()},
         {"arena_bytes", executable.plan().arena_bytes()},
         {"machine_code", runtime::listMachineCode(executable)}});
  }
}

static void printPackage(const plan::Package &package) {
  printLine("compiled    by " + package.producer() + " of " +
            quote(package.model()));
  for (const plan::PackedProgram &program : package.programs())
    printLine("program     " + describeProgram(program));
}

/// "memory      9.1 MB in a step of 4 samples on cpu:x86-64-v4: ..."
static void printStepMemory(const json &memory) {
  if (memory.contains("unknown")) {
    printLine("memory      of a step is not known: " +
              memory.at("unknown").get<std::string>());
    return;
  }
  auto bytes = [&](const char *key) {
    return runtime::describeBytes(memory.value(key, uint64_t(0)));
  };
  printLine("memory      " + bytes("total") + " in a step of " +
            counted(memory.value("batch_size", int64_t(0)), "sample") + " on " +
            memory.value("target", "?") + ": parameters " +
            bytes("parameters") + ", optimizer and other state " +
            bytes("state") + ", inputs " + bytes("inputs") + ", outputs " +
            bytes("own_outputs") + ", constants " + bytes("constants") +
            ", activations and gradients " + bytes("arena"));
}

ExitCode runInfo(const Options &options) {
  Model model(options);
  std::string text = describeModel(options, model);
  try {
    json info = json::parse(text);
    if (model.package()) {
      describePackage(model.package()->message(), info);
      if (!options.orders)
        info.erase("orders");
      if (!options.json && !options.quiet)
        printPackage(model.package()->message());
    }
    const bool isStep = !model.package() && !model.recipeText().empty() &&
                        info.contains("layers") && !options.memory;
    if (isStep)
      info["step_memory"] = describeStepMemory(options, model);
    if (options.json)
      printRecord(info);
    else if (!options.quiet)
      printInfo(info);
    if (isStep && !options.json && !options.quiet)
      printStepMemory(info.at("step_memory"));
    if (info.contains("division") && !options.json && !options.quiet)
      printDivision(info.at("division"));
    if (options.orders && !options.json && !options.quiet)
      printOrders(info);
    if (options.kernels && !options.json && !options.quiet)
      printKernels(info);
    if (options.memory || options.launches)
      reportPrograms(options, model);
  } catch (const json::exception &) {
    throw Failure(ExitCode::Bug,
                  "the compiler's description of the model is not the "
                  "JSON that it promises");
  }
  return ExitCode::Ok;
}

} // namespace gensyn::run
