#include "pipeline/diff.h"

#include <algorithm>
#include <array>

#include "base/ascii.h"
#include "pipeline/reporter.h"

namespace rehead {
namespace {

constexpr std::size_t kContext = 3;

/// One line of the diff: kept, taken out or put in.
struct Line {
  char sign;
  std::string_view text;
};

/// The longest common subsequence, by the table; `cells` of it at most.
void add_middle(const HeadText& before, std::size_t b, std::size_t b_end, const HeadText& after,
                std::size_t a, std::size_t a_end, std::vector<Line>& out) {
  constexpr std::size_t kCells = std::size_t{1} << 20;
  const std::size_t rows = b_end - b, columns = a_end - a;
  if (rows * columns <= kCells) {
    // length[i][j]: of the subsequence of what begins at b + i and at a + j
    std::vector<std::uint32_t> length((rows + 1) * (columns + 1), 0);
    const auto at = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
      return length[i * (columns + 1) + j];
    };
    for (std::size_t i = rows; i-- > 0;) {
      for (std::size_t j = columns; j-- > 0;) {
        at(i, j) = before[b + i] == after[a + j] ? at(i + 1, j + 1) + 1
                                                 : std::max(at(i + 1, j), at(i, j + 1));
      }
    }
    std::size_t i = 0, j = 0;
    while (i < rows && j < columns) {
      if (before[b + i] == after[a + j]) {
        out.push_back({' ', before[b + i]});
        ++i, ++j;
      } else if (at(i + 1, j) >= at(i, j + 1)) {
        out.push_back({'-', before[b + i++]});
      } else {
        out.push_back({'+', after[a + j++]});
      }
    }
    b += i;
    a += j;
  }
  while (b < b_end) out.push_back({'-', before[b++]});
  while (a < a_end) out.push_back({'+', after[a++]});
}

std::vector<Line> compare(const HeadText& before, const HeadText& after) {
  std::vector<Line> lines;
  std::size_t start = 0, b_end = before.size(), a_end = after.size();
  while (start < b_end && start < a_end && before[start] == after[start]) {
    lines.push_back({' ', before[start++]});
  }
  while (b_end > start && a_end > start && before[b_end - 1] == after[a_end - 1]) --b_end, --a_end;
  add_middle(before, start, b_end, after, start, a_end, lines);
  while (b_end < before.size()) lines.push_back({' ', before[b_end++]});
  return lines;
}

/// A line of a head is one line, whatever stands in it.
std::string one_line(std::string_view text, const Look& look) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end =
        std::min(text.find_first_of(std::string_view("\r\n\0", 3), at), text.size());
    const std::string_view part = text.substr(at, end - at);
    if (look.harmless) {
      append_harmless(out, part, true);
    } else {
      out += part;
    }
    if (end < text.size())
      out += text[end] == '\r' ? "\\x0D" : text[end] == '\n' ? "\\x0A" : "\\x00";
    at = end + 1;
  }
  return out;
}

/// A line that was taken out by a step that hides values: what stood in it is told by its size.
std::string veiled(std::string_view line) {
  const std::size_t colon = line.find(':', 1);
  const std::size_t blank = line.find(' ');
  const auto size = [](std::string_view part) {
    return '[' + std::to_string(part.size()) + " bytes]";
  };
  if (colon < blank) {
    const std::string_view value = ascii::trim(line.substr(colon + 1));
    return std::string(line.substr(0, colon + 1)) + ' ' + size(value);
  }
  if (line.starts_with("HTTP/")) return std::string(line);
  const std::size_t last = line.rfind(' ');
  if (blank == line.npos || last == blank) return size(line);
  return std::string(line.substr(0, blank + 1)) + size(line.substr(blank + 1, last - blank - 1)) +
         std::string(line.substr(last));
}

/// In a file the line ends belong to the lines.
void add_line(std::string& out, const Line& line, bool crlf, const Look& look) {
  const Ink ink = line.sign == '-' ? Ink::red : line.sign == '+' ? Ink::green : Ink::plain;
  const bool veil = look.veiled && line.sign == '-';
  paint(out, ink, line.sign + (veil ? veiled(line.text) : one_line(line.text, look)), look);
  out += crlf && !look.harmless ? "\r\n" : "\n";
}

/// No lines stand behind the line before.
std::string range(std::uint64_t first, std::uint64_t size) {
  if (size == 0) --first;
  return std::to_string(first) + (size == 1 ? "" : "," + std::to_string(size));
}

class SideDiff {
 public:
  SideDiff(const Change& change, std::string place, const Look& look)
      : lines_(compare(change.before, change.after)),
        ends_{change.before.line_end(), change.after.line_end()},
        place_(std::move(place)),
        look_(look),
        old_line_(std::max<std::uint64_t>(change.line, 1)),
        new_line_(std::max<std::uint64_t>(change.new_line, 1)) {}

  void add(std::string& out) {
    const auto differs = [](const Line& line) { return line.sign != ' '; };
    auto from = std::ranges::find_if(lines_, differs);
    if (from == lines_.end()) return hunk(out, 0, std::min<std::size_t>(1, lines_.size()));
    while (from != lines_.end()) {
      const auto begin = static_cast<std::size_t>(from - lines_.begin());
      std::size_t last = begin;  // of the hunk, which takes in what is near
      for (std::size_t i = begin; i < lines_.size() && i <= last + 2 * kContext + 1; ++i) {
        if (differs(lines_[i])) last = i;
      }
      std::size_t before = std::min(begin, kContext);
      std::size_t behind = std::min(kContext, lines_.size() - last - 1);
      balance(begin, before, behind);
      const std::size_t end = last + 1 + behind;
      hunk(out, begin - before, end);
      from = std::find_if(lines_.begin() + static_cast<std::ptrdiff_t>(end), lines_.end(), differs);
    }
  }

 private:
  /// To `patch` fewer lines before or behind mean that there the file begins or ends.
  void balance(std::size_t begin, std::size_t& before, std::size_t& behind) const {
    if (ends_[0] == HeadText::LineEnd::none) return;
    const bool file_begins = old_line_ == 1 && before == begin;
    before = std::min(before, behind);
    if (!file_begins) behind = before;
  }
  void hunk(std::string& out, std::size_t begin, std::size_t end) {
    const auto count = [&](std::size_t from, std::size_t to, char without) {
      return static_cast<std::uint64_t>(
          std::count_if(lines_.begin() + static_cast<std::ptrdiff_t>(from),
                        lines_.begin() + static_cast<std::ptrdiff_t>(to),
                        [&](const Line& line) { return line.sign != without; }));
    };
    paint(out, Ink::cyan,
          "@@ -" + range(old_line_ + count(0, begin, '+'), count(begin, end, '+')) + " +" +
              range(new_line_ + count(0, begin, '-'), count(begin, end, '-')) + " @@",
          look_);
    out += ' ' + place_ + '\n';
    for (std::size_t i = begin; i < end; ++i) {
      const bool crlf = ends_[lines_[i].sign == '+' ? 1 : 0] == HeadText::LineEnd::crlf;
      add_line(out, lines_[i], crlf, look_);
    }
  }

  std::vector<Line> lines_;
  std::array<HeadText::LineEnd, 2> ends_;  // before, after
  std::string place_;
  const Look& look_;
  std::uint64_t old_line_, new_line_;
};

}  // namespace

std::string diff_title(std::string_view file, const Look& look) {
  std::string out;
  paint(out, Ink::bold, "--- " + printable(file), look);
  out += '\n';
  paint(out, Ink::bold, "+++ " + printable(file), look);
  return out + '\n';
}

std::string diff_note(std::string_view note, const Look& look) {
  std::string out;
  paint(out, Ink::yellow, "# " + std::string(note), look);
  return out + '\n';
}

std::string diff_text(const ExchangeChange& change, const Look& look) {
  std::string out;
  for (std::size_t i = 0; i < change.sides.size(); ++i) {
    const Change& side = change.sides[i];
    const bool body = !side.body_after.empty();
    if (!side.there || (side.before == side.after && !body)) continue;
    std::string place = (change.alone ? "message " : "entry ") + std::to_string(change.number);
    if (!change.alone) place += i == 0 ? ", request" : ", response";
    SideDiff(side, std::move(place), look).add(out);
    if (change.dropped) {
      out += diff_note(
          side.body_before.empty() ? "left out" : "left out, body: " + side.body_before, look);
    } else if (body) {
      out += diff_note("body: " + side.body_before + " -> " + side.body_after, look);
    }
  }
  return out;
}

}  // namespace rehead
