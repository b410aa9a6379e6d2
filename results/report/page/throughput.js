// Throughput by storage and driver, and against what a file sweeps.

const mostBars = 40;

/** The parameters whose numbers a file may sweep, those people ask for first in front. */
const sweepable = [
  "conns",
  "depth",
  "threads",
  "clients",
  "pool",
  "requests",
  "keys",
  "value_size",
  "limit",
  "ratio",
  "reuse",
  "rate",
];
const sweepNames = {
  conns: "Connections",
  depth: "Depth: requests in flight on each connection",
  threads: "Client threads",
  value_size: "Value size, bytes",
  keys: "Keys",
  limit: "Rows a request",
  rate: "Offered rate",
};

function isWide(values) {
  const positive = values.filter((value) => value > 0);
  return Math.max(...positive) > 25 * Math.min(...positive);
}

function cellBar(cell, common, file, metric, format) {
  const figures = figure(cell, metric) ?? [];
  const [mean, low, high] = figures;
  return {
    label: cell.subject,
    sub: joined(shapeText(cell, common), file(cell)),
    segments: [{ value: mean, colour: colourOf(cell), pattern: file(cell) ? cell.file : 0 }],
    low,
    high,
    text: joined(format(mean), standingText(cell)),
    isHollow: !cell.isRanked,
  };
}

/** From the fastest down; what several files have of a benchmark stands together. */
function sortedForBars(some, value) {
  const ranked = [...some].sort(byRank(value));
  if (haveOneFile(some)) return ranked;
  const groups = [
    ...grouped(
      ranked.filter((cell) => cell.isRanked),
      (cell) => cell.name,
    ).values(),
  ];
  return [
    ...groups.flatMap((group) => group.sort((a, b) => a.file - b.file)),
    ...ranked.filter((cell) => !cell.isRanked),
  ];
}

function rankedRows(sorted, metric) {
  const ranks = new Map(
    [...sorted].sort(byRank((cell) => meanOf(cell, metric))).map((cell, i) => [cell, i + 1]),
  );
  return sorted.map((cell) => {
    const [mean, low, high] = figure(cell, metric) ?? [];
    return [
      cell.name,
      ...(severalFiles ? [fileText(cell)] : []),
      cell.isRanked && isNumber(mean) ? asWhole(ranks.get(cell)) : absent,
      isNumber(mean) ? asWhole(mean) : absent,
      isNumber(low) ? `${asWhole(Math.max(low, 0))} to ${asWhole(high)}` : absent,
      `${cell.counted} of ${cell.measured}`,
      badge(cell.level),
    ];
  });
}

const fileColumn = severalFiles ? [{ label: "File" }] : [];

function throughputPanel(title, some) {
  const sorted = sortedForBars(some, (cell) => meanOf(cell, "ops"));
  const withFigure = sorted.filter((cell) => isNumber(meanOf(cell, "ops")));
  const shared = commonParameters(some);
  const common = shared.map(([key]) => key);
  const heading = joined(title, shared.map(parameterText).join(" · "), sharedFile(some));
  const out = element(
    "figure",
    { class: "panel" },
    element("figcaption", {}, element("strong", { text: heading })),
  );
  if (withFigure.length > 0) {
    const shown = withFigure.slice(0, mostBars);
    const log = isWide(shown.map((cell) => meanOf(cell, "ops")));
    const spec = () => ({
      label: `Throughput of ${heading}`,
      x: {
        label: log && toggle.checked ? "operations per second, log scale" : "operations per second",
        log: log && toggle.checked,
        format: asCount,
      },
      bars: shown.map((cell) => cellBar(cell, common, fileWithin(some), "ops", asCount)),
    });
    const toggle = element("input", { type: "checkbox", checked: log, onchange: () => chart.update(spec()) });
    toggle.checked = log;
    const chart = new BarChart(spec());
    if (log) out.append(element("label", { class: "toggle" }, toggle, " log scale"));
    out.append(chart.element);
    if (shown.length < withFigure.length)
      out.append(note(`The ${mostBars} fastest of ${withFigure.length}; the table has all.`));
  }
  out.append(
    chartTable(
      `operations per second, ${heading}`,
      [
        { label: "Benchmark" },
        ...fileColumn,
        { label: "Rank", number: true },
        { label: "Mean", number: true },
        { label: "95 % interval", number: true },
        { label: "Repetitions counted", number: true },
        { label: "Verdict" },
      ],
      rankedRows(sorted, "ops"),
    ),
  );
  return out;
}

function throughputSection() {
  const out = section(
    "throughput",
    "Throughput",
    note(
      "Operations per second, all connections together: the mean of the repetitions that count, with its " +
        "95 % interval (Student's t). Longer is better. △ a verdict says suspect; dashed outline: invalid, " +
        "shown last and never ranked.",
      "lead",
    ),
  );
  const closed = cells.filter((cell) => !rateOf(cell));
  if (closed.length < cells.length) {
    out.append(
      note(
        "Cells with a rate of their own are left out here: an open loop completes what is due, not what " +
          "is possible.",
      ),
    );
  }
  if (closed.length === 0) return out;
  if (severalFiles) {
    const tone = () => theme().muted;
    const used = new Set(closed.map(({ file }) => file));
    out.append(
      boxLegend(files.map((file, i) => [file.label, tone, i]).filter((_, i) => used.has(i))),
      note(
        "Where a chart has cells of several files, each file has its fill; otherwise the heading names " +
          "the file.",
      ),
    );
  }
  const panels = [...grouped(closed, (cell) => `${cell.workload}\n${cell.mode}`)];
  const known = panels.filter(([, some]) => some[0].storage);
  known.sort(([, [a]], [, [b]]) => natural(a.workload, b.workload) || modeRank(a.mode) - modeRank(b.mode));
  const grid = element("div", { class: "grid" });
  for (const [, some] of known) grid.append(throughputPanel(`${some[0].workload}, ${some[0].mode}`, some));
  const foreign = panels.filter(([, some]) => !some[0].storage).flatMap(([, some]) => some);
  if (foreign.length > 0) grid.append(throughputPanel("Other benchmarks", foreign));
  if (grid.children.length === 1) grid.className = "";
  out.append(grid);
  return out;
}

const sweepNumber = (cell, key) => parseFloat(cell.parameters.get(key));
const isShare = (cell, key) => cell.parameters.get(key).endsWith("%");

/** [{key, lines}]: groups in which nothing but the driver and one number, or one share, differ. */
function sweeps() {
  const out = [];
  for (const key of sweepable) {
    const able = cells.filter((cell) => isNumber(sweepNumber(cell, key)));
    const groupOf = (cell) => [cell.workload, cell.mode, isShare(cell, key)].join("\n");
    for (const group of grouped(able, groupOf).values()) {
      const lines = [
        ...grouped(group, (cell) => joined(String(cell.file), cell.subject, keyOf(cell, [key]))).values(),
      ].filter((line) => new Set(line.map((cell) => sweepNumber(cell, key))).size > 1);
      if (lines.length > 0) out.push({ key, lines });
    }
  }
  return out;
}

function sweepLine(line, xs, key, common, file, values, noteOn) {
  const at = (x) => line.find((cell) => sweepNumber(cell, key) === x);
  const points = xs.map((x) => (at(x) ? values(at(x)) : []));
  return {
    cell: line[0],
    name: nameIn(line[0], [key, ...common], file(line[0])),
    note: noteOn(line),
    hollow: xs.map((x) => at(x) && !at(x).isRanked),
    ys: points.map(([value]) => value),
    low: points.map(([, low]) => low),
    high: points.map(([, , high]) => high),
    spread: "whiskers",
  };
}

function sweepFigure({ key, lines }) {
  const all = lines.flat();
  const xs = [...new Set(all.map((cell) => sweepNumber(cell, key)))].sort((a, b) => a - b);
  const shared = commonParameters(all);
  const common = shared.map(([name]) => name);
  const isPercent = isShare(all[0], key);
  const unit =
    key !== "rate" ? "" : isPercent ? ", % of the driver's own closed loop" : ", operations per second";
  const format = (value) => (isPercent ? `${digits(value)}${nbsp}%` : asWhole(value));
  const log = !isPercent && xs[xs.length - 1] / xs[0] >= 8;
  const x = {
    label: (sweepNames[key] ?? key.replaceAll("_", " ")) + unit,
    log,
    format,
    ticks: xs.length <= 12 ? xs : undefined,
    read: (value) => joined(`${key.replaceAll("_", " ")} ${format(value)}`),
  };
  const title = joined(
    `${all[0].workload}, ${all[0].mode}`,
    shared.map(parameterText).join(" · "),
    sharedFile(all),
  );
  const chart = (label, values, y, noteOn = () => "") =>
    new LineChart({
      label: `${label} against ${key}, ${title}`,
      height: 280,
      xs,
      x,
      y: { label, ...y },
      lines: styleLines(
        lines.map((line) => sweepLine(line, xs, key, common, fileWithin(all), values, noteOn)),
      ),
    });
  const throughput = chart("operations per second (higher is better)", (cell) => figure(cell, "ops") ?? [], {
    log: false,
    format: asCount,
  });
  const tails = all.map((cell) => cell.latency?.p99).filter(isNumber);
  const latency =
    tails.length > 0
      ? chart(
          "p99 latency (lower is better)",
          (cell) => [cell.latency?.p99, ...(cell.latency?.p99_range ?? [])],
          { log: isWide(tails), format: asTime },
          (line) => (line.some((cell) => isMedian(cell.latency, "p99")) ? "~ median of the repetitions" : ""),
        )
      : null;
  const rows = all.map((cell) => [
    cell.name,
    ...(severalFiles ? [fileText(cell)] : []),
    cell.parameters.get(key),
    withInterval(figure(cell, "ops"), asCount),
    latencyText(cell.latency, "p99"),
    cell.latency?.p99_range ? cell.latency.p99_range.map(asTime).join(" to ") : absent,
    badge(cell.level),
  ]);
  return element(
    "figure",
    { class: "panel wide" },
    element("figcaption", {}, element("strong", { text: title })),
    element("div", { class: "pair" }, throughput.element, latency?.element),
    chartTable(
      `throughput and p99 against ${key}, ${title}`,
      [
        { label: "Benchmark" },
        ...fileColumn,
        { label: key, number: true },
        { label: "Operations per second", number: true },
        { label: "p99", number: true },
        { label: "p99 of the repetitions", number: true },
        { label: "Verdict" },
      ],
      rows,
    ),
  );
}

function loadSection() {
  const all = sweeps();
  const out = section(
    "load",
    "Under load",
    note(
      "Throughput with its 95 % interval, and the 99th percentile of the latency over all repetitions (or, " +
        "marked ~, the median of theirs where a file has no histograms), with the repetitions' lowest and " +
        "highest. In an open loop (a rate of its own) latency counts from when a request was due. Hollow " +
        "markers: invalid.",
      "lead",
    ),
  );
  if (all.length === 0) {
    out.append(
      note(
        "No file sweeps connections, depth, a rate or another number: measure with, say, --connections " +
          "1,8,64.",
      ),
    );
  }
  out.append(...all.map(sweepFigure));
  return out;
}
