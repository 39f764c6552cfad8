// Pieces of HTML and SVG, and the documents that they make up: pages of one
// file that need no other.
#ifndef GENSYN_EXECUTABLE_HTML_HTML_H
#define GENSYN_EXECUTABLE_HTML_HTML_H

#include "gensyn/Executable/Support/Json.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::html {

/// Text between tags or in a quoted attribute. Control characters are escaped
/// as Printable.h does.
std::string escape(std::string_view text);

/// A cell of a table.
std::string cell(std::string_view text);

/// A row of a table's head; names with a "#" in front are to the right.
std::string headRow(const std::vector<std::string> &names);

/// A coordinate, rounded to tenths, without needless digits.
std::string coordinate(double value);

/// ` x="1" y="2" width="3" height="4"`
std::string box(double x, double y, double width, double height);

/// A text at a point; `kind` is a CSS class, `attributes` begin with a space.
std::string label(double x, double y, std::string_view text,
                  std::string_view kind = "", std::string_view attributes = "");
/// The same, cut off to so many characters with the whole one as a tooltip.
std::string shortLabel(double x, double y, const std::string &text, size_t most,
                       std::string_view kind = "",
                       std::string_view attributes = "");

/// A section with a heading that the list of contents names.
std::string section(std::string_view id, std::string_view title,
                    std::string_view content);

/// Round numbers from 0 to `end`, at most `most` steps of 1, 2 or 5.
std::vector<int64_t> ticks(int64_t end, int most);

/// The parts of a document that are its own; a list of contents, the common
/// style sheet and the common script come with it.
struct Document {
  std::string title;
  std::string body;
  /// What the scripts read as `data`.
  OrderedJson data;
  /// Style sheets and scripts, in order, after the common ones.
  std::vector<std::string_view> styles, scripts;
};

/// The whole document, which loads nothing: its content security policy
/// forbids that.
std::string print(const Document &document);

} // namespace gensyn::html

#endif
