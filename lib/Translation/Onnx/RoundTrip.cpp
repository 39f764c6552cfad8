// A translation for tests: sends many models through the dialect and back in
// one process.

#include "RoundTrip.h"
#include "OutputFile.h"
#include "gensyn/Dialect/Onnx/IR/Onnx.h"
#include "gensyn/Translation/Onnx/Export.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;

namespace gensyn {
namespace {

std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os,
               OpPrintingFlags().enableDebugInfo(true, /*prettyForm=*/false));
  return text;
}

/// Returns "ok", or the step that failed.
std::string roundTrip(StringRef input, StringRef output) {
  MLIRContext context(MLIRContext::Threading::DISABLED),
      other(MLIRContext::Threading::DISABLED);
  ImportError error;
  ImportOptions options;
  options.restoresParameters = false; // the file's own, for comparison
  OwningOpRef<ModuleOp> module =
      importOnnxFile(input, options, &context, error);
  if (!module)
    return "import: " + error.message;
  std::string text = textOf(*module);
  // Uses a separate context, since resources keep their names in the context.
  other.loadDialect<func::FuncDialect, onnx::OnnxDialect>();
  OwningOpRef<ModuleOp> parsed = parseSourceString<ModuleOp>(text, &other);
  if (!parsed || failed(verify(*parsed)))
    return "parse";
  if (textOf(*parsed) != text)
    return "text differs";
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (failed(exportOnnx(*parsed, {}, os, error)))
    return "export: " + error.message;
  OutputFile file(output, error);
  if (failed(file.write(bytes)) || failed(file.commit()))
    return "output: " + error.message;
  return "ok";
}
} // namespace

LogicalResult roundTripAll(StringRef list, raw_ostream &os) {
  SmallVector<StringRef> lines;
  list.split(lines, '\n', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  for (StringRef line : lines) {
    auto [input, output] = line.split('\t');
    os << input << "\t" << roundTrip(input, output.rtrim('\0')) << "\n";
  }
  return success();
}
} // namespace gensyn
