// The table of parameters as attributes; see ParameterTable.h.

#include "ParameterTable.h"

#include "mlir/IR/Builders.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;

namespace gensyn {

StringRef stringify(ParameterForm form) {
  switch (form) {
  case ParameterForm::Exact:
    return "exact";
  case ParameterForm::Transposed:
    return "transposed";
  case ParameterForm::Reshaped:
    return "reshaped";
  case ParameterForm::Rearranged:
    return "rearranged";
  case ParameterForm::Selected:
    return "selected";
  case ParameterForm::Padded:
    return "padded";
  case ParameterForm::Computed:
    return "computed";
  case ParameterForm::Lost:
    return "lost";
  case ParameterForm::Unused:
    return "unused";
  }
  return "";
}

/// Null where there are none.
static ArrayAttr toArray(Builder b, const std::vector<std::string> &texts) {
  if (texts.empty())
    return ArrayAttr();
  SmallVector<StringRef> list(texts.begin(), texts.end());
  return b.getStrArrayAttr(list);
}

ArrayAttr ParameterTable::parametersAttribute(MLIRContext *context) const {
  Builder b(context);
  SmallVector<Attribute> rows;
  for (const ModuleParameter &parameter : parameters) {
    SmallVector<Attribute> names;
    for (const std::vector<std::string> &one : parameter.names)
      names.push_back(toArray(b, one));
    rows.push_back(b.getDictionaryAttr(
        {b.getNamedAttr("form", b.getStringAttr(stringify(parameter.form))),
         b.getNamedAttr("initializer", b.getStringAttr(parameter.initializer)),
         b.getNamedAttr("names", b.getArrayAttr(names))}));
  }
  return rows.empty() ? ArrayAttr() : b.getArrayAttr(rows);
}

ArrayAttr ParameterTable::suspicionsAttribute(MLIRContext *context) const {
  return toArray(Builder(context), suspicions);
}

ArrayAttr ParameterTable::unknownKindsAttribute(MLIRContext *context) const {
  return toArray(Builder(context), unknownKinds);
}

ArrayAttr ParameterTable::lostGradientsAttribute(MLIRContext *context) const {
  return toArray(Builder(context), lostGradients);
}

} // namespace gensyn
