// A HAR document taken apart while it streams by: the input comes out as pieces, in order and
// without a gap, so that a sink can copy all of it, leave entries out, or put others in.
//
//   {        "log":{ "version":"1.2", "entries":[ {...}, {...} ]           }   }
//   document log     member           entries     entry  entry entries_end end end
//
// White space and the comma before a piece are its lead. `entries` may stand before or after the
// other members of `log`, and more than once. Also read: a document that is one entry, an array of
// entries, several documents one after another, a BOM, NULs behind a document.
//
// Held in memory: one entry. A long member and long white space come in several pieces.
//
// Entries and members are checked for strings and brackets only (RFC 8259); around them commas and
// colons must stand where they belong.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/io.h"
#include "codec/json_value_scan.h"
#include "http/policy.h"

namespace rehead::format {

struct HarPiece {
  enum class Kind : std::uint8_t {
    document,     // { of a document
    log,          // "log": {
    member,       // another member of the document or of `log`, or the beginning of it
    more,         // the next part of that member
    blanks,       // the beginning of the next piece's lead, when that is long
    entries,      // "entries": [ or the [ of a document that is an array of entries
    entry,        // any JSON value; at Level::outside it is a document of its own
    entries_end,  // ]
    end,          // } of `log` or of the document
    rest,         // white space and NULs at the end of the input
    none,         // nothing is left
  };
  /// Where a piece stands, its brackets excepted.
  enum class Level : std::uint8_t { outside, document, log, entries };

  Kind kind = Kind::none;
  Level level = Level::outside;
  std::string_view lead;  // BOM, white space, NULs behind a document, a comma
  std::string_view bytes;
  std::string_view key;      // member: as spelt, without its quotes
  std::string_view value;    // member, more: the value, as far as it is part of this piece
  bool complete = true;      // member, more: the value ends here
  std::uint64_t offset = 0;  // of `bytes` in the input
};

class HarSplitter {
 public:
  /// All outlive the splitter. `whole_members`: members are never handed out in parts.
  HarSplitter(Input& input, const http::Limits& limits, bool whole_members = false)
      : input_(input), limits_(limits), whole_members_(whole_members) {}

  /// The next piece; its views are good until the next call. Kind::none at the end. Errors are
  /// final and have a byte offset: Errc::syntax for what is no HAR, broken or cut, Errc::limit.
  Result<HarPiece> next();
  /// What would close the document as far as it was handed out.
  std::string_view closers() const;
  /// True between the brackets of `entries`.
  bool in_entries() const { return level_ == Level::entries; }
  /// True if the document is an array of entries.
  bool in_array() const { return in_array_; }
  /// Containers of the entry handed out last, offsets from its start.
  std::span<const codec::JsonScan::Container> containers() const { return value_.containers(); }

 private:
  using Kind = HarPiece::Kind;
  using Level = HarPiece::Level;
  static constexpr std::size_t kBeyond = SIZE_MAX;
  static constexpr std::size_t kPart = std::size_t{64} << 10;  // of a long member, of blanks

  Result<HarPiece> outside();
  Result<HarPiece> object_outside(std::size_t at);
  Result<HarPiece> array_outside(std::size_t at);
  Result<HarPiece> member();
  Result<HarPiece> element();
  Result<bool> is_entry(std::size_t at);
  Result<HarPiece> whole_entry(std::size_t at);
  Result<HarPiece> part_of_member(Kind kind, std::size_t lead);
  Result<HarPiece> long_blanks();
  HarPiece piece(Kind kind, std::size_t lead, std::size_t end);
  HarPiece enter(Kind kind, Level inner, std::size_t lead, std::size_t end);
  HarPiece leave(Kind kind, Level outer, std::size_t lead);

  // Offsets are from the start of the window; these read on as far as they need.
  Result<bool> have(std::size_t at);
  Result<char> need(std::size_t at);
  Result<std::size_t> past_blanks(std::size_t at);
  Result<std::size_t> next_place(char close);
  Result<std::size_t> past_colon(std::size_t at);
  Result<std::size_t> value_end(std::size_t at, std::uint64_t limit, bool remember = false);
  Result<std::size_t> string_end(std::size_t at, std::uint64_t limit) {
    return value_end(at, limit);
  }
  void begin_value(std::size_t at, bool remember);
  Result<bool> value_ends();

  std::size_t depth() const;
  std::string described(std::size_t at) const;
  tl::unexpected<Error> broken(std::string what, std::size_t at) const;
  tl::unexpected<Error> cut() const;
  tl::unexpected<Error> no_har(std::size_t at);

  Input& input_;
  const http::Limits& limits_;
  bool whole_members_;
  codec::JsonValueScan value_;
  bool in_member_ = false;  // the rest of a member follows
  bool comma_ = false;      // the comma before the next piece was handed out
  std::size_t handed_ = 0;  // bytes of the piece handed out last
  Level level_ = Level::outside;
  bool in_array_ = false;      // the document is an array of entries
  bool first_ = true;          // nothing of the container at level_ was read
  bool entries_seen_ = false;  // in this document
  bool after_document_ = false;
};

}  // namespace rehead::format
