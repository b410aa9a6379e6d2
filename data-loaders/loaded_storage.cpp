#include "data-loaders/loaded_storage.hpp"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>

#include "drivers/key.hpp"
#include "drivers/lmdb/environment.hpp"
#include "drivers/mysql/session.hpp"
#include "drivers/redis/client.hpp"
#include "fixtures/lmdb_directory.hpp"
#include "fixtures/mariadb_server.hpp"
#include "fixtures/redis_server.hpp"

namespace dbdyno {
namespace {

constexpr std::chrono::seconds timeout{10};
constexpr std::string_view none = "(none)";
constexpr std::string_view marker_key = "dbdyno:marker";

std::string name_of(std::uint32_t id) {
  return std::string(key(id, 0).text());
}

class loaded_redis : public loaded_storage {
 public:
  target where() const override { return server_.unix_socket(); }
  std::string get(std::uint32_t id) override { return read(name_of(id)); }
  void put(std::uint32_t id, std::string_view value) override { run({"SET", name_of(id), value}); }
  void remove(std::uint32_t id) override { run({"DEL", name_of(id)}); }
  std::string marker() override { return read(marker_key); }
  void put_marker(std::string_view text) override { run({"SET", marker_key, text}); }

 private:
  resp_reply run(std::initializer_list<std::string_view> words) const {
    resp_reply reply = redis_client("test", where(), timeout).command(words);
    if (reply.kind == resp_reply::type::error) throw std::runtime_error(reply.text);
    return reply;
  }
  std::string read(std::string_view name) const {
    const resp_reply reply = run({"GET", name});
    return reply.kind == resp_reply::type::nil ? std::string(none) : reply.text;
  }

  redis_server server_;
};

class loaded_mysql : public loaded_storage {
 public:
  target where() const override { return server_.mysql_unix(); }
  std::string get(std::uint32_t id) override {
    return read(fmt::format("SELECT str FROM hs_test.table_test WHERE id={}", id));
  }
  void put(std::uint32_t id, std::string_view value) override {
    run(fmt::format("REPLACE INTO hs_test.table_test (id, str) VALUES ({}, '{}')", id, value));
  }
  void remove(std::uint32_t id) override {
    run(fmt::format("DELETE FROM hs_test.table_test WHERE id={}", id));
  }
  std::string marker() override { return read("SELECT text FROM hs_test.dbdyno_marker WHERE id=1"); }
  void put_marker(std::string_view text) override {
    run("CREATE TABLE IF NOT EXISTS hs_test.dbdyno_marker (id INT PRIMARY KEY, text VARCHAR(255))");
    run(fmt::format("REPLACE INTO hs_test.dbdyno_marker VALUES (1, '{}')", text));
  }

 private:
  void run(std::string_view sql) const { mysql_session("test", where(), timeout).execute(sql); }
  std::string read(std::string_view sql) const {
    std::string text(none);
    mysql_session("test", where(), timeout).query(sql, [&](mysql_session::row row) {
      text = row[0].value_or("NULL");
    });
    return text;
  }

  mariadb_server server_;
};

class loaded_lmdb : public loaded_storage {
 public:
  target where() const override { return directory_.where(); }
  std::string get(std::uint32_t id) override { return read(name_of(id)); }
  void put(std::uint32_t id, std::string_view value) override { write(name_of(id), value); }
  void remove(std::uint32_t id) override {
    lmdb_environment environment = open();
    lmdb_bulk_writer writer(environment);
    writer.remove(name_of(id));
    writer.commit();
  }
  std::string marker() override { return read(marker_key); }
  void put_marker(std::string_view text) override { write(marker_key, text); }

 private:
  lmdb_environment open() const { return {where().path, lmdb_environment::missing_directory::create}; }
  std::string read(std::string_view name) const { return open().get(name).value_or(std::string(none)); }
  void write(std::string_view name, std::string_view value) const {
    lmdb_environment environment = open();
    lmdb_bulk_writer writer(environment);
    writer.put(name, value);
    writer.commit();
  }

  lmdb_directory directory_;
};

}  // namespace

std::unique_ptr<loaded_storage> make_loaded_storage(std::string_view storage) {
  if (storage == "redis") return std::make_unique<loaded_redis>();
  if (storage == "mysql") return std::make_unique<loaded_mysql>();
  return std::make_unique<loaded_lmdb>();
}

}  // namespace dbdyno
