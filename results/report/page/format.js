"use strict";

// Numbers as people read them. Times come in nanoseconds, rates in operations per second.

const nbsp = "\u00a0";
const absent = "–";

const isNumber = (value) => typeof value === "number" && Number.isFinite(value);

/** Three significant digits, without an exponent. */
function digits(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  if (size >= 0.9995) return value.toFixed(2);
  return value.toPrecision(2);
}

/** Without zeros that say nothing: for axes. */
const short = (text) => text.replace(/(\.\d*?)0+(?=\D|$)/, "$1").replace(/\.(?=\D|$)/, "");

function scaled(value, units) {
  if (!isNumber(value)) return absent;
  const size = Math.abs(value);
  const [scale, unit] = units.find(([least]) => size >= least * 0.9995) ?? units[units.length - 1];
  return unit === "" ? digits(value / scale) : digits(value / scale) + nbsp + unit;
}

const asCount = (value) =>
  scaled(value, [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
    [1, ""],
  ]);
const asTime = (ns) =>
  scaled(ns, [
    [1e9, "s"],
    [1e6, "ms"],
    [1e3, "µs"],
    [1, "ns"],
  ]);
const asBytes = (bytes) => (isNumber(bytes) ? `${asCount(bytes)}${nbsp}B` : absent);
const asWhole = (value) => (isNumber(value) ? Math.round(value).toLocaleString("en") : absent);
const asShare = (share) => (isNumber(share) ? `${digits(share * 100)}${nbsp}%` : absent);

/** [mean, low, high] as the mean and half the interval's length. */
function withInterval(figure, format) {
  if (!figure) return absent;
  const [mean, low, high] = figure;
  return isNumber(low) ? `${format(mean)} ± ${format((high - low) / 2)}` : format(mean);
}

const plural = (count, one, many = `${one}s`) => `${asWhole(count)} ${count === 1 ? one : many}`;
const listed = (texts, last = "and") =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} ${last} ${texts[texts.length - 1]}`;
