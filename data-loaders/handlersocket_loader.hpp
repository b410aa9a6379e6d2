#pragma once

#include <chrono>
#include <memory>

#include "data-loaders/loader.hpp"

namespace dbdyno {

/// Reads marker and rows of a database that the mysql loader filled, through HandlerSocket.
///
/// Holds no connection between calls: the server would close an idle one, and its open indexes block ALTER
/// and DROP.
std::unique_ptr<loader> make_handlersocket_loader(const target& where,
                                                  std::chrono::milliseconds connect_timeout);

}  // namespace dbdyno
