#pragma once

#include <memory>
#include <string_view>

#include "drivers/driver.hpp"

namespace dbdyno {

/// The one thunk through which a C library's callback reaches the harness's inlined on_done.
///
/// Lifetime: views a callable that must outlive it; made on the stack of poll() and dropped when poll
/// returns.
class on_done_ref {
 public:
  template <class OnDone>
  explicit on_done_ref(OnDone& on_done) noexcept
      : context_(const_cast<void*>(static_cast<const void*>(std::addressof(on_done)))),
        call_([](void* context, slot s, op_status status, std::string_view value) {
          (*static_cast<OnDone*>(context))(s, status, value);
        }) {}

  void operator()(slot s, op_status status, std::string_view value) const {
    call_(context_, s, status, value);
  }

 private:
  void* context_;
  void (*call_)(void*, slot, op_status, std::string_view);
};

}  // namespace dbdyno
