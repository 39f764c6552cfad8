// See CasePage.h.

#include "gensyn/Proof/Report/CasePage.h"

#include "gensyn/Executable/Html/Html.h"
#include "gensyn/Runtime/Support/NumberFormatting.h"

#include <algorithm>

namespace gensyn::proof {

namespace page {
extern const char *const caseStyles;
} // namespace page

using runtime::groupDigits;

static std::string group(uint64_t number) {
  return groupDigits(int64_t(std::min<uint64_t>(number, INT64_MAX)));
}

static std::string term(std::string_view name, const std::string &content) {
  return "<dt>" + html::escape(name) + "</dt><dd>" + html::escape(content) +
         "</dd>";
}

static std::string describeVerdict(const Verdict &verdict) {
  switch (verdict.kind) {
  case Verdict::Kind::Equal:
    return "equal";
  case Verdict::Kind::Different:
    return "different runs, nobody is wrong";
  case Verdict::Kind::First:
    return "the first party is wrong";
  case Verdict::Kind::Second:
    return "the second party is wrong";
  case Verdict::Kind::Both:
    return "both parties are wrong";
  case Verdict::Kind::Undecided:
    return "undecided";
  }
  return "";
}

static std::string describeElement(const Verdict &verdict) {
  std::string index;
  for (int64_t at : verdict.element)
    index += (index.empty() ? "" : ", ") + std::to_string(at);
  return "[" + index + "]";
}

static std::string makeSummary(const DisputeCase &dispute,
                               const Verdict &verdict) {
  std::string rows = term("verdict", describeVerdict(verdict)) +
                     term("because", verdict.reason);
  if (verdict.step)
    rows += term("step", groupDigits(*verdict.step));
  for (const Verdict::Iteration &at : verdict.path)
    rows += term("in", "iteration " + group(at.iteration) + " of " +
                           at.operation + ", value " + group(at.value));
  if (!verdict.operation.empty())
    rows +=
        term(verdict.op.empty() ? "input" : "op",
             verdict.operation + (verdict.op.empty() ? "" : ", " + verdict.op));
  if (verdict.value)
    rows += term("value", group(*verdict.value) + " of " +
                              (verdict.path.empty() ? "the step's program"
                                                    : "that iteration"));
  rows += term("answers", groupDigits(dispute.answers()) + ", " +
                              group(dispute.bytes()) + " bytes");
  return html::section("summary", "Summary", "<dl>" + rows + "</dl>");
}

static std::string claimRow(const std::string &who, const std::string &value,
                            bool isWrong) {
  return "<tr>" + html::cell(who) +
         (isWrong ? "<td class=\"wrong\">" + html::escape(value) +
                        "</td><td class=\"wrong\">wrong</td>"
                  : html::cell(value) + html::cell("")) +
         "</tr>";
}

static std::string makeClaims(const Verdict &verdict) {
  if (verdict.right.empty())
    return "";
  return html::section(
      "claims", "Claims",
      "<p>Element " + html::escape(describeElement(verdict)) +
          " of the value, and its bits.</p><table>" +
          html::headRow({"who", "value", ""}) +
          claimRow("the first party", verdict.first, verdict.isFirstWrong()) +
          claimRow("the second party", verdict.second,
                   verdict.isSecondWrong()) +
          claimRow("as it is", verdict.right, false) + "</table>");
}

/// A bar for what is left in each round, with the part of it that is the next
/// bar.
static std::string drawRounds(const std::vector<Verdict::Round> &rounds) {
  constexpr double left = 130, width = 600, height = 22, apart = 58;
  const double bottom = 10 + apart * double(rounds.size());
  std::string svg = "<svg viewBox=\"0 0 760 " + html::coordinate(bottom) +
                    "\" role=\"img\" aria-label=\"What is left in each "
                    "round\">";
  for (size_t i = 0; i < rounds.size(); ++i) {
    const Verdict::Round &round = rounds[i];
    const double top = 6 + apart * double(i);
    const double all = double(std::max<uint64_t>(1, round.end - round.begin));
    auto place = [&](uint64_t at) {
      return left + width * double(at - round.begin) / all;
    };
    // A part of a thousandth would not be seen.
    const double begin = std::min(place(round.partBegin), left + width - 2);
    const double end = std::max(place(round.partEnd), begin + 2);
    svg += html::label(4, top + 16, round.what) + "<rect class=\"range\"" +
           html::box(left, top, width, height) + "/><rect class=\"part\"" +
           html::box(begin, top, end - begin, height) + "/>";
    svg +=
        html::label(left, top + height + 15,
                    group(round.partBegin) + " to " + group(round.partEnd) +
                        " of " + group(round.begin) + " to " + group(round.end),
                    "note");
    if (i + 1 < rounds.size()) {
      auto point = [](double x, double y) {
        return html::coordinate(x) + "," + html::coordinate(y) + " ";
      };
      svg += "<polygon class=\"zoom\" points=\"" + point(begin, top + height) +
             point(end, top + height) + point(left + width, top + apart) +
             point(left, top + apart) + "\"/>";
    }
  }
  return svg + "</svg>";
}

static std::string makeRounds(const Verdict &verdict) {
  if (verdict.rounds.empty())
    return "";
  return html::section(
      "rounds", "How it was found",
      "<p>In each round both parties show digests of parts of what is left; "
      "the first part that differs is left for the next round.</p>"
      "<figure class=\"rounds\">" +
          drawRounds(verdict.rounds) + "</figure>");
}

std::string makeCasePage(const DisputeCase &dispute, const Verdict &verdict,
                         const std::string &name) {
  html::Document document;
  document.title = "Dispute " + name;
  document.body =
      makeSummary(dispute, verdict) + makeClaims(verdict) + makeRounds(verdict);
  document.data = OrderedJson::object();
  document.styles = {page::caseStyles};
  return html::print(document);
}

} // namespace gensyn::proof
