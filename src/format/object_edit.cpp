#include "format/object_edit.h"

#include <algorithm>
#include <string>

#include "codec/json_writer.h"
#include "format/har_content.h"
#include "format/har_layout.h"

namespace rehead::format {

void ObjectEdit::start(std::string_view text, HarSpan object, Arena& arena,
                       const std::vector<HarPart>* members) {
  text_ = text;
  object_ = object;
  arena_ = &arena;
  members_ = members;
  changes_.clear();
  added_.clear();
}

const std::vector<HarPart>& ObjectEdit::members() {
  if (members_ == nullptr) {
    read_ = members_of(text_, object_, *arena_);
    members_ = &read_;
  }
  return *members_;
}

std::string_view ObjectEdit::value(std::string_view key) {
  const HarPart* part = find_part(members(), key);
  return part != nullptr ? part->value.in(text_) : std::string_view();
}

void ObjectEdit::put(std::string_view key, Value value) {
  if (const HarPart* part = find_part(members(), key)) {
    return change(static_cast<std::size_t>(part - members().data()), value);
  }
  const auto added = std::ranges::find(added_, key, &Added::key);
  if (added != added_.end()) {
    added->value = value;
  } else {
    added_.push_back({key, value});
  }
}

void ObjectEdit::set_if_there(std::string_view key, std::string_view json) {
  if (find_part(members(), key) != nullptr) set(key, json);
}

void ObjectEdit::remove(std::string_view key) {
  for (std::size_t i = 0; i < members().size(); ++i) {
    if (members()[i].key == key) change(i, {});
  }
  std::erase_if(added_, [&](const Added& added) { return added.key == key; });
}

void ObjectEdit::change(std::size_t member, Value value) {
  const auto known = std::ranges::find(changes_, member, &std::pair<std::size_t, Value>::first);
  if (known != changes_.end()) {
    known->second = value;
  } else {
    changes_.emplace_back(member, value);
  }
}

Status ObjectEdit::Value::write(ByteSink& output) const {
  if (text != nullptr) return text->write(output);
  return object != nullptr ? object->write(output) : output.write(json);
}

Status ObjectEdit::write(ByteSink& output) {
  if (!changed()) return output.write(object_.in(text_));
  run_ = {};
  bool any = false;
  if (there()) {
    if (auto done = write_members(output, any); !done) return done;
  } else if (auto done = output.write("{"); !done) {
    return done;
  }
  if (auto done = write_added(output, any); !done) return done;
  if (!there()) return output.write("}");
  const std::size_t end = members().empty() ? object_.end - 1 : members().back().value.end;
  if (auto done = copy(end, object_.end, output); !done) return done;
  return flush(output);
}

/// The members that were read, as far as they stay, each with what stood before it. `any` becomes
/// true if there is one.
Status ObjectEdit::write_members(ByteSink& output, bool& any) {
  const std::vector<HarPart>& members = *members_;
  std::ranges::sort(changes_, {}, &std::pair<std::size_t, Value>::first);
  if (auto done = copy(object_.begin, object_.begin + 1, output); !done) return done;
  std::size_t first = 0;  // of those that were not written yet
  const auto copy_until = [&](std::size_t end) -> Status {
    std::size_t begin = members[first].begin;
    if (any) {
      begin = members[first - 1].value.end;
    } else if (auto done = copy(object_.begin + 1, members[0].begin, output); !done) {
      return done;
    }
    any = true;
    return copy(begin, end, output);
  };
  for (const auto& [at, now] : changes_) {
    const HarSpan value = members[at].value;
    Status done;
    if (!now.gone()) {
      const std::size_t place = now.inside != 0 ? now.inside : value.begin;
      done = copy_until(place);
      if (done) done = flush(output);
      if (done) done = now.write(output);
      if (done && now.inside != 0) done = copy(place, value.end, output);
    } else if (first < at) {
      done = copy_until(members[at - 1].value.end);
    }
    if (!done) return done;
    first = at + 1;
  }
  return first < members.size() ? copy_until(members.back().value.end) : Status();
}

/// New members, laid out as the first one is. `any`: others precede them.
Status ObjectEdit::write_added(ByteSink& output, bool any) {
  if (added_.empty()) return {};
  std::string_view lead, colon = ":";
  if (there() && !members().empty()) {
    const HarPart& first = members().front();
    lead = text_.substr(object_.begin + 1, first.begin - object_.begin - 1);
    const std::size_t key_end = text_.rfind('"', first.value.begin - 1) + 1;
    colon = text_.substr(key_end, first.value.begin - key_end);
  }
  if (auto done = flush(output); !done) return done;
  for (const Added& added : added_) {
    std::string out = any ? "," : "";
    any = true;
    out += lead;
    codec::JsonWriter(out).string(added.key);
    out += colon;
    if (auto done = output.write(out); !done) return done;
    if (auto done = added.value.write(output); !done) return done;
  }
  return {};
}

/// Copies bytes of the text. Runs that touch leave as one.
Status ObjectEdit::copy(std::size_t begin, std::size_t end, ByteSink& output) {
  if (run_ && run_.end == begin) {
    run_.end = end;
    return {};
  }
  auto done = flush(output);
  run_ = {begin, end};
  return done;
}

Status ObjectEdit::flush(ByteSink& output) {
  const std::string_view bytes = run_.in(text_);
  run_ = {};
  return bytes.empty() ? Status() : output.write(bytes);
}

}  // namespace rehead::format
