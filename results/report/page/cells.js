// What the page draws: the files and their cells, and what several cells have in common.

const data = JSON.parse(document.getElementById("data").textContent);
const { files, cells } = data;
const severalFiles = files.length > 1;

const isLeftOut = (what) => data.left_out.includes(what);

const isControl = (storage) => ["null", "echo", "memory"].includes(storage);

for (const cell of cells) {
  cell.subject = cell.storage ? `${cell.storage}/${cell.driver}` : cell.name;
  cell.parameters = new Map(cell.params);
  cell.isRanked = cell.level !== "invalid" && cell.level !== "failed";
}

const figure = (cell, name) => cell.figures?.[name];
const meanOf = (cell, name) => figure(cell, name)?.[0];
const rateOf = (cell) => cell.parameters.get("rate");

/** Without histograms percentiles are medians of the repetitions' own, and marked ~. */
const isMedian = (times, key) => isNumber(times?.[key]) && !times.merged;
const latencyText = (times, key) => (isMedian(times, key) ? "~" : "") + asTime(times?.[key]);

/** Each driver keeps its colour and marker over the whole page. */
const subjects = [...new Set(cells.map(({ subject }) => subject))];
const subjectColours = new Map();
const subjectMarkers = new Map(subjects.map((subject, i) => [subject, i % markers.length]));
let [plainSubjects, controlSubjects] = [0, 0];
for (const subject of subjects) {
  const control = isControl(subject.split("/")[0]);
  const index = control ? controlSubjects++ : plainSubjects++;
  subjectColours.set(subject, () => {
    const list = control ? theme().controls : theme().colours;
    return list[index % list.length];
  });
}
const colourOf = (cell) => subjectColours.get(cell.subject);

const spaced = (value) => value.replace(/%$/, `${nbsp}%`);

function parameterText([key, value]) {
  if (key === "transport") return value;
  return `${key.replaceAll("_", " ")}${nbsp}${spaced(value)}`;
}

/** Parameters in words, without those of these keys. */
const shapeText = (cell, without = []) =>
  cell.params
    .filter(([key]) => !without.includes(key))
    .map(parameterText)
    .join(" · ");

/** The parameters, as [key, value], that all these cells have in common. */
function commonParameters(some) {
  const [first, ...others] = some;
  return first.params.filter(([key, value]) => others.every((other) => other.parameters.get(key) === value));
}

const keyOf = (cell, without = []) =>
  [cell.workload, cell.mode, ...cell.params.filter(([key]) => !without.includes(key)).flat()].join("/");

function grouped(items, key) {
  const groups = new Map();
  for (const item of items) {
    const at = key(item);
    if (!groups.has(at)) groups.set(at, []);
    groups.get(at).push(item);
  }
  return groups;
}

const natural = new Intl.Collator("en", { numeric: true }).compare;
const modes = ["sync", "pipeline", "async"];
const modeRank = (mode) => (modes.includes(mode) ? modes.indexOf(mode) : modes.length);

const fileText = (cell) => (severalFiles ? files[cell.file].label : "");
const haveOneFile = (some) => some.every(({ file }) => file === some[0].file);
/** The file that all these cells come from, for a chart's heading; the labels then need not name it. */
const sharedFile = (some) => (haveOneFile(some) ? fileText(some[0]) : "");
const fileWithin = (some) => (haveOneFile(some) ? () => "" : fileText);
const joined = (...texts) => texts.filter((text) => text).join(" · ");

function standingText(cell) {
  const { level, measured, counted } = cell;
  if (level === "failed") return "failed";
  const out = level === "suspect" ? "△" : level === "invalid" ? "✕ invalid" : "";
  return level !== "invalid" && counted < measured ? joined(out, `${counted} of ${measured}`) : out;
}

/** How many lines of the same marker came before in a chart decides a line's dashes; files keep theirs. */
function styleLines(lines) {
  const seen = new Map();
  const byFile = !haveOneFile(lines.map(({ cell }) => cell));
  for (const line of lines) {
    const { cell } = line;
    const marker = subjectMarkers.get(cell.subject);
    const at = seen.get(marker) ?? 0;
    seen.set(marker, at + 1);
    line.style = {
      colour: colourOf(cell),
      marker,
      dash: dashes[(byFile ? cell.file : at) % dashes.length],
    };
  }
  return lines;
}

/** "redis/wire", with what tells it from other cells of the chart. */
const nameIn = (cell, without, file) => joined(cell.subject, shapeText(cell, without), file);

const byRank =
  (value, ascending = false) =>
  (a, b) => {
    if (a.isRanked !== b.isRanked) return a.isRanked ? -1 : 1;
    const [left, right] = [value(a), value(b)];
    if (!isNumber(left) || !isNumber(right)) return isNumber(right) - isNumber(left);
    return ascending ? left - right : right - left;
  };

const rankedFirst = (some) => [...some].sort(byRank(() => 0));
const hollowIfUnranked = (cell, ys) => ys.map(() => !cell.isRanked);
