#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "results/imports/imported_run.hpp"

/// What reading the texts of other programs takes. For the readers of this folder only.
namespace dbdyno::results {

/// One line of a text, without its end.
struct text_line {
  std::string_view text;
  std::size_t number = 1;  ///< from 1
};

/// The lines, empty ones included; line feeds with or without a carriage return end them.
std::vector<text_line> lines_of(std::string_view text);

/// The lines of each run of a program in a text of several, from the line that `begins` one to the next such
/// line. What stands before the first is left out.
std::vector<std::vector<text_line>> runs_of(std::string_view text, bool (*begins)(std::string_view line));

std::string_view trimmed(std::string_view text);

/// The words between spaces.
std::vector<std::string_view> words_of(std::string_view text);

/// The text behind `prefix`, if it begins so.
std::optional<std::string_view> after(std::string_view text, std::string_view prefix);

/// The fields of a line of CSV (RFC 4180, without line ends in fields).
std::vector<std::string> csv_fields(std::string_view line);

/// The number that all of the text is, written with a point whatever the locale; none if it is no number or
/// not finite.
std::optional<double> number_in(std::string_view text);
std::optional<std::uint64_t> count_in(std::string_view text);

/// The number a text begins with.
std::optional<double> leading_number(std::string_view text);

/// The number as a count: 0 if it is negative or none, 10^18 if it is more.
std::uint64_t as_count(std::optional<double> number);

/// A number with ns, us, ms, s, m or h behind it. Units: nanoseconds.
std::optional<double> duration_in(std::string_view text);

/// A part of a benchmark's name: what is neither letter, digit nor one of _ , % becomes -, so that it means
/// nothing in a regular expression and does not end the part. Several of these are one, and none is at an
/// end. "unnamed" if nothing remains.
std::string name_part(std::string_view text);

/// The path of a URL as a part of a benchmark's name; "root" if it has none. Host and query are left out.
std::string path_part(std::string_view url);

/// Sets a counter if the figure is there.
void set_counter(row& r, const std::string& counter, std::optional<double> value);

/// Sets a latency. Units: nanoseconds. Programs show 0 for what is shorter than their last digit; that is
/// none. Returns whether this was so.
bool set_latency(row& r, const std::string& counter, std::optional<double> ns);

/// Sets the rate and the time an operation took by it. Units: operations per second.
void set_rate(row& r, double rate);

/// Sets iterations and rate of a program that counts failed requests among the completed: only the others
/// count here. Where none is left, the row has an error instead of a rate. Adds a remark if any failed;
/// `what` names the failures in it.
void set_rate_of_good(row& r, double rate, std::uint64_t completed, std::uint64_t failed,
                      std::string_view what, std::vector<std::string>& remarks);

/// Rows of one name become its repetitions, in order, and stand together.
void number_repetitions(std::vector<row>& rows);

/// The run as every reader here returns it: remarks in it as well, texts clean.
imported_run finished(run_file run, std::string_view format, std::vector<std::string> remarks);

/// The count with its noun: "1 row", "2 rows".
std::string counted(std::size_t count, std::string_view noun);

}  // namespace dbdyno::results
