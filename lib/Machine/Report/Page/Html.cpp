// See Html.h.

#include "Html.h"

namespace gensyn::machine::page {

std::string idOf(Origin origin) {
  switch (origin) {
  case Origin::Mapping:
    return "m-mapping";
  case Origin::Simulation:
    return "m-simulation";
  case Origin::Energy:
    return "m-energy";
  case Origin::Estimate:
    return "m-estimate";
  case Origin::Roofline:
    return "m-roofline";
  case Origin::Remapping:
    break;
  }
  return "m-remapping";
}

std::string idOfNumber(size_t number) { return "n" + std::to_string(number); }

std::string figureOf(std::string_view text, const std::string &id) {
  return "<a class=\"f\" href=\"#" + id + "\">" + escape(text) + "</a>";
}

std::string figure(std::string_view text, Origin origin) {
  return figureOf(text, idOf(origin));
}

std::string figureCell(std::string_view text, Origin origin) {
  return "<td class=\"r\">" + (text.empty() ? "" : figure(text, origin)) +
         "</td>";
}

std::string picture(std::string_view svg, std::string_view caption,
                    Origin origin) {
  return "<figure>" + std::string(svg) + "<figcaption>" + escape(caption) +
         " (" + figure("source", origin) + ")</figcaption></figure>\n";
}

} // namespace gensyn::machine::page
