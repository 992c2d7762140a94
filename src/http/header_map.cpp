#include "http/header_map.h"

#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace rehead::http {
namespace {

/// Bit i is set if tags[i] == tag, for 16 tags.
unsigned matches(const std::uint8_t* tags, std::uint8_t tag) {
#if defined(__SSE2__)
  const __m128i block = _mm_loadu_si128(reinterpret_cast<const __m128i*>(tags));
  const __m128i wanted = _mm_set1_epi8(static_cast<char>(tag));
  return static_cast<unsigned>(_mm_movemask_epi8(_mm_cmpeq_epi8(block, wanted)));
#else
  unsigned bits = 0;
  for (unsigned i = 0; i < 16; ++i) bits |= unsigned{tags[i] == tag} << i;
  return bits;
#endif
}

}  // namespace

Status check_field(std::string_view name, std::string_view value) {
  if (!ascii::is_token(name)) {
    return fail({Errc::usage, "field-name", "field name is no token: " + ascii::quoted(name),
                 "letters, digits and !#$%&'*+-.^_`|~"});
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\r' || value[i] == '\n' || value[i] == '\0') {
      return fail({Errc::usage, "field-value",
                   "the value for " + std::string(name) + " holds CR, LF or NUL at byte " +
                       std::to_string(i)});
    }
  }
  return {};
}

void HeaderMap::clear() {
  std::fill_n(tags_.begin(), fields_.size(), std::uint8_t{0});
  fields_.clear();
  tags_seen_ = {};
  live_ = 0;
  loaded_ = 0;
  changed_ = false;
  unbroken_ = true;
  edited_from_ = SIZE_MAX;
  edited_to_ = 0;
}

void HeaderMap::assign(const HeaderMap& other) {
  ++built_;
  fields_ = other.fields_;
  tags_ = other.tags_;
  tags_seen_ = other.tags_seen_;
  live_ = other.live_;
  loaded_ = other.loaded_;
  changed_ = other.changed_;
  unbroken_ = false;
  for (Field& field : fields_) {
    if (field.line_size != 0) {
      const std::ptrdiff_t value = field.value_at - field.name_at;
      field.name_at = arena_->keep(field.line()).data();
      field.value_at = field.name_at + value;
    } else {
      field.name_at = arena_->keep(field.name()).data();
      field.value_at = arena_->keep(field.value()).data();
    }
  }
}

void HeaderMap::reload(Field field) {
  field.origin = fields_.back().origin;
  fields_.back() = field;
  tag_last();
  unbroken_ = false;
}

void HeaderMap::insert(std::size_t at, const Field& field) {
  const auto place = static_cast<std::ptrdiff_t>(at);
  const auto end = static_cast<std::ptrdiff_t>(fields_.size());
  fields_.insert(fields_.begin() + place, field);
  if (tags_.size() < fields_.size() + kLane) tags_.resize(2 * (fields_.size() + kLane));
  // Only tags in use move: the vector keeps its length over many messages.
  std::copy_backward(tags_.begin() + place, tags_.begin() + end, tags_.begin() + end + 1);
  set_tag(at, tag_of(field.name()));
  ++live_;
  if (edited_to_ > at) ++edited_to_;
  mark_edited(at, at + 1);
}

void HeaderMap::bury(std::size_t at) {
  tags_[at] = 0;
  --live_;
  mark_edited(at, at + 1);
}

const Field* HeaderMap::search(std::size_t at, std::uint8_t tag, std::string_view name) const {
  for (; at < fields_.size(); at += kLane) {
    for (unsigned bits = matches(&tags_[at], tag); bits != 0; bits &= bits - 1) {
      const Field& candidate = fields_[at + static_cast<std::size_t>(std::countr_zero(bits))];
      if (ascii::equal(candidate.name(), name)) return &candidate;
    }
  }
  return nullptr;
}

HeaderMap::Edited HeaderMap::edited() const {
  const std::size_t end = fields_.size();
  if (!unbroken_ || end == 0) return {{}, {*this, 0}, {*this, end}, {}};
  const auto lines = [&](std::size_t from, std::size_t to) -> std::string_view {
    if (from >= to) return {};
    return {fields_[from].name_at, fields_[to - 1].line_end()};
  };
  const std::size_t from = std::min(edited_from_, end);
  const std::size_t to = std::max(edited_to_, from);
  return {lines(0, from), {*this, from}, {*this, to}, lines(to, end)};
}

std::size_t HeaderMap::count(std::string_view name) const {
  std::size_t number = 0;
  for_each(name, [&](const Field&) { ++number; });
  return number;
}

Field HeaderMap::line_of(std::string_view name, std::string_view value) {
  const std::string_view line = arena_->join({name, ": ", value, "\r\n"});
  return Field{.name_at = line.data(),
               .value_at = line.data() + name.size() + 2,
               .name_size = static_cast<std::uint32_t>(name.size()),
               .value_size = static_cast<std::uint32_t>(value.size()),
               .line_size = static_cast<std::uint32_t>(line.size()),
               .flags = Field::clean | Field::changed};
}

Result<Field> HeaderMap::make(std::string_view name, std::string_view value) {
  value = ascii::trim(value);
  if (auto fine = check_field(name, value); !fine) return fail(std::move(fine.error()));
  return line_of(name, value);
}

Status HeaderMap::append(std::string_view name, std::string_view value) {
  auto field = make(name, value);
  if (!field) return fail(std::move(field.error()));
  std::size_t at = fields_.size();
  for_each(name,
           [&](const Field& same) { at = static_cast<std::size_t>(&same - fields_.data()) + 1; });
  insert(at, *field);
  return {};
}

Status HeaderMap::prepend(std::string_view name, std::string_view value) {
  auto field = make(name, value);
  if (!field) return fail(std::move(field.error()));
  insert(0, *field);
  return {};
}

Status HeaderMap::append(const HeaderMap& more) {
  if (more.empty()) return {};
  // Until the end `origin` says behind which place a field goes: that of the last field of its
  // name, or beyond them all, where the first of its name stands.
  made_.clear();
  for (const Field& field : more) {
    auto one = make(field.name(), field.value());
    if (!one) return fail(std::move(one.error()));
    one->origin = static_cast<std::uint32_t>(fields_.size() + made_.size());
    made_.push_back(*one);
  }
  const auto before = [](const Field& a, const Field& b) {
    return ascii::before(a.name(), b.name());
  };
  std::stable_sort(made_.begin(), made_.end(), before);
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    if (tags_[at] == 0) continue;
    const auto first = std::lower_bound(made_.begin(), made_.end(), fields_[at], before);
    if (first != made_.end() && !before(fields_[at], *first)) {
      first->origin = static_cast<std::uint32_t>(at);
    }
  }
  for (std::size_t i = 1; i < made_.size(); ++i) {
    if (!before(made_[i - 1], made_[i])) made_[i].origin = made_[i - 1].origin;
  }
  std::ranges::stable_sort(made_, {}, &Field::origin);
  grown_.clear();
  auto next = made_.begin();
  const auto take = [&](std::size_t at) {
    for (; next != made_.end() && next->origin <= at; ++next) {
      grown_.push_back(*next);
      grown_.back().origin = Field::kNew;
    }
  };
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    if (tags_[at] != 0) grown_.push_back(fields_[at]);
    take(at);
  }
  take(Field::kNew);
  fields_.swap(grown_);
  retag();
  return {};
}

Status HeaderMap::set(std::string_view name, std::string_view value) {
  const Field* first = find(name);
  if (first == nullptr) return append(name, value);
  const Field* next = find_after(first, name);
  if (next == nullptr && first->name() == name && first->value() == ascii::trim(value)) return {};
  for (; next != nullptr; next = find_after(next, name)) {
    bury(static_cast<std::size_t>(next - fields_.data()));
  }
  return replace(*first, name, std::span(&value, 1));
}

Status HeaderMap::replace(std::span<const Replacement> replacements) {
  made_.clear();
  bool grows = false;
  for (const Replacement& replacement : replacements) {
    for (std::size_t i = 0; i < replacement.values.size(); ++i) {
      const Field& old = *replacement.field;
      const bool odd = old.name() == replacement.name && !ascii::is_token(old.name());
      auto field = make(odd ? "x" : replacement.name, replacement.values[i]);
      if (!field) return fail(std::move(field.error()));
      if (odd) {
        *field = line_of(old.name(), ascii::trim(replacement.values[i]));
        field->flags = Field::odd | Field::changed;
      }
      if (i == 0) field->origin = replacement.field->origin;
      made_.push_back(*field);
    }
    grows = grows || replacement.values.size() > 1;
  }
  if (grows) {
    rebuild(replacements);
    return {};
  }
  auto made = made_.begin();
  for (const Replacement& replacement : replacements) {
    const auto at = static_cast<std::size_t>(replacement.field - fields_.data());
    replacement.values.empty() ? bury(at) : put(at, *made++);
  }
  return {};
}

void HeaderMap::rebuild(std::span<const Replacement> replacements) {
  grown_.clear();
  auto made = made_.begin();
  auto next = replacements.begin();
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    if (next != replacements.end() && next->field == &fields_[at]) {
      const auto count = static_cast<std::ptrdiff_t>((next++)->values.size());
      grown_.insert(grown_.end(), made, made + count);
      made += count;
    } else if (tags_[at] != 0) {
      grown_.push_back(fields_[at]);
    }
  }
  fields_.swap(grown_);
  retag();
}

void HeaderMap::put(std::size_t at, const Field& field) {
  fields_[at] = field;
  set_tag(at, tag_of(field.name()));
  mark_edited(at, at + 1);
}

void HeaderMap::compact() {
  if (live_ == fields_.size()) return;
  std::size_t kept = 0;
  for (std::size_t at = 0; at < fields_.size(); ++at) {
    if (tags_[at] != 0) fields_[kept++] = fields_[at];
  }
  fields_.resize(kept);
  const bool changed = changed_;
  retag();
  changed_ = changed;
}

void HeaderMap::retag() {
  tags_.assign(fields_.size() + kLane, 0);
  for (std::size_t at = 0; at < fields_.size(); ++at) set_tag(at, tag_of(fields_[at].name()));
  live_ = fields_.size();
  changed_ = true;
  unbroken_ = false;
}

std::size_t HeaderMap::remove(std::string_view name) {
  std::size_t removed = 0;
  for (const Field* field = find(name); field != nullptr; field = find_after(field, name)) {
    bury(static_cast<std::size_t>(field - fields_.data()));
    ++removed;
  }
  return removed;
}

Status HeaderMap::rename(const Field& field, std::string_view to) {
  if (auto fine = check_field(to, {}); !fine) return fine;
  if (field.name() == to) return {};
  Field renamed = line_of(to, field.value());
  renamed.origin = field.origin;
  if (field.has(Field::odd)) renamed.flags = Field::odd | Field::changed;
  put(static_cast<std::size_t>(&field - fields_.data()), renamed);
  return {};
}

Result<std::size_t> HeaderMap::rename(std::string_view from, std::string_view to) {
  std::size_t renamed = 0;
  for (const Field* field = find(from); field != nullptr; field = find_after(field, from)) {
    if (field->name() == to) continue;
    if (auto done = rename(*field, to); !done) return fail(std::move(done.error()));
    ++renamed;
    // A new spelling of the same name is found again behind this one, never at it.
  }
  return renamed;
}

}  // namespace rehead::http
