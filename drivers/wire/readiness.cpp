#include "drivers/wire/readiness.hpp"

#include <event2/event.h>

#include "drivers/errors.hpp"

namespace dbdyno {

wire_readiness::wire_readiness(std::string_view driver, std::uint32_t connections, bool spins)
    : driver_(driver), loop_(driver, spins), watched_(connections) {
  ready_.reserve(std::size_t{connections} * 2);
}

void wire_readiness::event_deleter::operator()(event* e) const noexcept {
  event_free(e);
}

void wire_readiness::watch(std::uint32_t index, int fd) {
  watched& w = watched_[index];
  w.owner = this;
  w.index = index;
  w.readable.reset(event_new(loop_.base(), fd, EV_READ | EV_PERSIST, on_event, &w));
  w.writable.reset(event_new(loop_.base(), fd, EV_WRITE, on_event, &w));
  if (!w.readable || !w.writable || event_add(w.readable.get(), nullptr) != 0) {
    forget(index);
    throw setup_error(driver_, "watch a socket of", "its connections", "libevent refused it");
  }
}

void wire_readiness::watch_writable_once(std::uint32_t index) noexcept {
  event_add(watched_[index].writable.get(), nullptr);
}

void wire_readiness::forget(std::uint32_t index) noexcept {
  watched_[index].readable.reset();
  watched_[index].writable.reset();
}

std::span<const ready_connection> wire_readiness::wait(time_point wait_until) noexcept {
  ready_.clear();
  loop_.run_once(wait_until);
  return ready_;
}

void wire_readiness::on_event(int, short what, void* argument) {
  const watched& w = *static_cast<const watched*>(argument);
  w.owner->ready_.push_back({w.index, (what & EV_READ) != 0, (what & EV_WRITE) != 0});
}

}  // namespace dbdyno
