#include "drivers/handlersocket/client.hpp"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "drivers/errors.hpp"
#include "drivers/handlersocket/codec.hpp"
#include "drivers/handlersocket/handshake.hpp"
#include "drivers/wire/unique_fd.hpp"

namespace dbdyno {
namespace {

using namespace std::chrono_literals;
using namespace std::string_literals;
using handlersocket::row;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view secret = "hunter2";

/// Accepts one connection and gives the next of `replies` to each line it reads; then it waits for the peer
/// to close.
class one_connection_server {
 public:
  explicit one_connection_server(std::vector<std::string> replies) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    listener_.reset(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    EXPECT_EQ(::bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(listener_.get(), 1), 0);
    EXPECT_EQ(::getsockname(listener_.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    requests_ =
        std::async(std::launch::async, [this, answers = std::move(replies)] { return serve(answers); });
  }
  one_connection_server(const one_connection_server&) = delete;
  one_connection_server& operator=(const one_connection_server&) = delete;
  ~one_connection_server() { ::shutdown(listener_.get(), SHUT_RDWR); }

  target where(std::string_view password = secret) const {
    target out = parse_target("handlersocket://127.0.0.1:1/hs_test?wr=1");
    out.port = port_;
    out.write_port = port_;
    out.password = password;
    return out;
  }

  /// All that was read, once the peer has closed.
  std::string requests() { return requests_.get(); }

 private:
  std::string serve(const std::vector<std::string>& replies) const {
    const unique_fd peer(::accept(listener_.get(), nullptr, nullptr));
    std::string received;
    std::size_t answered = 0;
    char chunk[4096];
    for (ssize_t got = 0; (got = ::recv(peer.get(), chunk, sizeof chunk, 0)) > 0;) {
      for (const char byte : std::string_view(chunk, static_cast<std::size_t>(got))) {
        received += byte;
        if (byte != '\n') continue;
        if (answered == replies.size()) return received;
        const std::string& reply = replies[answered++];
        // Byte by byte, as the worst of networks would.
        for (const char& out : reply) ::send(peer.get(), &out, 1, MSG_NOSIGNAL);
      }
    }
    return received;
  }

  unique_fd listener_;
  std::uint16_t port_ = 0;
  std::future<std::string> requests_;
};

template <class Action>
setup_error failure_of(Action&& action) {
  try {
    action();
  } catch (const setup_error& error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return {"", "", "", ""};
}

handlersocket_client connect(const one_connection_server& server, std::string_view password = secret) {
  return {"handlersocket/native", server.where(password), handlersocket_port::reads, 5s};
}

TEST(handlersocket_client, authenticates_opens_an_index_and_finds_rows) {
  one_connection_server server({"0\t1\n", "0\t1\n", "0\t2\t1\ta\x01Ib\t2\t\0\t3\t\n"s, "0\t2\n"});
  {
    handlersocket_client client = connect(server);
    client.open_index(7, "hs_test", "table_test", "PRIMARY", "id,str");
    EXPECT_THAT(client.find(7, "1", 10, ">="),
                ElementsAre(row{"1", "a\tb"}, row{"2", std::nullopt}, row{"3", ""}));
    EXPECT_THAT(client.find(7, "99\n", 1), ElementsAre());
  }
  EXPECT_EQ(server.requests(),
            "A\t1\thunter2\n"
            "P\t7\ths_test\ttable_test\tPRIMARY\tid,str\n"
            "7\t>=\t1\t1\t10\t0\n"
            "7\t=\t1\t99\x01J\t1\t0\n");
}

TEST(handlersocket_client, does_not_authenticate_without_a_secret) {
  one_connection_server server({"0\t1\n"});
  connect(server, "").open_index(1, "d", "t", "PRIMARY", "c");
  EXPECT_EQ(server.requests(), "P\t1\td\tt\tPRIMARY\tc\n");
}

TEST(handlersocket_client, says_that_the_secret_is_wrong_without_printing_it) {
  const one_connection_server server({"3\t1\tunauth\n"});
  const setup_error error = failure_of([&] { connect(server); });
  EXPECT_EQ(error.step(), "authenticate at");
  EXPECT_EQ(error.reason(), "the server does not accept the secret");
  EXPECT_THAT(error.what(), Not(HasSubstr(secret)));
}

TEST(handlersocket_client, says_that_a_secret_is_wanted) {
  const one_connection_server server({"3\t1\tunauth\n"});
  const setup_error error = failure_of([&] { connect(server, "").open_index(1, "d", "t", "PRIMARY", "c"); });
  EXPECT_EQ(error.step(), "authenticate at");
  EXPECT_THAT(error.reason(), HasSubstr("handlersocket://:secret@"));
}

TEST(handlersocket_client, names_the_table_that_it_cannot_open) {
  const std::pair<std::string, std::string> cases[] = {
      {"1\t1\topen_table\n", "there is no such table"},
      {"2\t1\tidxnum\n", "no such index"},
      {"2\t1\tfld\n", "no such column"},
      {"1\t1\tlock_tables\n", "error 1 lock_tables"},
  };
  for (const auto& [reply, reason] : cases) {
    const one_connection_server server({"0\t1\n", reply});
    const setup_error error =
        failure_of([&] { connect(server).open_index(1, "shop", "orders", "PRIMARY", "c"); });
    EXPECT_EQ(error.step(), "open the index shop.orders on");
    EXPECT_THAT(error.reason(), HasSubstr(reason));
  }
}

TEST(handlersocket_client, fails_when_the_server_closes_before_it_answered) {
  const one_connection_server server({});
  const setup_error error = failure_of([&] { connect(server); });
  EXPECT_THAT(error.what(), Not(HasSubstr(secret)));
}

TEST(handlersocket_client, fails_in_time_when_the_server_stays_silent) {
  const one_connection_server server({"0\t1"});
  const setup_error error = failure_of([&] {
    handlersocket_client("handlersocket/native", server.where(), handlersocket_port::writes, 50ms);
  });
  EXPECT_EQ(error.step(), "authenticate at");
}

TEST(handlersocket_client, refuses_another_protocol) {
  for (const char* const reply :
       {"+OK\r\n", "\n", "0\n", "0\t0\n", "0\t2\ta\n", "0\t1\t\x01\n", "99999999999\t1\n"}) {
    const one_connection_server server({reply});
    const setup_error error = failure_of([&] { connect(server); });
    EXPECT_THAT(error.reason(), HasSubstr("not of the HandlerSocket protocol")) << reply;
  }
}

TEST(handlersocket_codec_open, authenticates_and_opens_the_tables_primary_key) {
  one_connection_server server({"0\t1\n", "0\t1\n"});
  {
    const connect_options options{.where = server.where()};
    wire_stream stream("handlersocket/native", options.where, options.where.port, 5s);
    handlersocket_codec(options).open(stream);
    EXPECT_TRUE(stream.received().empty());
  }
  EXPECT_EQ(server.requests(), "A\t1\thunter2\nP\t1\ths_test\ttable_test\tPRIMARY\tstr\n");
}

TEST(handlersocket_codec_open, takes_the_database_of_the_target) {
  const one_connection_server server({"0\t1\n", "1\t1\topen_table\n"});
  connect_options options{.where = server.where()};
  options.where.database = "shop";
  wire_stream stream("handlersocket/native", options.where, options.where.port, 5s);
  const setup_error error = failure_of([&] { handlersocket_codec(options).open(stream); });
  EXPECT_EQ(error.step(), "open the index shop.table_test on");
}

}  // namespace
}  // namespace dbdyno
