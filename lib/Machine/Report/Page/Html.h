// Pieces of HTML and SVG.

#ifndef GENSYN_LIB_MACHINE_REPORT_PAGE_HTML_H
#define GENSYN_LIB_MACHINE_REPORT_PAGE_HTML_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gensyn::machine::page {

/// Text between tags or in a quoted attribute. Control characters are escaped
/// as Printable.h does.
std::string escape(std::string_view text);

/// Where a figure comes from: an entry of the section Sources. Numbers of the
/// machine file have entries of their own.
enum class Origin {
  Mapping,
  Simulation,
  Energy,
  Estimate,
  Roofline,
  Remapping
};
/// "m-simulation"
std::string idOf(Origin origin);
/// "n12", of the machine file's number 12.
std::string idOfNumber(size_t number);

/// A number that links to where it comes from. Every number of the page is one,
/// except for those on axes, whose picture has one in its caption.
std::string figure(std::string_view text, Origin origin);
std::string figureOf(std::string_view text, const std::string &id);

/// A cell of a table: a name, or a figure to the right.
std::string cell(std::string_view text);
std::string figureCell(std::string_view text, Origin origin);

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

/// A picture with a caption and the origin of its numbers.
std::string picture(std::string_view svg, std::string_view caption,
                    Origin origin);

/// Round numbers from 0 to `end`, at most `most` steps of 1, 2 or 5.
std::vector<int64_t> ticks(int64_t end, int most);

} // namespace gensyn::machine::page

#endif
