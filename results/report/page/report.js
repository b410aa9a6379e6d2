// Puts the page together.

const shortTitles = {
  throughput: "Throughput",
  load: "Under load",
  latency: "Percentiles",
  layers: "Layers",
  searches: "Limits",
  series: "Over time",
  errors: "Errors",
  verdicts: "Verdicts",
  figures: "All figures",
  machine: "Machine",
};

const main = document.getElementById("report");

function fileSummary(file) {
  const facts = new Map(file.machine);
  const cpus = facts.get("CPUs on line");
  const machine = [
    facts.get("CPU"),
    cpus ? plural(Number(cpus), "CPU") : "",
    facts.get("Virtual machine") === "yes" ? "virtual" : "",
  ];
  const judged = levels
    .filter((level) => file.reps?.[level])
    .map((level) => `${asWhole(file.reps[level])} ${level}`);
  return element(
    "li",
    {},
    element("strong", { text: file.label }),
    " ",
    joined(
      file.date
        ? `measured ${file.date
            .replace("T", " ")
            .replace(/:\d\d([+-]|Z|$)/, " $1")
            .trim()}`
        : "",
      machine.filter(Boolean).join(", "),
      file.format ? `from ${file.format}` : "",
      `${plural(file.cells, "cell")}, ${plural(file.rows, "repetition")}`,
    ),
    judged.length > 0 ? `: ${listed(judged)}.` : ".",
    file.partial
      ? element("em", {
          class: "warn",
          text: " The run ended before its plan did: the rows there are are good.",
        })
      : null,
    file.rows === 0 ? element("em", { class: "warn", text: " It has no repetitions." }) : null,
    file.remarks.length > 0
      ? element(
          "ul",
          { class: "remarks" },
          file.remarks.map((text) => element("li", { text })),
        )
      : null,
  );
}

function start() {
  const summary = document.getElementById("summary");
  summary.append(element("ul", { class: "files" }, files.map(fileSummary)));
  if (data.left_out.length > 0) {
    summary.append(
      note(
        `Left out, so that the page stays small: ${listed(data.left_out)}. A narrower plan or fewer files leave room.`,
        "warn",
      ),
    );
  }
  const sections = [
    throughputSection,
    loadSection,
    latencySection,
    layersSection,
    searchesSection,
    seriesSection,
    errorsSection,
    verdictsSection,
    figuresSection,
    machineSection,
  ];
  for (const make of sections) {
    const one = make();
    if (one) main.append(one);
  }
  document.getElementById("contents").append(
    element(
      "ul",
      {},
      [...main.querySelectorAll("section")].map((one) =>
        element("li", {}, element("a", { href: `#${one.id}`, text: shortTitles[one.id] })),
      ),
    ),
  );
}

prefersDark.addEventListener("change", redrawAll);

const folded = new Set();
window.addEventListener("beforeprint", () => {
  isPrinting = true;
  for (const one of document.querySelectorAll("details:not([open])")) {
    folded.add(one);
    one.open = true;
  }
  redrawAll();
});
window.addEventListener("afterprint", () => {
  isPrinting = false;
  for (const one of folded) one.open = false;
  folded.clear();
  redrawAll();
});

start();
