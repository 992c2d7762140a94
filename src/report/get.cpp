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

#include "base/ascii.h"
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
        sightings_(wanted_.size()),
        found_in_(wanted_.size()),
        typed_(std::move(typed)),
        shape_(std::move(shape)),
        framing_(std::ranges::any_of(wanted_, &Wanted::is_framing)),
        content_(policy) {}

  Status finish() override {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const http::FieldName& name = wanted_[i].name;
      sightings_[i].tell(name, "get ", "", *setup().log);
      const bool pseudo = !wanted_[i].pseudo && http::find_pseudo_field(name.text).has_value();
      if (!pseudo || found_in_[i]) continue;
      setup().log->report({.level = Level::note,
                           .id = "pseudo-field",
                           .what = "no header field is called " + name.text,
                           .hint = "a pseudo-field has a colon: get :" + name.text,
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

  std::string file_of(const http::Exchange& exchange) const {
    return setup().null ? std::string(exchange.file) : ascii::one_line(exchange.file);
  }

  /// The values of one name, or what stands for none.
  Status read(std::size_t i, http::Exchange& exchange) {
    values_.clear();
    if (auto done = collect(wanted_[i], exchange, content_, values_); !done) return done;
    if (!values_.empty()) found_in_[i] = true;
    if (values_.empty() && shape_.fallback) values_.push_back(*shape_.fallback);
    found_ = found_ || !values_.empty();
    return {};
  }

  Status lines(http::Exchange& exchange) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      if (auto done = read(i, exchange); !done) return done;
      for (const std::string_view value : values_) {
        if (shape_.with_file) out_ += file_of(exchange) + ':';
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
    std::string start = shape_.with_file ? file_of(exchange) + '\t' : "";
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
      } else if (c == '\\' && shape_.rows) {
        out_ += "\\\\";
      } else {
        out_ += c;
      }
    }
  }

  /// Where the names stand that were not found in the half they mean.
  void look_elsewhere(const http::Exchange& exchange) {
    for (std::size_t i = 0; i < wanted_.size(); ++i) {
      const bool field = !wanted_[i].pseudo && !wanted_[i].name.cookie;
      if (field && !found_in_[i]) sightings_[i].look(wanted_[i].name, exchange);
      if (found_in_[i]) sightings_[i].found();
    }
  }

  std::vector<Wanted> wanted_;
  std::vector<http::Sightings> sightings_;  // of each name
  std::vector<bool> found_in_;              // by name
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
        "for any run of characters, quoted names are literal), cookies (cookie:NAME) and "
        "pseudo-fields (:status :reason :version :method :url "
        ":scheme :host :path :query :type :size :kind :file :entry :message :time :ms :body). "
        "Exit status 1 if nothing was found.\n\n"
        "Without a prefix a name means the response, or the request if only requests have such a "
        "field (Host, Cookie, If-*, ...).\n\n"
        "--row prints one line per message, TAB between columns, an absent value empty, TAB, "
        "LF and backslash in values as \\t, \\n and \\\\. Repeated values are joined by \", \", but those of "
        "the last column give a row each.\n\n"
        "Bodies are not read, except for :body (decoded) and a :size that is not known.",
    .examples = kExamples,
    .make = make,
    .joins_inputs = true,
};

}  // namespace rehead::report
