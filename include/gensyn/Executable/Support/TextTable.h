// Tables of plain text.
#ifndef GENSYN_EXECUTABLE_SUPPORT_TEXTTABLE_H
#define GENSYN_EXECUTABLE_SUPPORT_TEXTTABLE_H

#include <cstddef>
#include <string>
#include <vector>

namespace gensyn {

/// Rows whose columns are aligned, two spaces apart: the first `left` ones to
/// the left, the others to the right. Rows may have different lengths.
class TextTable {
public:
  explicit TextTable(size_t left, size_t indent = 0)
      : left(left), indent(indent) {}

  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  /// A line for each row, without spaces at its end.
  std::string print() const;

private:
  size_t left, indent;
  std::vector<std::vector<std::string>> rows;
};

} // namespace gensyn

#endif
