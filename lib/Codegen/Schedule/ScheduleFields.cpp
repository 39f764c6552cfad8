// See ScheduleFields.h.

#include "gensyn/Codegen/Schedule/ScheduleFields.h"

using namespace mlir;

namespace gensyn::codegen {

bool readScheduleFields(DictionaryAttr fields,
                        ArrayRef<std::pair<StringRef, int64_t *>> numbers,
                        ArrayRef<std::pair<StringRef, bool *>> flags,
                        std::string &error) {
  for (NamedAttribute field : fields) {
    bool known = false;
    for (auto [name, number] : numbers)
      if (field.getName() == name)
        if (auto value = dyn_cast<IntegerAttr>(field.getValue())) {
          *number = value.getInt();
          known = true;
        }
    for (auto [name, flag] : flags)
      if (field.getName() == name)
        if (auto value = dyn_cast<BoolAttr>(field.getValue())) {
          *flag = value.getValue();
          known = true;
        }
    if (!known) {
      error = ("no size or flag '" + field.getName().getValue() + "'").str();
      return false;
    }
  }
  return true;
}

} // namespace gensyn::codegen
