// Latency against percentile, with a slider over the measured rates or shapes.

const perDecade = data.points_per_decade;
const curveXs = Array.from({ length: 5 * perDecade + 1 }, (_, i) => 10 ** (i / perDecade));
const percentileOf = (x) => 100 * (1 - 1 / x);

function percentileText(x) {
  if (x < 1.0001) return `0${nbsp}%`;
  const missing = 100 / x;
  const decimals = missing >= 10 ? 0 : Math.ceil(-Math.log10(missing) + 1e-9) + 1;
  return `${short(percentileOf(x).toFixed(Math.max(1, decimals)))}${nbsp}%`;
}

const percentileAxis = {
  label: "percentile",
  log: true,
  ticks: [1, 2, 10, 100, 1e3, 1e4, 1e5],
  range: [1, 1e5],
  format: percentileText,
  read: percentileText,
  narrowFormat: (x) => percentileText(x).replace(`${nbsp}%`, ""),
};

function stopNote(cell, stop) {
  const target = meanOf(cell, "target_rate");
  const differs = stop.like && keyOf(cell) !== keyOf(stop.like) ? shapeText(cell) || "in process" : "";
  return joined(
    isNumber(target) ? `${asCount(target)}/s due` : "",
    differs,
    cell.level === "valid" || cell.level === "unjudged" ? "" : cell.level,
    cell.isRanked && cell.counted < cell.measured ? `${cell.counted} of ${cell.measured} repetitions` : "",
  );
}

/** What tells the lines of one stop apart: parameters they do not share are in the notes. */
function curveLines(stop, withSpread, withService) {
  const lines = [];
  const file = fileWithin(stop.cells);
  for (const cell of rankedFirst(stop.cells)) {
    if (!cell.latency?.curve) continue;
    const { curve, low, high } = cell.latency;
    lines.push({
      cell,
      name: joined(cell.subject, file(cell)),
      note: stopNote(cell, stop),
      ys: curve,
      hollow: hollowIfUnranked(cell, curve),
      low,
      high,
      spread: withSpread ? "band" : undefined,
      markEvery: perDecade,
    });
  }
  styleLines(lines);
  if (!withService) return lines;
  const service = lines
    .filter(({ cell }) => cell.service?.curve)
    .map((line) => ({
      cell: line.cell,
      name: `${line.name}, service time`,
      ys: line.cell.service.curve,
      hollow: hollowIfUnranked(line.cell, line.cell.service.curve),
      markEvery: perDecade,
      style: { ...line.style, dash: dotted },
    }));
  return [...lines, ...service];
}

/** One scale for all stops, so that moving the slider shows what changes. */
function walkRange(walk) {
  const values = walk.stops
    .flatMap(({ cells: some }) => some)
    .flatMap((cell) =>
      [cell.latency, cell.service].flatMap((times) =>
        times?.curve ? [times.curve[0], times.curve[times.curve.length - 1]] : [],
      ),
    )
    .filter((value) => value > 0);
  return values.length === 0 ? [1, 10] : [Math.min(...values) / 1.3, Math.max(...values) * 1.3];
}

const latencyColumns = [
  ["p50", "50 %"],
  ["p90", "90 %"],
  ["p99", "99 %"],
  ["p999", "99.9 %"],
  ["p9999", "99.99 %"],
  ["p99999", "99.999 %"],
  ["max", "Maximum"],
  ["mean", "Mean"],
];

function latencyTable(walk, stop) {
  const rows = stop.cells.flatMap((cell) =>
    [
      ["", cell.latency],
      [" (service time)", cell.service],
    ]
      .filter(([, times]) => times)
      .map(([kind, times]) => [
        cell.name + kind,
        ...(severalFiles ? [fileText(cell)] : []),
        ...latencyColumns.map(([key]) => latencyText(times, key)),
        asWhole(times.n),
        badge(cell.level),
      ]),
  );
  return table(
    `Latency at ${walk.what.toLowerCase()} ${stop.label}`,
    [
      { label: "Benchmark" },
      ...fileColumn,
      ...latencyColumns.map(([, label]) => ({ label, number: true })),
      { label: "Requests", number: true },
      { label: "Verdict" },
    ],
    rows,
  );
}

function latencySection() {
  const out = section(
    "latency",
    "Latency against percentile",
    note(
      "How long requests took, from the fastest to the slowest 0.001 %, all repetitions merged. Lower is " +
        "better, and a flat line is a steady driver. Each mark to the right leaves a tenth as many " +
        "requests beyond it, and a curve ends where fewer than 10 are left. The scale stays as the slider " +
        "moves.",
      "lead",
    ),
  );
  const walks = walksOver(cells.filter(({ latency }) => latency?.curve));
  if (walks.length === 0) {
    out.append(
      note(
        (isLeftOut("the percentile curves")
          ? "The curves are left out, so that the page stays small"
          : "No file has histograms to draw curves from, or too few requests") +
          "; the percentiles are under All figures.",
      ),
    );
    return out;
  }
  if (!walks.some(({ what }) => what === "Rate")) {
    out.append(
      note(
        "No rates were measured (--rate or --plan rates does), so the slider walks over the shapes of " +
          "the cells.",
      ),
    );
  }
  const figureHost = element("figure", { class: "panel wide" });
  const tableHost = element("div");
  const spread = element("input", { type: "checkbox", onchange: () => redraw() });
  const spreadLabel = element("label", { class: "toggle" }, spread, " range of the repetitions (shaded)");
  const service = element("input", { type: "checkbox", onchange: () => redraw() });
  const serviceLabel = element(
    "label",
    { class: "toggle" },
    service,
    " service time (dotted): from when the driver was handed the request",
  );
  let [chart, current, isChosen] = [null, null, false];
  spread.addEventListener("change", () => {
    isChosen = true;
  });

  function redraw() {
    const [walk, stop] = current;
    const withService = service.checked && !serviceLabel.hidden;
    const spec = {
      label: `Latency against percentile, ${walk.label}, ${stop.label}`,
      height: 400,
      xs: curveXs,
      x: percentileAxis,
      y: { label: "latency, log scale", log: true, range: walkRange(walk), format: asTime },
      lines: curveLines(stop, spread.checked, withService),
    };
    if (chart) chart.update(spec);
    else chart = new LineChart(spec);
    tableHost.replaceChildren(
      fold(`Table: latency at this ${walk.what.toLowerCase()}`, latencyTable(walk, stop)),
    );
  }

  const { controls, start } = walkControls(walks, (walk, stop) => {
    const wasOpen = tableHost.querySelector("details")?.open;
    current = [walk, stop];
    // Many shades over one another say nothing.
    if (!isChosen) spread.checked = stop.cells.length <= 4;
    spreadLabel.hidden = !stop.cells.some((cell) => cell.latency?.low);
    serviceLabel.hidden = !stop.cells.some((cell) => cell.service?.curve);
    redraw();
    tableHost.querySelector("details").open = Boolean(wasOpen);
  });
  start();
  figureHost.append(
    controls,
    element("div", { class: "toggles" }, spreadLabel, serviceLabel),
    chart.element,
    tableHost,
  );
  out.append(figureHost);
  return out;
}
