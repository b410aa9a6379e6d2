// Everything in figures, and where and with what it was measured.

function figuresSection() {
  const out = section(
    "figures",
    "All figures",
    note(
      "One row a cell. Rates and costs are means of the repetitions that count; percentiles come from " +
        "their merged histograms, or are medians of the repetitions (marked ~) where a file has no " +
        "histograms.",
      "lead",
    ),
  );
  const costs = [
    ["client_cpu_ns_per_op", "Client CPU", asTime],
    ["server_cpu_ns_per_op", "Server CPU", asTime],
    ["real_time", "Time an iteration", asTime],
    ["cpu_time", "CPU time an iteration", asTime],
    ["allocs_per_op", "Allocations", (value) => digits(value)],
    ["bytes_sent_per_op", "Sent", asBytes],
    ["bytes_received_per_op", "Received", asBytes],
  ].filter(([key]) => cells.some((cell) => figure(cell, key)));
  const percentiles = latencyColumns.filter(([key]) => cells.some((cell) => isNumber(cell.latency?.[key])));
  const rows = cells.map((cell) => [
    cell.name,
    ...(severalFiles ? [fileText(cell)] : []),
    withInterval(figure(cell, "ops"), asCount),
    ...percentiles.map(([key]) => latencyText(cell.latency, key)),
    ...costs.map(([key, , format]) => (figure(cell, key) ? format(meanOf(cell, key)) : absent)),
    badge(cell.level),
  ]);
  out.append(
    fold(
      `Table: ${plural(cells.length, "cell")}`,
      table(
        "All figures, per operation where they are costs",
        [
          { label: "Benchmark" },
          ...fileColumn,
          { label: "Operations per second", number: true },
          ...percentiles.map(([, label]) => ({ label, number: true })),
          ...costs.map(([, label]) => ({ label, number: true })),
          { label: "Verdict" },
        ],
        rows,
      ),
    ),
  );
  return out;
}

function searchesSection() {
  if (data.searches.length === 0) return null;
  const out = section(
    "searches",
    "Highest rate within a limit",
    note(
      "What --max-rate-under found: the highest rate of an open loop that kept the limit. Higher is better.",
      "lead",
    ),
  );
  out.append(
    table(
      "Searches",
      [
        { label: "Benchmark" },
        ...fileColumn,
        { label: "Limit" },
        { label: "Highest rate", number: true },
        { label: "Steps" },
      ],
      data.searches.map((search) => [
        search.name,
        ...(severalFiles ? [files[search.file].label] : []),
        search.limit,
        search.stopped
          ? `not finished: ${search.stopped}`
          : isNumber(search.knee)
            ? `${asWhole(search.knee)}/s`
            : "none kept it",
        textList(
          search.steps.map(
            ([rate, time, kept]) => `${asWhole(rate)}/s: ${asTime(time)}, ${kept ? "kept" : "not kept"}`,
          ),
        ),
      ]),
    ),
  );
  return out;
}

/** Rows of [what, value of each file]; marked where files that have one differ. */
function comparison(caption, listOf) {
  const lists = files.map((file) => new Map(listOf(file)));
  const keys = [...new Set(lists.flatMap((list) => [...list.keys()]))];
  if (keys.length === 0) return null;
  const rows = keys.map((key) => {
    const values = lists.map((list) => list.get(key) ?? absent);
    const differs = new Set(values.filter((value) => value !== absent)).size > 1;
    return [
      differs ? [element("span", { class: "differs", text: "≠ ", title: "the files differ" }), key] : key,
      ...values,
    ];
  });
  const out = table(caption, [{ label: "What" }, ...files.map(({ label }) => ({ label }))], rows);
  out.classList.add("facts");
  return out;
}

function planOf(file) {
  return [
    ["Plan", file.plan],
    ["Plan's hash", file.plan_hash],
    ["Started", file.date],
    ["Seed of the order", file.seed],
    ...file.options.map(([key, value]) => [`--${key}`, value]),
  ].filter(([, value]) => value);
}

const targetOf = (file) =>
  file.targets.flatMap(({ storage, url, throwaway, version, transports, settings }) => [
    [storage, joined(version || "no server", throwaway ? "started for the run" : "given by URL")],
    [`${storage}: transports`, transports.join(", ").replaceAll("_", " ")],
    [`${storage}: address`, url],
    ...settings.map(([key, value]) => [`${storage}: ${key}`, value]),
  ]);

function machineSection() {
  const out = section(
    "machine",
    "Machine, versions and plan",
    note(
      severalFiles ? "≠ marks what differs between the files." : "Where and with what it was measured.",
      "lead",
    ),
  );
  const grid = element("div", { class: severalFiles ? "" : "grid" });
  const parts = [
    ["Machine", ({ machine }) => machine],
    ["Client libraries, as loaded", ({ libraries }) => libraries],
    ["Plan and options", planOf],
    ["Targets and the settings that matter", targetOf],
  ];
  for (const [caption, listOf] of parts) {
    const one = comparison(caption, listOf);
    if (one) grid.append(one);
  }
  out.append(grid);
  return out;
}
