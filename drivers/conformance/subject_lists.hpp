#pragma once

#include <gtest/gtest.h>

#include <string_view>

#include "drivers/conformance/subject.hpp"

/// Which subjects the families of this build make up. "null" stores nothing and is tested by itself; "echo"
/// stores nothing and takes every part in the suite but those that look for a value, a miss or a refusal.
namespace dbdyno::conformance {

template <class... Families>
struct family_list {};

namespace detail {

template <class... Subjects>
struct subject_list {
  using types = ::testing::Types<Subjects...>;
};

template <class... Lists>
struct concatenation;
template <class One>
struct concatenation<One> {
  using type = One;
};
template <class... A, class... B, class... Rest>
struct concatenation<subject_list<A...>, subject_list<B...>, Rest...> {
  using type = typename concatenation<subject_list<A..., B...>, Rest...>::type;
};

constexpr bool has_sockets(std::string_view storage) {
  return storage != "null" && storage != "memory" && storage != "lmdb";
}
constexpr bool has_unix_sockets(std::string_view storage) {
  return storage == "redis" || storage == "mysql" || storage == "echo";
}
constexpr bool stores_values(std::string_view storage) {
  return storage != "null" && storage != "echo";
}

/// One subject for every transport of the storage.
template <class Family, class Driver, mode Mode>
auto transports() {
  if constexpr (!has_sockets(Family::storage)) {
    return subject_list<subject<Family, Driver, Mode, transport::in_process>>{};
  } else if constexpr (!has_unix_sockets(Family::storage)) {
    return subject_list<subject<Family, Driver, Mode, transport::tcp>>{};
  } else {
    return subject_list<subject<Family, Driver, Mode, transport::tcp>,
                        subject<Family, Driver, Mode, transport::unix_socket>>{};
  }
}

template <class Family>
auto sync_of() {
  if constexpr (has_sync<Family>) {
    return transports<Family, typename Family::sync, mode::sync>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto pipeline_of() {
  if constexpr (has_pipeline<Family>) {
    return transports<Family, typename Family::pipeline, mode::pipeline>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto async_of() {
  if constexpr (has_async<Family>) {
    return transports<Family, typename Family::async, mode::async>();
  } else {
    return subject_list<>{};
  }
}

template <class Family>
auto every_mode_of() {
  return typename concatenation<decltype(sync_of<Family>()), decltype(pipeline_of<Family>()),
                                decltype(async_of<Family>())>::type{};
}
template <class Family>
auto storing_of() {
  if constexpr (stores_values(Family::storage)) {
    return every_mode_of<Family>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto networked_of() {
  if constexpr (has_sockets(Family::storage)) {
    return every_mode_of<Family>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto networked_storing_of() {
  if constexpr (stores_values(Family::storage)) {
    return networked_of<Family>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto in_flight_of() {
  if constexpr (has_sockets(Family::storage)) {
    return typename concatenation<decltype(pipeline_of<Family>()), decltype(async_of<Family>())>::type{};
  } else {
    return subject_list<>{};
  }
}

template <class Family>
auto networked_async_of() {
  if constexpr (has_sockets(Family::storage)) {
    return async_of<Family>();
  } else {
    return subject_list<>{};
  }
}
template <class Family>
auto networked_storing_async_of() {
  if constexpr (stores_values(Family::storage)) {
    return networked_async_of<Family>();
  } else {
    return subject_list<>{};
  }
}

template <class List>
struct lists;
template <class... Families>
struct lists<family_list<Families...>> {
  using storing = typename concatenation<subject_list<>, decltype(storing_of<Families>())...>::type;
  using networked = typename concatenation<subject_list<>, decltype(networked_of<Families>())...>::type;
  using networked_storing =
      typename concatenation<subject_list<>, decltype(networked_storing_of<Families>())...>::type;
  using in_flight = typename concatenation<subject_list<>, decltype(in_flight_of<Families>())...>::type;
  using async = typename concatenation<subject_list<>, decltype(networked_async_of<Families>())...>::type;
  using storing_async =
      typename concatenation<subject_list<>, decltype(networked_storing_async_of<Families>())...>::type;
};

}  // namespace detail

template <class Families>
using storing_subjects_of = typename detail::lists<Families>::storing::types;
template <class Families>
using networked_subjects_of = typename detail::lists<Families>::networked::types;
template <class Families>
using networked_storing_subjects_of = typename detail::lists<Families>::networked_storing::types;
template <class Families>
using in_flight_subjects_of = typename detail::lists<Families>::in_flight::types;
template <class Families>
using async_subjects_of = typename detail::lists<Families>::async::types;
template <class Families>
using storing_async_subjects_of = typename detail::lists<Families>::storing_async::types;

}  // namespace dbdyno::conformance
