#pragma once

#include <memory>

#include "data-loaders/loader.hpp"

namespace dbdyno {

/// Keys "dbdyno:<id>" of the environment in the target's directory, and the marker under "dbdyno:marker".
///
/// load() makes the directory where it is missing; everything else wants one.
std::unique_ptr<loader> make_lmdb_loader(const target& where);

}  // namespace dbdyno
