// See ModuleParameters.h.

#include "ModuleParameters.h"
#include "gensyn/Dialect/Gensyn/IR/Gensyn.h"

#include "Patterns.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gensyn;
using namespace gensyn::train;

static constexpr StringLiteral tableName = program::kModuleParametersAttr;

static std::string textAt(DictionaryAttr row, StringRef key) {
  auto text = row.getAs<StringAttr>(key);
  return text ? text.str() : "";
}

ModuleParameters::ModuleParameters(ModuleOp module) : module(module) {
  auto table = module->getAttrOfType<ArrayAttr>(tableName);
  for (Attribute entry : table ? table.getValue() : ArrayRef<Attribute>()) {
    auto dictionary = dyn_cast<DictionaryAttr>(entry);
    if (!dictionary)
      continue;
    Row &row = rows.emplace_back();
    row.initializer = textAt(dictionary, "initializer");
    row.form = textAt(dictionary, "form");
    auto names = dictionary.getAs<ArrayAttr>("names");
    for (Attribute one : names ? names.getValue() : ArrayRef<Attribute>())
      if (auto list = dyn_cast<ArrayAttr>(one)) {
        std::vector<std::string> &texts = row.names.emplace_back();
        for (Attribute text : list)
          if (auto name = dyn_cast<StringAttr>(text))
            texts.push_back(name.str());
      }
  }
}

const ModuleParameters::Row *
ModuleParameters::find(StringRef initializer) const {
  auto found = llvm::find_if(
      rows, [&](const Row &row) { return row.initializer == initializer; });
  return found == rows.end() ? nullptr : &*found;
}

/// Returns the number of parameters that patterns match.
static size_t countFitting(ArrayRef<std::string> patterns,
                           ArrayRef<std::vector<std::string>> names) {
  return llvm::count_if(names, [&](const std::vector<std::string> &one) {
    return llvm::any_of(one, [&](const std::string &name) {
      return matchesAny(patterns, name);
    });
  });
}

ModuleParameters::Fit ModuleParameters::match(ArrayRef<std::string> patterns,
                                              StringRef initializer) const {
  if (matchesAny(patterns, initializer))
    return Fit::All;
  const Row *row = find(initializer);
  const size_t count = row ? countFitting(patterns, row->names) : 0;
  return !count ? Fit::None : count == row->names.size() ? Fit::All : Fit::Some;
}

FailureOr<bool> ModuleParameters::fits(Location location, const Twine &where,
                                       ArrayRef<std::string> patterns,
                                       StringRef initializer) const {
  const Fit fit = match(patterns, initializer);
  if (fit != Fit::Some)
    return fit == Fit::All;
  InFlightDiagnostic error = emitError(location)
                             << where << ": initializer '" << initializer
                             << "' holds several parameters of the module, and "
                                "the patterns fit some of them: ";
  llvm::interleaveComma(
      find(initializer)->names, error,
      [&](const std::vector<std::string> &names) {
        error << "'" << names.front() << "'"
              << (countFitting(patterns, names) ? " fits" : " does not");
      });
  return error;
}

void ModuleParameters::appendNames(std::vector<std::string> &names) const {
  for (const Row &row : rows)
    for (const std::vector<std::string> &one : row.names)
      llvm::append_range(names, one);
}

void ModuleParameters::appendNames(StringRef initializer,
                                   std::vector<std::string> &names) const {
  if (const Row *row = find(initializer))
    for (const std::vector<std::string> &one : row->names)
      llvm::append_range(names, one);
}

LogicalResult ModuleParameters::checkGradients() const {
  auto texts = module->getAttrOfType<ArrayAttr>(program::kLostGradientsAttr);
  if (!texts || texts.empty())
    return success();
  InFlightDiagnostic error =
      emitError(ModuleOp(module).getLoc())
      << "the module's derivatives are not those of the file, so that training "
         "the file would train otherwise: ";
  llvm::interleave(
      texts.getAsValueRange<StringAttr>(), error,
      [&](StringRef text) { error << text; }, "; ");
  error.attachNote() << "torch.onnx.export(..., dynamo=True, optimize=False) "
                        "keeps a detach; or set \"lost_parameters\": "
                        "\"ignore\" to take the derivatives of the file";
  return error;
}

LogicalResult ModuleParameters::checkPadding(const StepProgram &program) const {
  std::vector<std::string> names;
  for (StepArgument *argument : program.select(Role::Parameter))
    if (const Row *row = find(argument->name); row && row->form == "padded")
      names.push_back("'" + row->names.front().front() + "'");
  if (names.empty())
    return success();
  InFlightDiagnostic error =
      emitError(ModuleOp(module).getLoc())
      << "a row of zeros may be that of padding_idx, which PyTorch does not "
         "train and the exporter does not note, so that training the file may "
         "train otherwise: ";
  llvm::interleaveComma(names, error);
  error.attachNote()
      << "torch.onnx.export(..., dynamo=True, optimize=False) notes it; or "
         "list them in the recipe's \"frozen\", or set \"lost_parameters\": "
         "\"ignore\" to train such rows";
  return error;
}

LogicalResult ModuleParameters::check(const StepProgram &program,
                                      const TrainingOptions &options) const {
  if (options.recipe.ignoresLost)
    return success();
  if (failed(checkGradients()) || failed(checkPadding(program)))
    return failure();
  std::vector<std::string> lost;
  llvm::StringSet<> seen;
  auto add = [&](const Row &row) {
    for (const std::vector<std::string> &one : row.names) {
      if (!seen.insert(one.front()).second)
        continue;
      std::string text = "'" + one.front() + "'";
      if (!row.initializer.empty() && row.initializer != one.front())
        text += " (in '" + row.initializer + "')";
      lost.push_back(std::move(text));
    }
  };
  for (StepArgument *argument : program.select(Role::Parameter))
    if (const Row *row = find(argument->name); row && row->form == "computed")
      add(*row);
  for (const Row &row : rows)
    if (row.form == "lost" &&
        countFitting(options.recipe.frozen, row.names) < row.names.size())
      add(row);
  if (lost.empty())
    return success();
  constexpr size_t shown = 6;
  InFlightDiagnostic error =
      emitError(ModuleOp(module).getLoc())
      << "the exporter merged, folded or removed parameters of the module, so "
         "that training the file would train another network: ";
  llvm::interleaveComma(ArrayRef(lost).take_front(shown), error);
  if (lost.size() > shown)
    error << " and " << lost.size() - shown << " more";
  error.attachNote()
      << "torch.onnx.export(..., dynamo=True, optimize=False) keeps them; or "
         "list them in the recipe's \"frozen\", or set \"lost_parameters\": "
         "\"ignore\" to train the file's initializers as they are";
  return error;
}

/// Returns the least freedom that training an initializer of a form needs.
static StorageFreedom freedomFor(StringRef form, size_t parameters) {
  if (parameters > 1 || form == "selected")
    return StorageFreedom::Joining;
  return llvm::StringSwitch<StorageFreedom>(form)
      .Case("transposed", StorageFreedom::Transposition)
      .Cases({"reshaped", "rearranged"}, StorageFreedom::Permutation)
      .Default(StorageFreedom::None);
}

LogicalResult
ModuleParameters::checkForm(Location location, StringRef initializer,
                            StorageFreedom freedom,
                            const TrainingOptions &options) const {
  const Row *row = find(initializer);
  if (!row || options.recipe.ignoresLost ||
      freedomFor(row->form, row->names.size()) <= freedom)
    return success();
  InFlightDiagnostic error = emitError(location)
                             << "recipe: optimizer: initializer '"
                             << initializer << "' holds ";
  llvm::interleaveComma(row->names, error,
                        [&](const std::vector<std::string> &names) {
                          error << "'" << names.front() << "'";
                        });
  error << " of the module "
        << (row->names.size() > 1     ? "joined"
            : row->form == "selected" ? "with some rows only"
                                      : row->form)
        << ", and the steps of its optimizer depend on the form";
  error.attachNote() << "torch.onnx.export(..., dynamo=True, optimize=False) "
                        "keeps it; or give "
                        "it a group with another kind of optimizer, or set "
                        "\"lost_parameters\": \"ignore\"";
  return error;
}
