// A walk through shapes or rates: stops at each of which the drivers are laid over one another.

/** The smaller shape lacks parameters of the larger one and differs in none. */
const fitsInto = (small, large) =>
  small.mode === large.mode &&
  small.workload === large.workload &&
  small.params.every(([key, value]) => large.parameters.get(key) === value);

function shapeStops(some) {
  const stops = [...grouped(some, (cell) => keyOf(cell)).values()].map((members) => ({
    like: members[0],
    members,
  }));
  const largest = stops.filter(
    (stop) => !stops.some((other) => other !== stop && fitsInto(stop.like, other.like)),
  );
  return largest
    .map(({ like }) => ({
      like,
      label: joined(like.mode, shapeText(like)),
      cells: some.filter((cell) => fitsInto(cell, like)),
    }))
    .sort((a, b) => modeRank(a.like.mode) - modeRank(b.like.mode) || natural(a.label, b.label));
}

/** [{label, what, stops: [{label, cells}]}], first those over rates. Foreign names make one stop. */
function walksOver(some) {
  const walks = [];
  const rest = new Set(some);
  for (const group of grouped(some.filter(rateOf), (cell) => keyOf(cell, ["rate"])).values()) {
    const like = group[0];
    const rates = [...grouped(group, rateOf)].sort(([a], [b]) => natural(a, b));
    const stops = rates.map(([rate, members]) => ({
      label: spaced(rate),
      tick: spaced(rate),
      cells: members,
    }));
    const closed = some.filter((cell) => !rateOf(cell) && keyOf(cell) === keyOf(like, ["rate"]));
    for (const cell of [...group, ...closed]) rest.delete(cell);
    if (closed.length > 0) stops.push({ label: "closed loop", tick: "closed", cells: closed });
    walks.push({
      what: "Rate",
      like,
      stops,
      label: joined(`${like.workload} ${like.mode}`, shapeText(like, ["rate"]), plural(rates.length, "rate")),
    });
  }
  for (const [workload, group] of grouped(
    [...rest].filter(({ storage }) => storage),
    (cell) => cell.workload,
  )) {
    const stops = shapeStops(group);
    walks.push({ what: "Shape", stops, label: `${workload} · ${plural(stops.length, "shape")}` });
  }
  const foreign = [...rest].filter(({ storage }) => !storage);
  if (foreign.length > 0)
    walks.push({ what: "Shape", label: "others", stops: [{ label: "all", cells: foreign }] });
  return walks;
}

/** The last stop that shows nothing invalid: where a rate is still kept. */
function firstStop({ what, stops }) {
  if (what !== "Rate") return 0;
  for (let i = stops.length - 1; i >= 0; --i) {
    if (
      stops[i].label !== "closed loop" &&
      stops[i].cells.every((cell) => cell.isRanked && !cell.reps.invalid)
    )
      return i;
  }
  return 0;
}

/** A choice of walks and a slider over the stops of the chosen one. Calls show(walk, stop). */
function walkControls(walks, show) {
  const id = freshId("walk");
  const select = element(
    "select",
    { id: `${id}-walk` },
    walks.map((walk, i) => element("option", { value: i, text: walk.label })),
  );
  const slider = element("input", { type: "range", id: `${id}-stop`, min: 0, step: 1, class: "stops" });
  const label = element("label", { for: `${id}-stop` });
  const shown = element("output", { for: `${id}-stop` });
  const scale = element("div", { class: "scale", "aria-hidden": "true" });
  const alone = element("p", { class: "note" });
  const controls = element(
    "div",
    { class: "controls" },
    walks.length > 1
      ? element("div", { class: "choice" }, element("label", { for: `${id}-walk`, text: "Cells" }), select)
      : null,
    element("div", { class: "slide" }, element("div", {}, label, " ", shown), slider, scale),
    alone,
  );

  function stopChanged() {
    const walk = walks[select.value || 0];
    const stop = walk.stops[slider.value];
    shown.textContent = stop.label;
    slider.setAttribute("aria-valuetext", stop.label);
    [...scale.children].forEach((tick, i) => tick.classList.toggle("now", i === Number(slider.value)));
    show(walk, stop);
  }

  function walkChanged() {
    const walk = walks[select.value || 0];
    const last = walk.stops.length - 1;
    label.textContent = walk.what;
    slider.max = last;
    slider.value = firstStop(walk);
    slider.hidden = scale.hidden = last === 0;
    alone.hidden = last > 0;
    alone.textContent = "One shape was measured, so there is nothing to slide over.";
    scale.replaceChildren(...walk.stops.map((stop) => element("span", { text: stop.tick ?? "" })));
    stopChanged();
  }

  select.addEventListener("change", walkChanged);
  slider.addEventListener("input", stopChanged);
  return { controls, start: walkChanged };
}
