// The pages of HAR documents that become one. A page equal byte for byte to one of an earlier
// document is the same page. Any other whose id an earlier document used becomes ID-N in the N-th
// document, and the pageref of its entries follows.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace rehead::format {

class HarPages {
 public:
  void next_document() {
    ++document_;
    now_.clear();
  }
  /// Takes the elements of `array`, the value of a "pages" member of this document. False if there
  /// was none but known ones.
  bool add(std::string_view array);
  /// Elements to write, comma-separated: of the documents behind the first, or of all.
  std::string elements(bool all) const;
  /// True if an entry of this document may refer to a page that has another id now.
  bool renames() const { return document_ > 1; }
  /// The id that the page has now which an entry of this document calls `id`. Good until the next
  /// document.
  std::string_view id_of(std::string_view id);

 private:
  struct Page {
    std::size_t document;
    std::string id;    // as written
    std::string text;  // as read
    std::string made;  // as written
  };
  std::string_view give_id(std::string_view id);

  std::size_t document_ = 1;
  std::vector<Page> pages_;
  std::multimap<std::string, std::size_t, std::less<>> by_id_;  // as read; indices in pages_
  std::set<std::string, std::less<>> used_;                     // ids as written
  std::map<std::string, std::string, std::less<>> now_;  // of this document: as read, as written
};

}  // namespace rehead::format
