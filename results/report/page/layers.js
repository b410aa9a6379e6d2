// Where each microsecond goes: what an operation takes, layer by layer.

const partPatterns = { harness: 0, wire: 1, library: 2, client: 3, server: 4 };
const part = (name, value, key = name) => ({
  name,
  value,
  colour: () => theme().parts[key],
  pattern: partPatterns[key],
});

function layerCells() {
  const byName = new Map(
    data.layers.map((split) => [`${split.file}\n${split.metric}\n${split.name}`, split]),
  );
  const closed = cells.filter((cell) => !rateOf(cell));
  // The controls are layers of the others.
  const isLayer = ({ storage }) => data.layers.length > 0 && ["null", "echo"].includes(storage);
  return (closed.length > 0 ? closed : cells)
    .filter((cell) => !isLayer(cell))
    .map((cell) => ({
      cell,
      cpu: byName.get(`${cell.file}\nclient_cpu\n${cell.name}`),
      time: byName.get(`${cell.file}\ntime\n${cell.name}`),
    }));
}

function cpuParts({ cell, cpu }) {
  const server = meanOf(cell, "server_cpu_ns_per_op");
  const client = meanOf(cell, "client_cpu_ns_per_op");
  const parts = [];
  if (cpu?.harness && cpu.wire && cpu.library) {
    parts.push(part("harness", cpu.harness[0]), part("wire", cpu.wire[0]), part("library", cpu.library[0]));
  } else if (isNumber(client)) {
    parts.push(part("client", client));
  }
  if (isNumber(server)) parts.push(part("server", server));
  return parts;
}

function timeParts({ time }) {
  if (!time?.harness || !time.wire || !time.library) return [];
  return [
    part("harness", time.harness[0]),
    part("wire", time.wire[0]),
    part("library and server", time.library[0], "library"),
  ];
}

const sumOf = (parts) => parts.reduce((all, { value }) => all + value, 0);

function estimateText(split) {
  if (!split) return absent;
  const [mean, low, high] = split;
  return `${asTime(mean)} ± ${asTime((high - low) / 2)}${low <= 0 && high >= 0 ? " (below noise)" : ""}`;
}

function layerPanel(heading, entries, partsOf, what, split) {
  const withParts = entries
    .map((entry) => ({ ...entry, parts: partsOf(entry) }))
    .filter(({ parts }) => parts.length > 0);
  if (withParts.length === 0) return null;
  const shared = commonParameters(withParts.map(({ cell }) => cell));
  const common = shared.map(([key]) => key);
  withParts.sort((a, b) => byRank(() => 0)(a.cell, b.cell) || sumOf(a.parts) - sumOf(b.parts));
  const some = withParts.map(({ cell }) => cell);
  const file = fileWithin(some);
  const title = joined(heading, shared.map(parameterText).join(" · "), sharedFile(some));
  const bars = withParts.slice(0, mostBars).map(({ cell, parts }) => ({
    label: cell.subject,
    sub: joined(shapeText(cell, common), file(cell)),
    segments: parts,
    text: joined(asTime(sumOf(parts)), standingText(cell)),
    isHollow: !cell.isRanked,
  }));
  const chart = new BarChart({ label: `${what}, ${title}`, x: { label: what, format: asTime }, bars });
  const rows = withParts.map((entry) => [
    entry.cell.name,
    ...(severalFiles ? [fileText(entry.cell)] : []),
    estimateText(entry[split]?.harness),
    estimateText(entry[split]?.wire),
    estimateText(entry[split]?.library),
    withInterval(figure(entry.cell, "client_cpu_ns_per_op"), asTime),
    withInterval(figure(entry.cell, "server_cpu_ns_per_op"), asTime),
    badge(entry.cell.level),
  ]);
  return element(
    "figure",
    { class: "panel" },
    element("figcaption", {}, element("strong", { text: title })),
    chart.element,
    bars.length < withParts.length
      ? note(`The ${mostBars} cheapest of ${withParts.length}; the table has all.`)
      : null,
    chartTable(
      `${what}, ${title}`,
      [
        { label: "Benchmark" },
        ...fileColumn,
        { label: "Harness", number: true },
        { label: "Wire", number: true },
        { label: split === "time" ? "Library and server" : "Library", number: true },
        { label: "Client CPU", number: true },
        { label: "Server CPU", number: true },
        { label: "Verdict" },
      ],
      rows,
    ),
  );
}

function layersSection() {
  const out = section(
    "layers",
    "Where each microsecond goes",
    note(
      "What one operation takes. Harness: the null driver in the same shape. Wire: a bare socket echo, " +
        "less that. Library: the driver, less the echo. Server: CPU time of the server's process. Shorter " +
        "is better. They are differences of means over the repetitions: where noise is larger than a layer, " +
        "it may come out left of 0; the table has the intervals.",
      "lead",
    ),
  );
  const entries = layerCells();
  const measured = files.some(({ splits_measured: it }) => it);
  if (data.layers.length === 0) {
    out.append(
      note("No file splits the client's time into layers (--layers does): its CPU time is drawn whole."),
    );
  } else if (!measured) {
    out.append(
      note(
        "The layers are told from the null and echo rows of the same run; --layers measures them right " +
          "beside each cell.",
      ),
    );
  }
  const grids = [
    ["CPU time per operation, client and server", cpuParts, "cpu"],
    ["Time per operation (1 / rate)", timeParts, "time"],
  ];
  let isEmpty = true;
  for (const [what, partsOf, split] of grids) {
    const panels = [...grouped(entries, ({ cell }) => `${cell.workload}\n${cell.mode}`).values()]
      .sort(
        ([{ cell: a }], [{ cell: b }]) =>
          natural(a.workload, b.workload) || modeRank(a.mode) - modeRank(b.mode),
      )
      .map((some) =>
        layerPanel(
          [some[0].cell.workload, some[0].cell.mode].filter(Boolean).join(", "),
          some,
          partsOf,
          what,
          split,
        ),
      )
      .filter((panel) => panel);
    if (panels.length === 0) continue;
    isEmpty = false;
    const names =
      split === "time"
        ? [["harness"], ["wire"], ["library and server", "library"]]
        : [["harness"], ["wire"], ["library"], ["client, not split", "client"], ["server"]];
    out.append(
      element("h3", { text: what }),
      boxLegend(names.map(([text, key = text]) => [text, () => theme().parts[key], partPatterns[key]])),
      element("div", { class: panels.length > 1 ? "grid" : "" }, panels),
    );
  }
  if (isEmpty) out.append(note("No file has CPU times or layers."));
  return out;
}
