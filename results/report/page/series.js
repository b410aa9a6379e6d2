// How throughput went within the windows.

function seriesMean(cell) {
  const all = cell.series.flatMap(({ slices }) => slices);
  return all.reduce((sum, value) => sum + value, 0) / all.length;
}

/** The tenths of a window that slices stand for: the first and the last are left out. */
const sliceTimes = (count, window) => Array.from({ length: count }, (_, i) => ((i + 1.5) * window) / 10);

/**
 * The length in seconds of these cells' windows, unless they differ. Windows of one planned length end a
 * little apart; within a tenth no point stands further off than its neighbour.
 */
function sharedWindow(some) {
  const lengths = some.flatMap(({ series }) => series.map(({ window_s: length }) => length));
  const longest = Math.max(...lengths);
  return longest <= 1.1 * Math.min(...lengths) ? longest : undefined;
}

const ordinal = (tenth) => `${tenth}${tenth === 2 ? "nd" : tenth === 3 ? "rd" : "th"}`;

/** Each tenth stands at its middle, in seconds where there is one window for all. */
function seriesAxis(window) {
  if (window) return { label: "seconds into the window", format: digits, read: (at) => `${digits(at)} s` };
  return {
    label: "tenths of the window",
    format: digits,
    read: (at) => `the ${ordinal(Math.ceil(at))} tenth of the window`,
  };
}

function seriesLines(stop, withEach) {
  const some = rankedFirst(stop.cells.filter(({ series }) => series));
  const file = fileWithin(some);
  const means = [];
  const faint = [];
  for (const cell of some) {
    const whole = seriesMean(cell);
    const runs = cell.series.map(({ slices }) => slices.map((value) => (100 * value) / whole));
    const count = Math.min(...runs.map(({ length }) => length));
    const key = joined(cell.subject, shapeText(cell), fileText(cell));
    const ys = Array.from(
      { length: count },
      (_, i) => runs.reduce((sum, run) => sum + run[i], 0) / runs.length,
    );
    means.push({
      cell,
      key,
      name: joined(cell.subject, file(cell)),
      note: joined(
        `100${nbsp}% = ${asCount(whole)}/s`,
        stopNote(cell, stop),
        cell.series.length < cell.counted ? `drawn: ${cell.series.length} of ${cell.counted}` : "",
      ),
      ys,
      hollow: hollowIfUnranked(cell, ys),
    });
    if (withEach && runs.length > 1)
      faint.push(...runs.map((run) => ({ cell, key, name: key, ys: run, faint: true, unlisted: true })));
  }
  styleLines(means);
  for (const line of faint) line.style = { colour: colourOf(line.cell), dash: [] };
  return [...faint, ...means];
}

function seriesTable(walk, stop) {
  const some = stop.cells.filter(({ series }) => series);
  const count = Math.max(...some.flatMap(({ series }) => series.map(({ slices }) => slices.length)));
  const rows = some.flatMap((cell) =>
    cell.series.map((run) => [
      cell.name,
      ...(severalFiles ? [fileText(cell)] : []),
      asWhole(run.rep),
      ...Array.from({ length: count }, (_, i) => asCount(run.slices[i])),
      badge(cell.level),
    ]),
  );
  return table(
    `Operations per second in each tenth of the window, ${walk.what.toLowerCase()} ${stop.label}`,
    [
      { label: "Benchmark" },
      ...fileColumn,
      { label: "Repetition", number: true },
      ...Array.from({ length: count }, (_, i) => ({ label: ordinal(i + 2), number: true })),
      { label: "Verdict of the cell" },
    ],
    rows,
  );
}

function seriesSection() {
  const out = section(
    "series",
    "Over time",
    note(
      "Throughput within the measured window, against the cell's mean: the mean of its repetitions at " +
        "each moment, or of its first ones where a line says how many are drawn. Level is good; a slope is " +
        "drift.",
      "lead",
    ),
  );
  const walks = walksOver(cells.filter(({ series }) => series));
  if (walks.length === 0) {
    out.append(
      note(
        isLeftOut("the time series")
          ? "Left out, so that the page stays small."
          : "No file has time series: rows of a given number of requests have none.",
      ),
    );
    return out;
  }
  const tableHost = element("div");
  const each = element("input", { type: "checkbox" });
  let [chart, current, isChosen] = [null, null, false];
  each.addEventListener("change", () => {
    isChosen = true;
    show(...current);
  });

  function show(walk, stop) {
    const wasOpen = tableHost.querySelector("details")?.open;
    if (!isChosen) each.checked = stop.cells.length <= 3;
    current = [walk, stop];
    const lines = seriesLines(stop, each.checked);
    const window = sharedWindow(stop.cells);
    const most = Math.max(...lines.map(({ ys }) => ys.length));
    const spec = {
      label: `Throughput over time, ${walk.label}, ${stop.label}`,
      height: 300,
      xs: sliceTimes(most, window || 10),
      x: seriesAxis(window),
      y: { label: "% of the cell's mean throughput", format: (value) => `${digits(value)}${nbsp}%` },
      lines,
    };
    if (chart) chart.update(spec);
    else chart = new LineChart(spec);
    tableHost.replaceChildren(fold("Table: operations per second over time", seriesTable(walk, stop)));
    tableHost.querySelector("details").open = Boolean(wasOpen);
  }

  const { controls, start } = walkControls(walks, show);
  start();
  out.append(
    element(
      "figure",
      { class: "panel wide" },
      controls,
      element("label", { class: "toggle" }, each, " each repetition (faint)"),
      chart.element,
      tableHost,
    ),
  );
  return out;
}
