#include "redact/hider.h"

#include <algorithm>
#include <cstring>

#include "base/ascii.h"
#include "codec/json_writer.h"

namespace rehead::redact {
namespace {

constexpr std::size_t kMostVerdicts = 4'096;
constexpr std::size_t kLongestName = 256;  // that is looked at

/// In small letters, without what parts words: X-Api-Key, x_api_key and xApiKey are one name.
std::string plain(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, kLongestName)) {
    if (c != '-' && c != '_' && c != '.' && c != ' ') out += ascii::lower(c);
  }
  return out;
}

bool any_of(const std::vector<http::FieldName>& names, std::string_view name,
            const std::string& plainly) {
  return std::ranges::any_of(names, [&](const http::FieldName& each) {
    return each.matches(name) || (!each.literal && http::glob(plain(each.text), plainly));
  });
}

bool any_word(std::string_view words, std::string_view name) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (http::glob(words.substr(0, end), name)) return true;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return false;
}

}  // namespace

bool is_hidden(std::string_view value) { return value == kRedacted || is_pseudonym(value); }

/// Names are short and few: their length and both ends tell them apart.
std::size_t Hider::NameHash::operator()(std::string_view name) const {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const std::size_t size = std::min<std::size_t>(name.size(), sizeof first);
  std::memcpy(&first, name.data(), size);
  std::memcpy(&last, name.data() + name.size() - size, size);
  return (first * 0x9E3779B97F4A7C15U ^ (last + name.size()) * 0xC2B2AE3D27D4EB4FU) >> 7U;
}

Hider::Verdict Hider::judge(std::string_view name) const {
  Verdict verdict;
  const std::string plainly = plain(name);
  if (any_of(choice_.keep, name, plainly)) return verdict;
  const bool innocent = any_word(innocent_names(), plainly);
  for (const Rule& rule : rules()) {
    if (innocent) break;
    if ((rule.personal && !choice_.personal) || !any_word(rule.names, plainly)) continue;
    for (std::size_t place = 0; place < verdict.size(); ++place) {
      if ((rule.places >> place & 1U) != 0 && !verdict[place]) verdict[place] = rule.kind;
    }
  }
  const auto& wanted = choice_.only.empty() ? choice_.also : choice_.only;
  const bool meant = any_of(wanted, name, plainly);
  for (auto& kind : verdict) {
    if (meant && !kind) kind = Kind::own;
    if (!meant && !choice_.only.empty()) kind.reset();
  }
  return verdict;
}

std::optional<Kind> Hider::kind_of(std::string_view name, Place place) {
  const std::size_t index = place == in_field ? 0 : place == in_parameter ? 1 : 2;
  if (name.empty()) return std::nullopt;
  Recent& recent = recent_[NameHash()(name) % recent_.size()];
  if (recent.verdict == nullptr || recent.name != name) {
    auto found = verdicts_.find(name);
    if (found == verdicts_.end()) {
      if (verdicts_.size() >= kMostVerdicts) {
        verdicts_.clear();
        recent_ = {};
      }
      found = verdicts_.emplace(std::string(name), judge(name)).first;
    }
    recent = {found->first, &found->second};
  }
  return (*recent.verdict)[index];
}

std::optional<Kind> Hider::cookie(std::string_view name) {
  if (keeps(name)) return std::nullopt;
  if (choice_.only.empty() || any_of(choice_.only, name, plain(name))) return Kind::cookie;
  for (const std::string_view field : {"Cookie", "Set-Cookie"}) {
    if (const auto kind = kind_of(field, in_field)) return kind;
  }
  return std::nullopt;
}

bool Hider::keeps(std::string_view name) const {
  return !choice_.keep.empty() && any_of(choice_.keep, name, plain(name));
}

void Hider::find(std::string_view text, std::vector<Found>& found) const {
  if (choice_.only.empty()) shapes_.find(text, found);
  if (!known_.empty()) known_.find(text, found);
}

std::string Hider::hide(std::string_view value, Kind kind, std::string_view name,
                        const Spot& spot) {
  ++hidden_;
  Tally& tally = tallies_[static_cast<std::size_t>(kind)];
  ++tally.count;
  std::string place(spot.half);
  if (!place.empty()) place += ' ';
  ++tally.places[place += spot.place];
  std::vector<Found> in_name;
  if (!name.empty()) known_.find(name, in_name);
  const std::string_view told = in_name.empty() ? name : kRedacted;
  if (!told.empty()) {
    const auto known = tally.names.find(std::string(told));
    if (known != tally.names.end()) {
      ++known->second;
    } else if (tally.names.size() < Tally::kMostNames) {
      tally.names.emplace(told, 1);
    }
  }
  if (listener_ != nullptr) listener_->hidden(spot, kind, told, value.size());
  // A user's name may be a word of every text.
  const bool word = kind == Kind::email && value.find('@') == value.npos;
  if (!word) known_.learn(value, kind);
  return pseudonyms_ ? pseudonyms_->of(value, kind) : std::string(kRedacted);
}

std::string Hider::receipt() const {
  std::string out = "\"hidden\":";
  codec::JsonWriter json(out);
  json.open('[');
  for (std::size_t kind = 0; kind < kKinds; ++kind) {
    const Tally& tally = tallies_[kind];
    if (tally.count == 0) continue;
    json.open('{').key("kind").string(name_of(static_cast<Kind>(kind)));
    json.key("count").number(tally.count);
    for (const auto& [key, counts] :
         {std::pair{"places", &tally.places}, {"names", &tally.names}}) {
      json.key(key).open('[');
      for (const auto& [text, count] : *counts) {
        json.open('{').key("name").text(text);
        json.key("count").number(count).close('}');
      }
      json.close(']');
    }
    json.close('}');
  }
  json.close(']');
  return out;
}

void Hider::forget(bool values) {
  for (Tally& tally : tallies_) tally = {};
  hidden_ = 0;
  if (values) known_.clear();
}

}  // namespace rehead::redact
