// Frames of DAP's messages, whole, in pieces and hostile; where a server listens.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "debugger/dap/transport/framing.h"
#include "debugger/dap/transport/stream.h"

namespace lockstep::debugger::dap {
namespace {

/// All messages, then "!" and the problem if there is one.
std::vector<std::string> read_all(const std::string& bytes, std::size_t piece) {
  FrameReader reader;
  std::vector<std::string> messages;
  for (std::size_t at = 0; at < bytes.size(); at += piece) {
    reader.feed(std::string_view(bytes).substr(at, piece));
    for (;;) {
      const auto next = reader.next();
      if (!next) {
        messages.push_back("!" + next.error());
        EXPECT_FALSE(reader.next());  // for good
        return messages;
      }
      if (!*next) break;
      messages.push_back(**next);
    }
  }
  return messages;
}

TEST(DapFraming, ReadsMessagesInPiecesOfAnySize) {
  const std::string bytes =
      framed("one") + framed("") + "content-length:  5 \r\nContent-Type: x\r\n\r\nthree" + framed("\r\n\r\n");
  for (std::size_t piece = 1; piece <= bytes.size(); ++piece)
    EXPECT_EQ(read_all(bytes, piece), (std::vector<std::string>{"one", "", "three", "\r\n\r\n"}));
}

TEST(DapFraming, SaysWhatItIsWithin) {
  FrameReader reader;
  EXPECT_FALSE(reader.is_within());
  reader.feed("Content-Length: 3\r\n\r\n");
  EXPECT_TRUE(reader.next() && reader.is_within());
  reader.feed("abc");
  EXPECT_TRUE(reader.next() && !reader.is_within());
}

TEST(DapFraming, LosesItWhereAHeaderIsWrong) {
  for (const std::string header : {"Content-Length: x", "Content-Length: -1", "Content-Length: 16777217",
                                   "Content-Length: 99999999999999999999999", "Content-Length: 3 4", "Content-Length:",
                                   "Content-Type: 5", "Content-Length: 3\r\nContent-Length: 3", "GET / HTTP/1.1"}) {
    const auto read = read_all(header + "\r\n\r\nabc", 1000);
    ASSERT_EQ(read.size(), 1u) << header;
    EXPECT_EQ(read[0].front(), '!') << header;
  }
  EXPECT_EQ(read_all(std::string(1 << 20, 'x'), 1 << 16).size(), 1u);
  EXPECT_EQ(read_all("{\"seq\": 1}\r\n", 1).size(), 1u);  // said at once, not after four thousand bytes
}

TEST(DapFraming, SurvivesAnyBytes) {
  std::mt19937 random(7);
  const std::string pieces[] = {"Content-Length: ",   "3",   "\r\n", "\r\n\r\n", "abc", "\n", ":",
                                std::string(1, '\0'), "9999"};
  for (int round = 0; round < 3000; ++round) {
    std::string bytes;
    for (std::uint32_t i = random() % 12; i-- > 0;) bytes += pieces[random() % std::size(pieces)];
    read_all(bytes, 1 + random() % 7);
  }
}

TEST(DapStream, ReadsAddresses) {
  const auto at = [](const char* text) {
    const auto parsed = parse_host_port(text);
    return parsed ? parsed->host + "|" + std::to_string(parsed->port) : "none";
  };
  EXPECT_EQ(at("4711"), "|4711");
  EXPECT_EQ(at("0.0.0.0:0"), "0.0.0.0|0");
  EXPECT_EQ(at("[::1]:65535"), "::1|65535");
  for (const char* wrong : {"", "x", ":1", "65536", "-1", "host:", "1 "}) EXPECT_EQ(at(wrong), "none") << wrong;
}

TEST(DapStream, ListensOnThisMachineOnly) {
  const auto listener = Listener::open("", 0);
  ASSERT_TRUE(listener);
  EXPECT_EQ((*listener)->address().rfind("127.0.0.1:", 0), 0u);
  const auto again = parse_host_port((*listener)->address());
  const auto taken = Listener::open("", again->port);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().code.spelling(), "LS3011");
}

}  // namespace
}  // namespace lockstep::debugger::dap
