#include "drivers/handlersocket/client.hpp"

#include <algorithm>
#include <iterator>
#include <string>

namespace dbdyno {

handlersocket_client::handlersocket_client(std::string_view driver, const target& where,
                                           handlersocket_port port, std::chrono::milliseconds timeout)
    : timeout_(timeout),
      stream_(driver, where, port == handlersocket_port::writes ? where.write_port : where.port, timeout) {
  handlersocket::authenticate(stream_, where.password);
}

void handlersocket_client::open_index(std::uint8_t id, std::string_view database, std::string_view table,
                                      std::string_view index, std::string_view columns) {
  stream_.extend(timeout_);
  handlersocket::open_index(stream_, id, database, table, index, columns);
}

std::vector<handlersocket::row> handlersocket_client::find(std::uint8_t id, std::string_view key,
                                                           std::size_t limit, std::string_view comparison) {
  stream_.extend(timeout_);
  const auto request =
      handlersocket::make_request({std::to_string(id), comparison, "1", key, std::to_string(limit), "0"});
  handlersocket::reply answer = handlersocket::exchange(stream_, "find rows at", request);
  std::vector<handlersocket::row> rows;
  rows.reserve(answer.tokens.size() / answer.columns);
  const auto columns = static_cast<std::ptrdiff_t>(answer.columns);
  for (auto first = answer.tokens.begin(); first != answer.tokens.end(); first += columns) {
    rows.emplace_back(std::make_move_iterator(first), std::make_move_iterator(first + columns));
  }
  return rows;
}

}  // namespace dbdyno
