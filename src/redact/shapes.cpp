#include "redact/shapes.h"

#include <re2/re2.h>

#include <algorithm>
#include <array>
#include <bit>

#include "codec/utf8.h"
#include "redact/pseudonym.h"
#include "redact/shape_table.h"

namespace rehead::redact {

/// One of --match: as UTF-8 where expression and text are, else as Latin-1.
class OwnShape {
 public:
  static Result<OwnShape> make(const std::string& expression) {
    OwnShape made;
    const auto in = [&](re2::RE2::CannedOptions encoding) {
      re2::RE2::Options options(encoding);
      options.set_log_errors(false);
      return std::make_unique<re2::RE2>(expression, options);
    };
    made.latin1_ = in(re2::RE2::Latin1);
    if (codec::is_utf8(expression)) made.utf8_ = in(re2::RE2::DefaultOptions);
    const re2::RE2& judged = made.utf8_ != nullptr ? *made.utf8_ : *made.latin1_;
    if (!judged.ok()) {
      return fail({Errc::usage, "expression", "not an RE2 expression: " + judged.error()});
    }
    if (!made.latin1_->ok()) made.latin1_ = nullptr;  // \x{100} is no Latin-1
    made.group_ = judged.NumberOfCapturingGroups() > 0 ? 1 : 0;
    return made;
  }

  void find(std::string_view text, std::vector<Found>& found) const {
    const bool utf8 = utf8_ != nullptr && (latin1_ == nullptr || codec::is_utf8(text));
    const re2::RE2& expression = utf8 ? *utf8_ : *latin1_;
    std::array<re2::StringPiece, 2> groups;
    std::size_t at = 0;
    while (at <= text.size() && expression.Match(text, at, text.size(), re2::RE2::UNANCHORED,
                                                 groups.data(), group_ + 1)) {
      const auto place = [&](const re2::StringPiece& group) {
        return static_cast<std::size_t>(group.data() - text.data());
      };
      const re2::StringPiece& secret = groups[static_cast<std::size_t>(group_)];
      if (!secret.empty() && replaced_size({secret.data(), secret.size()}) != secret.size()) {
        found.push_back({.at = place(secret), .size = secret.size(), .kind = Kind::own});
      }
      at = place(groups[0]) + std::max<std::size_t>(groups[0].size(), 1);
    }
  }

 private:
  std::unique_ptr<re2::RE2> utf8_;    // null: the expression itself is not UTF-8
  std::unique_ptr<re2::RE2> latin1_;  // null: it is only that
  int group_ = 0;                     // that is the secret
};

namespace {

/// The anchor of a key: what its prefixes have at its offset.
struct PrefixAnchor {
  explicit PrefixAnchor(const Shape& shape) {
    std::string_view rest = shape.prefixes;
    while (!rest.empty()) {
      const std::string_view prefix = rest.substr(0, rest.find(' '));
      for (std::size_t i = 0; i < sets.size(); ++i) {
        const std::size_t at = shape.offset + i;
        sets[i] += at < prefix.size() ? prefix.substr(at, 1) : shape.bytes;
      }
      rest.remove_prefix(std::min(rest.size(), prefix.size() + 1));
    }
  }
  Anchor anchor() const { return {sets[0], sets[1], sets[2]}; }
  std::array<std::string, 3> sets;
};

void add_anchor(ByteFilter& filter, const Shape& shape) {
  shape.prefixes.empty() ? filter.add(shape.anchor) : filter.add(PrefixAnchor(shape).anchor());
}

/// The i-th anchor is that of the i-th shape.
const Shape& shape_of(std::size_t anchor) {
  const std::span<const Shape> all = shapes();
  return anchor < all.size() ? all[anchor] : personal_shapes()[anchor - all.size()];
}

/// Tests what the filter found, from `from` on. Where the next secret may begin.
std::size_t test_hits(std::string_view text, const ByteFilter::Hits& hits, std::size_t from,
                      std::vector<Found>& found) {
  for (const ByteFilter::Hit& hit : std::span(hits.all).first(hits.size)) {
    if (hit.at < from) continue;
    for (std::uint64_t bits = hit.anchors; bits != 0; bits &= bits - 1) {
      const Shape& shape = shape_of(static_cast<std::size_t>(std::countr_zero(bits)));
      Found secret;
      if (!shape.test(shape, text, hit.at, from, secret)) continue;
      found.push_back(secret);
      from = secret.at + secret.size;
      break;
    }
  }
  return from;
}

/// Puts what overlaps into one, from `begin` on.
void unite(std::vector<Found>& found, std::size_t begin) {
  const auto first = found.begin() + static_cast<std::ptrdiff_t>(begin);
  std::stable_sort(first, found.end(), [](const Found& a, const Found& b) { return a.at < b.at; });
  auto last = first;
  for (auto next = first; next != found.end(); ++next) {
    if (last == first || next->at >= (last - 1)->at + (last - 1)->size) {
      *last++ = *next;
    } else {
      Found& wide = *(last - 1);
      wide.size = std::max(wide.at + wide.size, next->at + next->size) - wide.at;
    }
  }
  found.erase(last, found.end());
}

}  // namespace

std::span<const ShapeRow> shape_rows() {
  static const std::vector<ShapeRow> kRows = [] {
    std::vector<ShapeRow> rows;
    for (const Shape& shape : shapes()) rows.push_back(shape.row);
    for (const Shape& shape : personal_shapes()) rows.push_back(shape.row);
    return rows;
  }();
  return kRows;
}

Shapes::Shapes() = default;
Shapes::Shapes(Shapes&&) noexcept = default;
Shapes& Shapes::operator=(Shapes&&) noexcept = default;
Shapes::~Shapes() = default;

Result<Shapes> Shapes::make(std::span<const std::string> own, bool personal) {
  Shapes made;
  for (const std::string& expression : own) {
    auto shape = OwnShape::make(expression);
    if (!shape) return fail(std::move(shape.error()));
    made.own_.push_back(std::move(*shape));
  }
  auto filter = std::make_unique<ByteFilter>();
  for (const Shape& shape : shapes()) add_anchor(*filter, shape);
  if (personal) {
    for (const Shape& shape : personal_shapes()) add_anchor(*filter, shape);
  }
  made.filter_ = std::move(filter);
  return made;
}

void Shapes::find(std::string_view text, std::vector<Found>& found) const {
  const std::size_t before = found.size();
  ByteFilter::Hits hits;
  std::size_t from = 0;
  for (std::size_t at = 0; at < text.size();) {
    hits.size = 0;
    at = filter_->scan(text, std::max(at, from), hits);
    if (hits.size != 0) from = test_hits(text, hits, from, found);
  }
  if (own_.empty()) return;
  for (const OwnShape& shape : own_) shape.find(text, found);
  unite(found, before);
}

}  // namespace rehead::redact
