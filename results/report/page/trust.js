// Whether to believe it: errors and verdicts.

const textList = (items) =>
  element(
    "ul",
    { class: "plain" },
    items.map((item) => element("li", { text: item })),
  );
const times = ([text, count]) => (count > 1 ? `${text} (and ${count - 1} more like it)` : text);

function errorsSection() {
  const out = section("errors", "Errors");
  const total = (counts) => Object.values(counts ?? {}).reduce((all, count) => all + count, 0);
  const some = cells.filter((cell) => total(cell.errors) > 0 || cell.messages || cell.reconnects);
  const repetitions = files.reduce((all, { rows }) => all + rows, 0);
  if (some.length === 0) {
    out.append(note(`No request failed in ${plural(repetitions, "repetition")}.`, "lead"));
    return out;
  }
  out.append(
    note(
      "Requests that failed, by class, as a share of all that were issued. None counts as work. Fewer is " +
        "better.",
      "lead",
    ),
  );
  const classes = [...new Set(some.flatMap((cell) => Object.keys(cell.errors ?? {})))].sort(natural);
  const classColour = (name) => () => theme().colours[classes.indexOf(name) % theme().colours.length];
  const failing = some
    .filter((cell) => cell.issued > 0 && total(cell.errors) > 0)
    .sort((a, b) => total(b.errors) / b.issued - total(a.errors) / a.issued);
  const drawn = failing.slice(0, mostBars);
  if (drawn.length > 0) {
    const chart = new BarChart({
      label: "Failed requests by class",
      x: { label: "% of the requests issued", format: (value) => `${digits(value)}${nbsp}%` },
      bars: drawn.map((cell) => ({
        label: cell.subject,
        sub: joined(cell.workload, cell.mode, shapeText(cell), fileText(cell)),
        text: `${asShare(total(cell.errors) / cell.issued)}`,
        segments: Object.entries(cell.errors).map(([name, count]) => ({
          name,
          value: (100 * count) / cell.issued,
          colour: classColour(name),
          pattern: classes.indexOf(name),
        })),
      })),
    });
    out.append(
      boxLegend(classes.map((name, i) => [name.replaceAll("_", " "), classColour(name), i])),
      element(
        "figure",
        { class: "panel wide" },
        chart.element,
        drawn.length < failing.length
          ? note(`The ${mostBars} cells with the largest shares of ${failing.length}; the table has all.`)
          : null,
      ),
    );
  }
  const counts = (of) =>
    textList(Object.entries(of ?? {}).map(([name, count]) => `${name}: ${asWhole(count)}`));
  out.append(
    table(
      "Errors by cell",
      [
        { label: "Benchmark" },
        ...fileColumn,
        { label: "Issued", number: true },
        { label: "Failed", number: true },
        { label: "By class" },
        { label: "Server's codes" },
        { label: "Reconnects", number: true },
        { label: "Downtime", number: true },
        { label: "Repetitions that failed" },
      ],
      some.map((cell) => [
        cell.name,
        ...(severalFiles ? [fileText(cell)] : []),
        asWhole(cell.issued),
        asWhole(total(cell.errors)),
        counts(cell.errors),
        counts(cell.refusals),
        asWhole(cell.reconnects ?? 0),
        isNumber(cell.downtime_s) ? asTime(cell.downtime_s * 1e9) : absent,
        textList((cell.messages ?? []).map(times)),
      ]),
    ),
  );
  return out;
}

const levels = ["valid", "suspect", "invalid", "failed", "unjudged"];
const levelPatterns = { valid: 0, suspect: 1, invalid: 3, failed: 4, unjudged: 2 };
const levelRank = (cell) => ["invalid", "failed", "suspect", "unjudged", "valid"].indexOf(cell.level);

const mostReasons = 12;

/** Reasons that differ in their numbers only count as one. */
function commonReasons() {
  const seen = new Map();
  for (const cell of cells) {
    for (const [text, count] of cell.reasons ?? []) {
      const key = text.replace(/\d[\d.,]*(e[+-]?\d+)?/g, "…");
      const entry = seen.get(key) ?? { text: key, repetitions: 0, cells: 0 };
      entry.repetitions += count;
      entry.cells += 1;
      seen.set(key, entry);
    }
  }
  return [...seen.values()].sort((a, b) => b.repetitions - a.repetitions);
}

function verdictsSection() {
  const out = section(
    "verdicts",
    "Verdicts",
    note(
      "Each repetition is judged by what it shows itself. Valid: no rule objects. Suspect: read its " +
        "reasons first. Invalid: it does not measure what it says; it is shown and never ranked.",
      "lead",
    ),
  );
  const used = levels.filter((level) => files.some(({ reps }) => reps?.[level]));
  out.append(boxLegend(used.map((level) => [level, () => theme().levels[level], levelPatterns[level]])));
  const chart = new BarChart({
    label: "Repetitions by verdict",
    x: { label: "repetitions", format: asWhole },
    bars: files.map((file) => ({
      label: file.label,
      text: plural(file.rows, "repetition"),
      segments: used
        .filter((level) => file.reps?.[level])
        .map((level) => ({
          name: `${asWhole(file.reps[level])} ${level}`,
          value: file.reps[level],
          colour: () => theme().levels[level],
          pattern: levelPatterns[level],
        })),
    })),
  });
  out.append(
    element(
      "figure",
      { class: "panel wide" },
      chart.element,
      chartTable(
        "repetitions by verdict",
        [{ label: "File" }, ...used.map((label) => ({ label, number: true }))],
        files.map((file) => [file.label, ...used.map((level) => asWhole(file.reps?.[level] ?? 0))]),
      ),
    ),
  );
  const reasons = commonReasons();
  if (reasons.length > 0) {
    out.append(
      table(
        "Reasons, most frequent first",
        [{ label: "Reason" }, { label: "Repetitions", number: true }, { label: "Cells", number: true }],
        reasons
          .slice(0, mostReasons)
          .map((each) => [each.text, asWhole(each.repetitions), asWhole(each.cells)]),
      ),
    );
    if (reasons.length > mostReasons)
      out.append(
        note(`The ${mostReasons} most frequent of ${reasons.length}; those of each cell are below.`),
      );
  }
  const sorted = [...cells].sort((a, b) => levelRank(a) - levelRank(b));
  out.append(
    fold(
      `Every cell's verdict with its reasons (${asWhole(cells.length)})`,
      table(
        "Verdicts by cell",
        [
          { label: "Benchmark" },
          ...fileColumn,
          { label: "Verdict" },
          { label: "Repetitions" },
          { label: "Reasons" },
        ],
        sorted.map((cell) => [
          cell.name,
          ...(severalFiles ? [fileText(cell)] : []),
          badge(cell.level),
          levels
            .filter((level) => cell.reps?.[level])
            .map((level) => `${cell.reps[level]} ${level}`)
            .join(", "),
          cell.reasons ? textList(cell.reasons.map(times)) : "no rule objects",
        ]),
      ),
    ),
  );
  return out;
}
