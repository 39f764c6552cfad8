// gensyn-ptx: audits, describes and runs PTX texts.

#include "Run.h"

#include "gensyn/Executable/Support/Error.h"
#include "gensyn/Executable/Support/Files.h"
#include "gensyn/Executable/Support/Printable.h"
#include "gensyn/Ptx/Audit.h"
#include "gensyn/Ptx/Simulator.h"
#include "gensyn/Ptx/Syntax.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <new>
#include <optional>
#include <sstream>
#include <system_error>

using gensyn::ExitCode;
using namespace gensyn::ptx;
using namespace gensyn::ptx::tool;

namespace {

constexpr const char *help =
    "usage: gensyn-ptx audit FILE...   report what may differ between GPUs\n"
    "       gensyn-ptx info FILE       list the kernels\n"
    "       gensyn-ptx rules           list the auditor's rules\n"
    "       gensyn-ptx run FILE ...    run a kernel on the simulator\n";

/// The line of the exit codes, which have the meanings of gensyn-run's.
std::string helpOnExitCodes() {
  const auto code = [](ExitCode code, const char *meaning) {
    return std::to_string(static_cast<int>(code)) + " " + meaning;
  };
  return "exit codes: " + code(ExitCode::Ok, "ok, ") +
         code(ExitCode::Mismatch, "findings or a fault, ") +
         code(ExitCode::Usage, "usage, ") +
         code(ExitCode::BadInput, "not PTX, ") +
         code(ExitCode::InputOutput, "cannot read,\n            ") +
         code(ExitCode::OutOfResources,
              "more instructions or memory than there may be\n");
}

ExitCode badPtx(const char *path, const Error &error) {
  return complain(std::string(path) + ":" + std::to_string(error.line) + ": " +
                      error.message,
                  ExitCode::BadInput);
}

std::string_view reasonOf(std::string_view rule) {
  for (const AuditRule &each : auditRules())
    if (each.name == rule)
      return each.reason;
  return "";
}

ExitCode runAudit(const char *path) {
  auto text = readFile(path);
  if (!text)
    return ExitCode::InputOutput;
  auto findings = audit(std::move(*text));
  if (!findings)
    return badPtx(path, findings.error());
  for (const Finding &finding : *findings)
    printLine(std::string(path) + ":" + std::to_string(finding.line) + ": " +
              std::string(finding.rule) + ": '" + std::string(finding.text) +
              "': " + std::string(reasonOf(finding.rule)));
  return findings->empty() ? ExitCode::Ok : ExitCode::Mismatch;
}

ExitCode runInfo(const char *path) {
  auto text = readFile(path);
  if (!text)
    return ExitCode::InputOutput;
  auto syntax = parseSyntax(*text);
  if (!syntax)
    return badPtx(path, syntax.error());
  printLine("ptx " + std::string(syntax->version) + ", " +
            std::string(syntax->target));
  auto module = Module::parse(std::move(*text));
  if (!module) {
    for (const Function &function : syntax->functions)
      if (function.isEntry)
        printLine("kernel " + std::string(function.name) + ": " +
                  std::to_string(function.instructions.size()) +
                  " instructions");
    printLine("not for the simulator: line " +
              std::to_string(module.error().line) + ": " +
              module.error().message);
    return ExitCode::Ok;
  }
  for (const KernelInfo &kernel : module->kernels()) {
    std::ostringstream line;
    line << "kernel " << kernel.name << ": " << kernel.instructions
         << " instructions, " << kernel.parameterBytes
         << " bytes of parameters, " << kernel.sharedBytes
         << " bytes of shared memory, " << kernel.localBytes
         << " bytes of local memory";
    if (kernel.requiredBlock) {
      auto [x, y, z] = *kernel.requiredBlock;
      line << ", block " << x << " x " << y << " x " << z;
    }
    printLine(line.str());
  }
  return ExitCode::Ok;
}

ExitCode listRules() {
  for (const AuditRule &rule : auditRules())
    std::cout << rule.name << ": " << rule.reason << "\n";
  return ExitCode::Ok;
}

} // namespace

ExitCode gensyn::ptx::tool::complain(const std::string &message,
                                     ExitCode code) {
  std::cerr << "gensyn-ptx: error: " << printable(message, longestLine, "\t")
            << "\n";
  return code;
}

void gensyn::ptx::tool::printLine(const std::string &line) {
  std::cout << printable(line, longestLine, "\t") << "\n";
}

std::optional<std::string> gensyn::ptx::tool::readFile(const char *path) {
  try {
    return readText(path, std::string().max_size());
  } catch (const Failure &failure) {
    complain(failure.what(), ExitCode::InputOutput);
    return std::nullopt;
  }
}

static ExitCode runCommand(int count, char **arguments) {
  std::string_view command = count > 1 ? arguments[1] : "";
  if (command == "--help" || command == "-h") {
    std::cout << help << helpOnExitCodes() << runHelp;
    return ExitCode::Ok;
  }
  if (command == "rules" && count == 2)
    return listRules();
  if (command == "info" && count == 3)
    return runInfo(arguments[2]);
  if (command == "run")
    return runKernel({arguments + 2, arguments + count});
  if (command == "audit" && count >= 3) {
    ExitCode worst = ExitCode::Ok;
    for (int i = 2; i != count; ++i)
      worst = std::max(worst, runAudit(arguments[i]));
    return worst;
  }
  std::cerr << help << helpOnExitCodes();
  return ExitCode::Usage;
}

int main(int count, char **arguments) {
  ExitCode code = ExitCode::OutOfResources;
  try {
    code = runCommand(count, arguments);
  } catch (const std::bad_alloc &) {
    code = complain("out of memory", ExitCode::OutOfResources);
  }
  errno = 0;
  if (std::cout.flush())
    return static_cast<int>(code);
  const int reason = errno; // 0 if an earlier line failed
  return static_cast<int>(
      complain("standard output cannot be written" +
                   (reason ? ": " + std::generic_category().message(reason)
                           : std::string()),
               ExitCode::InputOutput));
}
