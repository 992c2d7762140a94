// The document around the entries. Of the first HAR everything is copied as it stands; its end,
// from the ] of the entries on, waits for entries that may follow: of a second `entries`, of later
// documents, of other inputs. Of those documents entries and pages are taken. Without a HAR to copy
// the document is made anew. A HAR that was one bare entry is followed by others as it is, one
// behind the other.
//
// An entry that is left out takes its comma along. A document that was cut is closed.
#include <algorithm>
#include <string>
#include <utility>

#include "format/har.h"
#include "format/har_edit.h"
#include "format/har_entry.h"
#include "format/har_pages.h"
#include "format/har_writer.h"

namespace rehead::format {
namespace {

using Kind = HarPiece::Kind;
using Level = HarPiece::Level;

bool is_pages(const HarPiece& piece) {
  return piece.level == Level::log && piece.key == "pages" && piece.value.starts_with('[');
}

}  // namespace

struct HarTools {
  explicit HarTools(const SinkSetup& setup)
      : editor(*setup.policy, *setup.log), writer(*setup.policy) {}
  HarEditor editor;
  HarWriter writer;
};

namespace {

class HarSink final : public Sink {
 public:
  explicit HarSink(const SinkSetup& setup)
      : setup_(setup), place_{.output = setup.output} {
    if (setup_.har_tools == nullptr) setup_.har_tools = make_har_tools(setup);
  }

  Status write(http::Exchange& exchange) override;
  Status pass(const http::Exchange& exchange) override;
  bool wants_rest() const override { return copies_; }
  Status end_input(std::string_view) override {
    auto done = finish_waiting();
    place_.url.clear();
    return done;
  }
  void input_broke_off() override { broke_off_ = true; }
  Status finish() override;

 private:
  HarWriter& writer() { return setup_.har_tools->writer; }
  Status out(std::string_view text) { return text.empty() ? Status() : setup_.output->write(text); }
  Status keep_blanks(const HarPiece& piece);
  std::string_view lead_of(const HarPiece& piece);
  Status copy(const HarPiece& piece);
  Status copy_text(std::string_view lead, std::string_view bytes);
  Status open_again(std::string_view lead, const HarPiece& piece);
  Status release();
  Status begin_entry(const HarPiece* piece);
  Status open_entries();
  Status finish_waiting();
  Status read_pages(const HarPiece& piece);
  void write_pages();
  std::string_view new_pageref(const HarPiece& piece);
  void close();

  SinkSetup setup_;
  HarPlace place_;

  bool broke_off_ = false;        // an input could not be read
  bool begun_ = false;            // something of a document was written
  bool copies_ = false;           // it is one that was read
  bool bare_ = false;             // it is entries without anything around them
  bool another_ = false;          // what is read is not the document that is copied
  Level level_ = Level::outside;  // where in the document the next piece of it stands
  bool in_array_ = false;         // the document is an array of entries
  bool fresh_ = false;            // nothing stands in the object at level_ yet
  bool open_ = false;             // entries can be written: their ] is still to come
  bool empty_ = true;             // none was
  bool sealed_ = false;           // the end was too long to wait
  std::string between_ = ",";     // what stood between entries
  std::string end_;               // of the document, from the ] of its entries on

  std::string lead_;              // the beginning of the next piece's lead
  std::uint64_t lead_end_ = 0;    // where it ends in the input
  std::string lead_made_;         // the whole of it

  enum class Part : std::uint8_t { copied, collected };
  Part part_ = Part::copied;      // what becomes of the member at hand
  bool reads_pages_ = false;      // it is "pages"
  HarPages pages_;
  std::string pages_text_;        // "pages" at hand, as far as it was read
  bool pages_kept_ = true;        // pages_ has those of the first document
  std::string pages_lead_ = ",";  // what stood before the member that was kept back
  bool pages_due_ = false;        // it is to be written even if it is empty
  bool pages_more_ = false;       // pages_ has some that were not written
  std::size_t pages_at_ = 0;      // the ] of pages within end_; 0: there are none in it
  bool pages_written_ = false;    // the document has had its pages
  Arena arena_;                   // of an entry's pageref
};

Status HarSink::write(http::Exchange& exchange) {
  auto* entry = dynamic_cast<HarEntry*>(exchange.as_read);
  const bool answer = entry == nullptr && exchange.alone() && exchange.response != nullptr;
  if (!answer) {
    if (auto done = finish_waiting(); !done) return done;
  }
  if (entry == nullptr && exchange.alone() && !answer) return writer().keep(exchange, place_);
  if (answer && place_.passes_over(*exchange.response)) {
    setup_.log->report({.level = rehead::Level::note,
                        .id = "interim-left-out",
                        .what = "an interim response left out: a HAR entry has the final one"});
    return {};
  }
  if (auto done = begin_entry(entry != nullptr ? &entry->piece : nullptr); !done) return done;
  if (entry == nullptr) return writer().write(exchange, place_);
  return setup_.har_tools->editor.write(exchange, *entry, new_pageref(entry->piece),
                                        *setup_.output);
}

Status HarSink::pass(const http::Exchange& exchange) {
  const auto* entry = dynamic_cast<const HarEntry*>(exchange.as_read);
  if (entry == nullptr) return {};
  const HarPiece& piece = entry->piece;
  if (piece.kind == Kind::blanks) return keep_blanks(piece);
  if (piece.kind == Kind::entry) {
    if (auto done = finish_waiting(); !done) return done;
    if (auto done = begin_entry(&piece); !done) return done;
    return out(piece.bytes);
  }
  if (begins_document(exchange) && begun_) {
    another_ = true;
    pages_.next_document();
  }
  if (piece.kind != Kind::more) {
    part_ = another_ || (is_pages(piece) && setup_.several) ? Part::collected : Part::copied;
    reads_pages_ = is_pages(piece);
  }
  // Behind an entry that was all there is, and was left out, nothing is to be copied.
  if (piece.kind == Kind::rest && !begun_) return {};
  if (part_ == Part::copied) {
    if (auto done = copy(piece); !done) return done;
  }
  return reads_pages_ ? read_pages(piece) : Status();
}

/// Long white space before a piece waits for it: the comma in it goes if the piece does.
Status HarSink::keep_blanks(const HarPiece& piece) {
  if (lead_end_ != piece.offset - piece.lead.size()) lead_.clear();
  lead_ += piece.lead;
  lead_end_ = piece.offset;
  if (lead_.size() < setup_.policy->limits.hold || another_) return {};
  // Too much to wait: the comma stands behind it.
  const bool comma = lead_.find(',') != lead_.npos;
  if (comma) lead_.erase(lead_.find(','), 1);
  auto done = level_ == Level::entries ? out(lead_) : copy_text(lead_, {});
  lead_ = comma ? "," : "";
  return done;
}

std::string_view HarSink::lead_of(const HarPiece& piece) {
  const bool goes_on = lead_end_ == piece.offset - piece.lead.size() && !lead_.empty();
  lead_made_ = goes_on ? lead_ : std::string();
  lead_.clear();
  if (lead_made_.empty()) return piece.lead;
  return lead_made_ += piece.lead;
}

/// A piece of the document that is copied.
Status HarSink::copy(const HarPiece& piece) {
  if (piece.kind == Kind::more) return copy_text({}, piece.bytes);
  std::string_view lead = lead_of(piece);
  if (fresh_) lead.remove_prefix(std::min(lead.find(',') + 1, lead.size()));
  fresh_ = piece.kind == Kind::document || piece.kind == Kind::log;
  begun_ = copies_ = true;
  switch (piece.kind) {
    case Kind::document:
      level_ = Level::document;
      break;
    case Kind::log:
      level_ = Level::log;
      break;
    case Kind::entries:
      in_array_ = piece.level == Level::outside;
      return open_again(lead, piece);
    case Kind::entries_end:
      level_ = in_array_ ? Level::outside : Level::log;
      break;
    case Kind::end:
      level_ = piece.level;
      break;
    default:
      break;
  }
  return copy_text(lead, piece.bytes);
}

/// What stands around the entries goes out at once, unless entries may still come before it.
Status HarSink::copy_text(std::string_view lead, std::string_view bytes) {
  if (!open_) {
    if (auto done = out(lead); !done) return done;
    return out(bytes);
  }
  end_ += lead;
  end_ += bytes;
  if (end_.size() <= setup_.policy->limits.hold) return {};
  sealed_ = true;
  return release();
}

/// The end of the document goes out; more may be copied behind it.
Status HarSink::release() {
  auto done = out(end_);
  end_.clear();
  open_ = false;
  pages_written_ = pages_written_ || pages_at_ != 0;
  pages_at_ = 0;
  return done;
}

/// The entries of the document begin, or begin once more.
Status HarSink::open_again(std::string_view lead, const HarPiece& piece) {
  if (open_) {
    if (auto done = release(); !done) return done;
  }
  sealed_ = false;
  open_ = empty_ = true;
  level_ = Level::entries;
  if (auto done = out(lead); !done) return done;
  return out(piece.bytes);
}

/// Entries where no HAR has opened them: in a document of our own, or in one that was cut before.
Status HarSink::open_entries() {
  std::string text;
  if (!begun_) {
    text =
        "{\"log\":{\"version\":\"1.2\",\"creator\":{\"name\":\"rehead\",\"version\":"
        "\"" REHEAD_VERSION "\"},";
  } else {
    text = fresh_ ? "" : ",";
    if (level_ == Level::document) text += "\"log\":{";
  }
  text += "\"entries\":[";
  begun_ = open_ = empty_ = true;
  level_ = Level::outside;
  end_ = "]}}\n";
  return out(text);
}

/// What stands before an entry. `piece`: the entry as it was read, if it was.
Status HarSink::begin_entry(const HarPiece* piece) {
  if (piece != nullptr && piece->level == Level::outside) {
    if (!begun_ && !setup_.several) {
      begun_ = bare_ = true;
      return out(piece->lead);
    }
    if (bare_ && !piece->lead.empty()) return out(piece->lead);
    another_ = true;
  }
  if (bare_) return out("\n");
  if (sealed_) {
    return fail({.code = Errc::limit,
                 .id = "har-end",
                 .what = "what follows the entries of the first HAR is too long to wait for the "
                         "entries of another",
                 .hint = "raise it with --hold"});
  }
  if (!open_) {
    if (auto done = open_entries(); !done) return done;
  }
  const bool first = std::exchange(empty_, false);
  if (piece == nullptr || another_) return out(first ? std::string_view() : between_);
  std::string_view lead = lead_of(*piece);
  const std::size_t comma = lead.find(',');
  if (first && comma != std::string_view::npos) lead.remove_prefix(comma + 1);
  if (!first) between_ = lead;
  return out(lead);
}

/// A request that waited has got no answer.
Status HarSink::finish_waiting() {
  if (!place_.waits()) return {};
  if (auto done = begin_entry(nullptr); !done) return done;
  return writer().finish(place_);
}

/// Pages, as far as they were read. They are written at the end where more may come: those of
/// another document, and those of the first if others are sure to follow. Those of the first that
/// are copied are kept for the same case.
Status HarSink::read_pages(const HarPiece& piece) {
  const bool copied = part_ == Part::copied;
  if (piece.kind == Kind::member && !copied && !another_) {
    pages_due_ = true;
    const std::string_view lead = lead_of(piece);
    pages_lead_ = lead.find(',') != lead.npos ? "" : ",";
    pages_lead_ += lead;
  }
  pages_text_ += piece.value;
  if (copied && pages_text_.size() > setup_.policy->limits.hold) pages_kept_ = false;
  if (copied && !pages_kept_) pages_text_.clear();
  if (!piece.complete) return {};
  if (copied && open_) pages_at_ = end_.size() - 1;
  if (copied && !open_) pages_written_ = true;
  const bool more = pages_.add(std::exchange(pages_text_, {}));
  if (!another_ || !more || std::exchange(pages_more_, true) || !pages_written_) return {};
  // All of them are written once more at the end: of members of one name the last counts.
  if (!pages_kept_ || sealed_) {
    return fail({.code = Errc::limit,
                 .id = "har-pages",
                 .what = "the pages of the first document are too long to be joined by more",
                 .hint = "name the files one by one, or raise it with --hold",
                 .byte = piece.offset});
  }
  setup_.log->report({.level = rehead::Level::note,
                      .id = "pages-twice",
                      .what = "pages stand twice, the last time with those of all documents: "
                              "the first had been written before more were known",
                      .hint = "name the files one by one: rehead a.har b.har"});
  return {};
}

/// Puts the pages that were kept into the end of the document.
void HarSink::write_pages() {
  if (in_array_ || (!pages_more_ && !pages_due_)) return;
  const std::string elements = pages_.elements(pages_at_ == 0);
  if (pages_at_ != 0) {
    const bool first = end_[end_.find_last_not_of(" \t\r\n", pages_at_ - 1)] == '[';
    if (!elements.empty()) end_.insert(pages_at_, (first ? "" : ",") + elements);
    return;
  }
  end_.insert(open_ ? end_.find(']') + 1 : 0, pages_lead_ + "\"pages\":[" + elements + ']');
}

/// What the pageref of an entry is to be, if that is another.
std::string_view HarSink::new_pageref(const HarPiece& piece) {
  if (!pages_.renames()) return {};
  arena_.reset();
  const auto members = members_of(piece.bytes, {0, piece.bytes.size()}, arena_);
  const std::string_view id = string_of(piece.bytes, members, "pageref", arena_);
  const std::string_view now = pages_.id_of(id);
  return now == id ? std::string_view() : now;
}

/// What the document lacks, if it was cut.
void HarSink::close() {
  if (level_ == Level::outside) return;
  if (level_ == Level::entries) {
    end_ = "]";
    level_ = in_array_ ? Level::outside : Level::log;
  }
  if (level_ == Level::log) end_ += '}';
  if (level_ != Level::outside) end_ += '}';
  end_ += '\n';
}

Status HarSink::finish() {
  if (auto done = finish_waiting(); !done) return done;
  if (bare_) return {};
  if (!begun_) {
    if (broke_off_) return {};  // an empty document would pass for all there was
    if (auto done = open_entries(); !done) return done;
  }
  close();
  if (!sealed_) write_pages();
  return out(end_);
}

}  // namespace

std::shared_ptr<HarTools> make_har_tools(const SinkSetup& setup) {
  return std::make_shared<HarTools>(setup);
}

std::unique_ptr<Sink> make_har_document_sink(const SinkSetup& setup) {
  return std::make_unique<HarSink>(setup);
}

}  // namespace rehead::format
