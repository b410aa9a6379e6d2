#pragma once

#include "bench/get.hpp"

namespace dbdyno {

/// A get over a connection that is opened for it and closed after it, or after a few.
class connect_workload : public get_workload {
 public:
  static constexpr std::string_view name = "connect";
  using get_workload::get_workload;
};

}  // namespace dbdyno
