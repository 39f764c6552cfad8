// Pieces of a report page: figures that link to where they come from.

#ifndef GENSYN_LIB_MACHINE_REPORT_PAGE_HTML_H
#define GENSYN_LIB_MACHINE_REPORT_PAGE_HTML_H

#include "gensyn/Executable/Html/Html.h"

#include <string>
#include <string_view>

namespace gensyn::machine::page {

using namespace html;

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

/// A cell of a table with a figure, to the right.
std::string figureCell(std::string_view text, Origin origin);

/// A picture with a caption and the origin of its numbers.
std::string picture(std::string_view svg, std::string_view caption,
                    Origin origin);

} // namespace gensyn::machine::page

#endif
