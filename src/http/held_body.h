// A body read ahead, for a step that has to know it before others get it: its size, what stands in
// it. It is still whole afterwards, and leaves byte for byte as it came if nothing else touches it.
#pragma once

#include <cstddef>
#include <string>

#include "base/spool.h"
#include "http/body.h"

namespace rehead::http {

class HeldBody {
 public:
  /// Reads `body` to its end: `memory` bytes of it are held in memory, the rest in a temporary
  /// file. This outlives the message. An Error comes again at the end of the body, for whoever
  /// reads it then.
  Status hold(Body& body, std::size_t memory);
  /// Reads no further than it must to see whether there are `least` bytes of content. True: there
  /// are fewer, and the body knows its size. False as well if an Error came before that; it comes
  /// again.
  bool shorter_than(Body& body, std::uint64_t least);
  /// Reads no further than it must to have the first `size` bytes of content in `start`. True: there
  /// are fewer, and the body knows its size. An Error is as above.
  bool look(Body& body, std::size_t size, std::string& start);
  /// What is read of `body` from now on is held, up to `memory` bytes, so that rewind() is possible
  /// as long as bytes().recording().
  void record(Body& body, std::size_t memory);
  /// Has the body of hold() or record() begin anew. Nobody has put a filter in front of it since.
  void rewind();
  /// What is held: coded bytes if the body was framed(), else its content.
  Spool& bytes() { return spool_; }
  /// Bytes of content; pulls it once if they are unknown. The body begins anew.
  Result<std::uint64_t> size();

 private:
  bool read_start(Body& body, std::uint64_t least, std::string* start);

  Body* body_ = nullptr;
  Spool spool_;
};

}  // namespace rehead::http
