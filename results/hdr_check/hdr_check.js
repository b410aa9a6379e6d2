// What hdr-histogram-js reads: figures or a log, printed as HdrCheck.java does. See hdr_check_test.cpp.
//   node hdr_check.js figures|log FILE, in the directory where the package is installed
"use strict";
const fs = require("fs");
const hdr = require("hdr-histogram-js");

const percents = [0, 50, 90, 99, 99.9, 99.99, 100];
const bitsOfACount = 64;

function figures(histogram) {
  const fields = ["count", histogram.totalCount, "max", histogram.maxValue];
  for (const percent of percents) fields.push("p", histogram.getValueAtPercentile(percent));
  for (let value = 0, seen = 0; seen < histogram.totalCount; value = histogram.nextNonEquivalentValue(value)) {
    const count = histogram.getCountAtIndex(histogram.countsArrayIndex(value));
    if (count === 0) continue;
    seen += count;
    fields.push(`${histogram.highestEquivalentValue(value)}:${count}`);
  }
  return fields.join(" ");
}

const [what, file] = process.argv.slice(2);
const text = fs.readFileSync(file, "utf8");
if (what === "figures") {
  for (const line of text.trimEnd().split("\n")) {
    console.log(figures(hdr.decodeFromCompressedBase64(line, bitsOfACount, false)));
  }
} else if (what === "log") {
  const reader = new hdr.HistogramLogReader(text, bitsOfACount, false);
  for (let histogram; (histogram = reader.nextIntervalHistogram()) != null; ) {
    console.log(histogram.tag, histogram.startTimeStampMsec, histogram.endTimeStampMsec, figures(histogram));
  }
} else {
  throw new Error(`unknown task ${what}`);
}
