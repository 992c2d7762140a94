// The new content of a file, begun once its first bytes are known to be needed.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/io.h"
#include "codec/content_coding.h"
#include "pipeline/new_file.h"
#include "pipeline/original.h"

namespace rehead {

class Destination {
 public:
  /// `name` of the file that is to have it.
  Destination(std::string name, const Original& original)
      : name_(std::move(name)), original_(original) {}
  const std::string& name() const { return name_; }
  /// Whether it is wrapped in gzip, as the original is.
  void wrap(bool gzip) { wrap_ = gzip; }
  /// Its first `equal` bytes, gzip undone, are those of the original; the others go to what is
  /// given.
  Result<ByteSink*> begin(std::uint64_t equal);
  bool begun() const { return plain_.has_value(); }
  /// Bytes, as they are stored.
  std::uint64_t written() const { return plain_ ? plain_->written() : 0; }
  /// See NewFile.
  Status commit(const std::string& suffix, const std::function<Status()>& last_look);

 private:
  Status copy(std::uint64_t size, ByteSink& to) const;

  std::string name_;
  const Original& original_;
  bool wrap_ = false;
  NewFile file_;
  std::optional<FdSink> plain_;
  std::optional<codec::GzipSink> gzip_;
};

}  // namespace rehead
