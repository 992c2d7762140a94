#include "pipeline/reporter.h"

#include <algorithm>

#include "base/ascii.h"
#include "codec/json_writer.h"

namespace rehead {
namespace {

constexpr std::string_view kLevels[] = {"error", "warning", "note"};
constexpr std::string_view kHalves[] = {"", "request", "response"};

std::string_view level_name(Level level) { return kLevels[static_cast<std::size_t>(level)]; }
std::string_view half_name(Half half) { return kHalves[static_cast<std::size_t>(half)]; }

/// JSON that is harmless on a terminal too: C1 controls (C2 80 to C2 9F) are escaped as well.
std::string without_c1(std::string_view json) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const bool c1 = json[i] == '\xC2' && static_cast<unsigned char>(json[i + 1]) < 0xA0;
    if (!c1) {
      out += json[i];
      continue;
    }
    const auto low = static_cast<unsigned char>(json[++i]);
    out += "\\u00";
    out += kDigits[low >> 4];
    out += kDigits[low & 15];
  }
  return out;
}

/// What a lower layer said, with every byte that could do something to a terminal as \xNN.
std::string harmless(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool plain = c >= 0x20 && c < 0x7F;
    const std::string shown = plain ? std::string(1, c) : ascii::quoted({&c, 1});
    out += plain ? shown : shown.substr(1, shown.size() - 2);
  }
  return out;
}

}  // namespace

std::string printable(std::string_view name) {
  const bool plain =
      !name.empty() && std::ranges::all_of(name, [](char c) { return c >= 0x20 && c < 0x7F; });
  return plain ? std::string(name) : ascii::quoted(name, name.size());
}

void Reporter::begin_file(std::string_view name) {
  file_ = name;
  entries_ = false;
  message_ = 0;
  file_status_ = 0;
  seen_.clear();
}

void Reporter::absorb(const Reporter& other) {
  files_ += other.files_;
  failed_files_.insert(failed_files_.end(), other.failed_files_.begin(), other.failed_files_.end());
  receipts_.insert(receipts_.end(), other.receipts_.begin(), other.receipts_.end());
  status_ = std::max(status_, other.status_);
  no_ = no_ || other.no_;
}

void Reporter::report(const Finding& finding) {
  const std::uint64_t message = finding.message != 0 ? finding.message : message_;
  if (holding_ && finding.repair) {
    held_.push_back(finding);
    held_.back().message = message;
    return;
  }
  ++seen_[finding.id].all;
  if (finding.level == Level::error) {
    raise(finding.code);
  } else {
    const bool unasked = finding.level == Level::note && !finding.always && !style_.verbose;
    if (style_.quiet || unasked) return;
    Seen& seen = seen_[finding.id];
    seen.level = finding.level;
    if (!finding.each && ++seen.count > kShown) return;
  }
  print(finding, message);
}

std::uint64_t Reporter::times(std::string_view id) const {
  const auto found = seen_.find(id);
  return found == seen_.end() ? 0 : found->second.all;
}

void Reporter::receipt(std::string members) {
  std::string& object = receipts_.emplace_back();
  codec::JsonWriter(object).open('{').key("file").text(file_);
  object += ',' + members + '}';
}

void Reporter::release_repairs(bool written) {
  holding_ = false;
  for (const Finding& finding : std::exchange(held_, {})) {
    if (written) report(finding);
  }
}

void Reporter::fail(const Error& error) {
  ++seen_[error.id].all;
  raise(error.code);
  if (error.code == Errc::pipe) return;
  print({.level = Level::error,
         .code = error.code,
         .id = error.id,
         .what = error.what,
         .hint = error.hint,
         .byte = error.byte,
         .line = error.line,
         .half = error.half},
        error.message != 0 ? error.message : message_);
}

void Reporter::end_file(Counts counts) {
  for (const auto& [id, seen] : seen_) {
    if (seen.count <= kShown) continue;
    print({.level = seen.level,
           .id = id,
           .what = std::to_string(seen.count - kShown) + " more of kind " + std::string(id)},
          0);
  }
  if (style_.verbose && !style_.quiet) {
    print({.level = Level::note,
           .id = "summary",
           .what = (entries_ ? "entries: " : "messages: ") + std::to_string(counts.read) +
                   " read, " + std::to_string(counts.written) + " written" +
                   (counts.verdict.empty() ? "" : "; " + std::string(counts.verdict))},
          0);
  }
  ++files_;
  if (file_failed()) failed_files_.push_back(file_);
  file_.clear();
  seen_.clear();
}

int Reporter::finish() {
  if (files_ > 1 && !failed_files_.empty()) {
    constexpr std::size_t kNamed = 20;
    std::string names;
    for (const std::string& name : failed_files_) {
      names += names.empty() ? "" : ", ";
      if (&name == failed_files_.data() + kNamed) {
        names += "and " + std::to_string(failed_files_.size() - kNamed) + " more";
        break;
      }
      names += printable(name);
    }
    print({.level = Level::error,
           .id = "files-failed",
           .what = std::to_string(failed_files_.size()) + " of " + std::to_string(files_) +
                   " files failed (exit " + std::to_string(status_) + "): " + names},
          0);
  }
  constexpr int kNo = 1;
  return status_ == 0 && no_ ? kNo : status_;
}

void Reporter::raise(Errc code) {
  const int status = status_of_(code);
  file_status_ = std::max(file_status_, status);
  status_ = std::max(status_, status);
}

void Reporter::print(const Finding& finding, std::uint64_t message) {
  style_.json ? print_json(finding, message) : print_text(finding, message);
}

void Reporter::print_text(const Finding& finding, std::uint64_t message) {
  std::string text = "rehead: ";
  if (!file_.empty()) {
    text += printable(file_);
    if (message != 0) text += (entries_ ? ": entry " : ": message ") + std::to_string(message);
    if (finding.half != Half::none) text += ", " + std::string(half_name(finding.half));
    if (finding.line) text += ", line " + std::to_string(*finding.line);
    if (finding.byte) text += ", byte " + std::to_string(*finding.byte);
    text += ": ";
  }
  if (finding.id != "files-failed") text += std::string(level_name(finding.level)) + ": ";
  text += harmless(finding.what) + '\n';
  if (!finding.hint.empty()) text += "  hint: " + harmless(finding.hint) + '\n';
  // There is nobody left to tell that stderr cannot be written.
  if (out_->write(text)) static_cast<void>(out_->flush());
}

void Reporter::print_json(const Finding& finding, std::uint64_t message) {
  std::string object;
  codec::JsonWriter json(object);
  json.open('{').key("level").string(level_name(finding.level));
  if (!file_.empty()) json.key("file").text(file_);
  if (message != 0) json.key(entries_ ? "entry" : "message").number(message);
  if (finding.half != Half::none) json.key("side").string(half_name(finding.half));
  if (finding.line) json.key("line").number(*finding.line);
  if (finding.byte) json.key("byte").number(*finding.byte);
  json.key("code").string(finding.id).key("text").text(finding.what);
  json.close('}').end_line();
  if (out_->write(without_c1(object))) static_cast<void>(out_->flush());
}

}  // namespace rehead
