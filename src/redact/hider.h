// What `redact` hides and what it puts in its place: names by the table of rules.h and the user's
// own lists, shapes of values, values that were hidden before. It counts what it hid, and never
// keeps a value beyond its input. The texts it works on are taken apart by Text (text.h).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/arena.h"
#include "codec/json.h"
#include "http/field_name.h"
#include "redact/known_values.h"
#include "redact/pseudonym.h"
#include "redact/rules.h"
#include "redact/shapes.h"

namespace rehead::redact {

/// True for what stands in the place of a secret: kRedacted or a pseudonym. It is no secret: what
/// was redacted once stays as it is.
bool is_hidden(std::string_view value);

/// What the user chose.
struct Choice {
  std::vector<http::FieldName> also;   // more names
  std::vector<http::FieldName> only;   // these alone, and no shapes; empty: the table
  std::vector<http::FieldName> keep;   // names whose values stay
  bool personal = false;               // --pii
  bool text = false;                   // bodies of responses are opened, too
  http::Side side = http::Side::both;  // of entries

  bool covers(bool request) const {
    return side == http::Side::both || (side == http::Side::request) == request;
  }
};

/// Where a text stands: for the receipt and for --check. Static texts.
struct Spot {
  std::string_view half = {};   // "request", "response" or nothing
  std::string_view place = {};  // "headers", "url", "body", ...
};

/// How often something of one kind was hidden.
struct Tally {
  static constexpr std::size_t kMostNames = 1'000;
  std::uint64_t count = 0;
  std::map<std::string, std::uint64_t> places;  // "request headers"
  std::map<std::string, std::uint64_t> names;   // those met first
};

class Hider {
 public:
  /// Is told of everything that is hidden, as it is. `size`: bytes of the value.
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void hidden(const Spot& spot, Kind kind, std::string_view name, std::size_t size) = 0;
  };

  Hider(Choice choice, Shapes shapes, std::optional<Pseudonyms> pseudonyms)
      : choice_(std::move(choice)),
        shapes_(std::move(shapes)),
        pseudonyms_(std::move(pseudonyms)) {}

  const Choice& choice() const { return choice_; }
  static constexpr std::size_t kLayouts = 10;
  static constexpr int kDeepest = 6;  // decoded texts in decoded texts
  /// For a walk over a text at that depth, or one within it; emptied, its memory is used again.
  Arena& arena(int depth, bool within) {
    Arena& arena = arenas_[2 * static_cast<std::size_t>(depth) + (within ? 1 : 0)];
    arena.reset();
    return arena;
  }
  /// How objects of one kind were laid out last, for whoever walks them.
  codec::json::Layout& layout(std::size_t kind) { return layouts_[kind]; }
  void listen(Listener* listener) { listener_ = listener; }
  /// What is collected from now on stands there.
  void at(Spot spot) { spot_ = spot; }
  void place(std::string_view place) { spot_.place = place; }
  const Spot& spot() const { return spot_; }

  /// What the value of that name is; none if it may stay.
  std::optional<Kind> kind_of(std::string_view name, Place place);
  /// True for a name whose value the user wants to see.
  bool keeps(std::string_view name) const;
  /// The same of the cookie of that name, which may be empty.
  std::optional<Kind> cookie(std::string_view name);
  /// Adds what shows by its shape, and the values hidden before.
  void find(std::string_view text, std::vector<Found>& found) const;
  /// Adds the values hidden before alone.
  void find_known(std::string_view text, std::vector<Found>& found) const {
    known_.find(text, found);
  }
  /// How many values are known.
  std::size_t known() const { return known_.size(); }

  /// Hides a value: counts it, learns it, and gives what stands in its place.
  std::string hide(std::string_view value, Kind kind, std::string_view name, const Spot& spot);
  /// How often hide() was called.
  std::uint64_t hidden() const { return hidden_; }

  /// What was hidden, as a member of a JSON object:
  /// "hidden": [{"kind", "count", "places": [{"name", "count"}], "names": [...]}]
  std::string receipt() const;
  /// Forgets what was counted, for the next input, and with `values` what was learnt.
  void forget(bool values);

 private:
  using Verdict = std::array<std::optional<Kind>, 3>;  // by place
  Verdict judge(std::string_view name) const;

  Choice choice_;
  Shapes shapes_;
  std::optional<Pseudonyms> pseudonyms_;
  Listener* listener_ = nullptr;
  Spot spot_;
  KnownValues known_;
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view name) const;
  };
  // Of names met before, up to a number.
  std::unordered_map<std::string, Verdict, NameHash, std::equal_to<>> verdicts_;
  /// The verdicts asked for last, by the low bits of the hash.
  struct Recent {
    std::string_view name;  // of verdicts_
    const Verdict* verdict = nullptr;
  };
  std::array<Recent, 256> recent_{};
  std::array<codec::json::Layout, kLayouts> layouts_;
  std::array<Arena, 2 * (kDeepest + 1)> arenas_;
  std::array<Tally, kKinds> tallies_;
  std::uint64_t hidden_ = 0;
};

}  // namespace rehead::redact
