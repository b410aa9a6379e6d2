#include "results/report/report_page.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <map>
#include <stdexcept>

#include "results/base64.hpp"
#include "results/clean_text.hpp"
#include "results/report/page_parts.hpp"
#include "results/report/sha256.hpp"

namespace dbdyno::results {
namespace {

/// As Content-Security-Policy names a script or style.
/// Source: W3C Content Security Policy Level 3, section 2.3.1.
std::string hash_source(std::string_view text) {
  const auto digest = sha256(text);
  const std::string_view bytes(reinterpret_cast<const char*>(digest.data()), digest.size());
  return "'sha256-" + encode_base64(bytes) + "'";
}

/// Text for HTML's elements and quoted attributes.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

/// JSON for a script element, in which neither an end tag nor a comment may begin. It is the same JSON: such
/// characters stand only within strings.
std::string embedded(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

/// The template with every {{name}} replaced, once: what is put in is not looked at again.
std::string filled(std::string_view form, const std::map<std::string_view, std::string_view>& values) {
  std::string out;
  while (true) {
    const std::size_t begin = form.find("{{");
    out += form.substr(0, begin);
    if (begin == std::string_view::npos) return out;
    const std::size_t end = form.find("}}", begin);
    const auto name = form.substr(begin + 2, end - begin - 2);
    const auto found = values.find(name);
    if (found == values.end()) throw std::logic_error("template.html has an unknown " + std::string(name));
    out += found->second;
    form.remove_prefix(end + 2);
  }
}

}  // namespace

std::string report_page(std::string_view title, std::string_view data) {
  const std::string policy = fmt::format(
      "default-src 'none'; script-src {} {}; style-src {} {}; base-uri 'none'; form-action 'none'",
      hash_source(page::uplot_script), hash_source(page::script), hash_source(page::uplot_style),
      hash_source(page::style));
  const std::string safe_title = escaped(clean_text(title));
  const std::string safe_data = embedded(data);
  return filled(page::form, {{"policy", policy},
                             {"title", safe_title},
                             {"data", safe_data},
                             {"uplot_style", page::uplot_style},
                             {"style", page::style},
                             {"uplot_licence", page::uplot_licence},
                             {"uplot_script", page::uplot_script},
                             {"script", page::script}});
}

}  // namespace dbdyno::results
