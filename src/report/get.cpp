// get NAMES: the values of fields and pseudo-fields.
//
//   get NAMES          one line per value, in the order of NAMES
//   get --row NAMES    one line per message, a column per name, TAB between; repeated values joined
//                      by ", ", but one row for each of the last column; absent is empty
//
// A value stays on its line: TAB (in rows), LF and CR are written \t, \n and \r. With -0 a NUL ends
// each value or row, and values of lines leave as they are. Nothing found: the answer is no.
#include <algorithm>
#include <array>

#include "report/report.h"
#include "report/wanted.h"

namespace rehead::report {
namespace {

struct Shape {
  bool rows = false;
  bool header = false;     // a first row of names
  bool with_file = false;  // -H
  std::optional<std::string> fallback;
};

class Get final : public Report {
 public:
  Get(std::vector<Wanted> wanted, std::string typed, Shape shape, const http::Policy& policy)
      : wanted_(std::move(wanted)),
        elsewhere_(wanted_.size()),
        found_in_(wanted_.size()),
        typed_(std::move(typed)),
        shape_(std::move(shape)),
        framing_(std::ranges::any_of(wanted_, &Wanted::is_framing)),
        content_(policy) {}

  Status finish() override {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (found_in_[i] == 0 && elsewhere_[i] != 0) hint(i);
      const std::string& name = wanted_[i].name.text;
      if (found_in_[i] != 0 || elsewhere_[i] != 0 || !http::find_pseudo_field(name)) continue;
      setup().log->report({.level = Level::note,
                           .id = "pseudo-field",
                           .what = "no header field is called " + name,
                           .hint = "what is no field has a colon: get :" + name,
                           .always = true});
    }
    if (!found_) setup().log->say_no();
    return {};
  }

 private:
  Status take(http::Exchange& exchange) override {
    content_.forget();
    out_.clear();
    if (shape_.header && !titled_) title();
    if (framing_) {
      if (auto done = content_.settle(exchange); !done) return done;
    }
    auto done = shape_.rows ? row(exchange) : lines(exchange);
    if (!done) return done;
    look_elsewhere(exchange);
    return setup().output->write(out_);
  }

  /// The values of one name, or what stands for none.
  Status read(std::size_t i, http::Exchange& exchange) {
    values_.clear();
    if (auto done = collect(wanted_[i], exchange, content_, values_); !done) return done;
    found_in_[i] += values_.size();
    if (values_.empty() && shape_.fallback) values_.push_back(*shape_.fallback);
    found_ = found_ || !values_.empty();
    return {};
  }

  Status lines(http::Exchange& exchange) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (auto done = read(i, exchange); !done) return done;
      for (const std::string_view value : values_) {
        if (shape_.with_file) out_ += std::string(exchange.file) + ':';
        const bool raw = setup().null || wanted_[i].is(http::PseudoField::body);
        if (raw) {
          out_ += value;
        } else {
          append(value);
        }
        // A text body brings its own last line end.
        if (setup().null || !raw || !value.ends_with('\n')) out_ += end();
      }
    }
    return {};
  }

  Status row(http::Exchange& exchange) {
    std::string start = shape_.with_file ? std::string(exchange.file) + '\t' : "";
    std::swap(start, out_);  // the columns before the last are gathered apart
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (auto done = read(i, exchange); !done) return done;
      if (i + 1 == wanted_.size()) break;
      for (std::size_t k = 0; k < values_.size(); ++k) {
        if (k != 0) out_ += ", ";
        append(values_[k]);
      }
      out_ += '\t';
    }
    std::swap(start, out_);
    if (values_.empty()) values_.emplace_back();
    for (const std::string_view value : values_) {
      out_ += start;
      append(value);
      out_ += end();
    }
    return {};
  }

  void title() {
    titled_ = true;
    if (shape_.with_file) out_ += "file\t";
    for (const char c : typed_) out_ += c == ',' ? '\t' : c;
    out_ += end();
  }

  /// A value that keeps to its line and column.
  void append(std::string_view value) {
    for (const char c : value) {
      if (c == '\n') {
        out_ += "\\n";
      } else if (c == '\r') {
        out_ += "\\r";
      } else if (c == '\t' && shape_.rows) {
        out_ += "\\t";
      } else {
        out_ += c;
      }
    }
  }

  /// Counts names that stand in the half that was not asked.
  void look_elsewhere(const http::Exchange& exchange) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (wanted_[i].pseudo || found_in_[i] != 0) continue;
      for (const http::Message* message : {exchange.request, exchange.response}) {
        if (message == nullptr || wanted_[i].name.covers(exchange, *message)) continue;
        bool there = false;
        for_each_field(wanted_[i].name, *message, [&](std::string_view) { there = true; });
        elsewhere_[i] += there ? 1U : 0U;
      }
    }
  }

  void hint(std::size_t i) {
    const http::FieldName& name = wanted_[i].name;
    const bool request = name.selection.side == http::Side::request;
    setup().log->report(
        {.level = Level::note,
         .id = "other-side",
         .what = std::string(request ? "no request" : "no response") + " has " + name.text,
         .hint = std::to_string(elsewhere_[i]) + (request ? " response" : " request") +
                 (elsewhere_[i] == 1 ? " has it: get " : "s have it: get ") +
                 (request ? "res:" : "req:") + name.text,
         .always = true});
  }

  std::vector<Wanted> wanted_;
  std::vector<std::uint64_t> elsewhere_;  // messages of the other half that have it, by name
  std::vector<std::uint64_t> found_in_;   // values found, by name
  std::string typed_;
  Shape shape_;
  bool framing_;
  codec::Content content_;
  std::vector<std::string_view> values_;
  std::string out_;
  bool titled_ = false;
  bool found_ = false;
};

Result<std::unique_ptr<Report>> make(const transform::Arguments& arguments) {
  auto wanted = parse_wanted(arguments.argument, arguments.selection);
  if (!wanted) return fail(std::move(wanted.error()));
  Shape shape{.rows = arguments.has("row"),
              .header = arguments.has("header"),
              .with_file = arguments.has("with-filename"),
              .fallback = {}};
  if (arguments.has("default")) shape.fallback = arguments.get("default");
  if (shape.header && !shape.rows) {
    return fail({Errc::usage, "option-conflict", "--header goes with --row",
                 "get --row --header " + arguments.argument});
  }
  return std::make_unique<Get>(std::move(*wanted), arguments.argument, std::move(shape),
                               *arguments.policy);
}

constexpr std::array<transform::Option, 4> kOptions = {{
    {"row", "", "a row per message, a column per name"},
    {"header", "", "with --row: names in a first row"},
    {"default", "V", "V where a message has no such field"},
    {"with-filename", "", "FILE: in front of each line (in rows a first column)", 'H'},
}};

constexpr std::array<std::string_view, 4> kExamples = {
    "rehead last then get content-type examples/data/redirect.http",
    "rehead get --row --header :status,:type examples/data/redirect.http",
    "rehead get -H server examples/data/redirect.http",
    "rehead get -0 set-cookie examples/data/cookies.http | xargs -0 -n1 echo",
};

}  // namespace

extern const ReportInfo kGet = {
    .name = "get",
    .argument = "NAMES",
    .options = kOptions,
    .side = http::Side::response,
    .judges_bodies = false,
    .summary = "print values of fields",
    .help =
        "One line per value, in the order of NAMES: header fields (NAME, req:NAME, res:NAME, * "
        "for any run of characters) and pseudo-fields (:status :reason :version :method :url "
        ":scheme :host :path :query :type :size :kind :file :entry :message :time :ms :body). "
        "Exit status 1 if nothing was found.\n\n"
        "--row prints one line per message, TAB between columns, an absent value empty, TAB "
        "and LF in values as \\t and \\n. Repeated values are joined by \", \", but those of "
        "the last column give a row each.\n\n"
        "Bodies are not read, except for :body (decoded) and a :size that is not known.",
    .examples = kExamples,
    .make = make,
    .joins_inputs = true,
};

}  // namespace rehead::report
