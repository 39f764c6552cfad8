// Puts a document together; see Html.h.

#include "gensyn/Executable/Html/Html.h"

namespace gensyn::html {

/// The common style sheet and script (base.css, base.js).
extern const char *const baseStyles, *const baseScript;

/// The headings of the sections, as links.
static std::string listContents(const std::string &body) {
  std::string contents;
  for (size_t at = 0;
       (at = body.find("<section id=\"", at)) != std::string::npos;) {
    const size_t id = at + 13, idEnd = body.find('"', id);
    const size_t name = body.find("<h2>", idEnd) + 4;
    contents += "<a href=\"#" + body.substr(id, idEnd - id) + "\">" +
                body.substr(name, body.find("</h2>", name) - name) + "</a> ";
    at = name;
  }
  return contents;
}

/// JSON within a script element: nothing in it may end it.
static std::string printForScript(const OrderedJson &value) {
  std::string text;
  for (const char c : printJson(value))
    text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string print(const Document &document) {
  std::string text =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
      "'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>" +
      escape(document.title) + "</title>\n<style>\n" + baseStyles;
  for (std::string_view style : document.styles)
    text += style;
  text += "</style></head><body>\n<header><h1>" + escape(document.title) +
          "</h1><nav>" + listContents(document.body) +
          "</nav></header>\n<main>\n" + document.body +
          "</main>\n<div id=\"tip\" hidden></div>\n<script id=\"data\" "
          "type=\"application/json\">" +
          printForScript(document.data) + "</script>\n<script>\n" + baseScript;
  for (std::string_view script : document.scripts)
    text += script;
  return text + "</script></body></html>\n";
}

} // namespace gensyn::html
