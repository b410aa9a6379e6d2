// Lines over numbers.

/** Ticks whose labels would run into others get none; the first and the last one come first. */
function withoutCollisions(ticks, texts, place) {
  const measure = element("canvas").getContext("2d");
  measure.font = font(12);
  const taken = [];
  const fits = new Set();
  for (const i of new Set([0, ticks.length - 1, ...ticks.keys()])) {
    if (ticks.length === 0) break;
    const half = measure.measureText(texts[i]).width / 2 + 3.5;
    const [left, right] = [place(ticks[i]) - half, place(ticks[i]) + half];
    if (taken.some(([from, to]) => left < to && right > from)) continue;
    taken.push([left, right]);
    fits.add(i);
  }
  return ticks.map((tick, i) => (fits.has(i) ? tick : null));
}

function drawMarker(context, kind, x, y, size, isHollow) {
  context.save();
  context.translate(x, y);
  context.scale(size, size);
  const outline = new Path2D(markers[kind % markers.length]);
  if (isHollow) {
    context.strokeStyle = context.fillStyle;
    context.fillStyle = theme().surface;
    context.lineWidth = 0.45;
  }
  context.fill(outline);
  if (isHollow) context.stroke(outline);
  context.restore();
}

function clipped(plot, draw) {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
  draw(ctx);
  ctx.restore();
}

/** The area between two lines, behind the series. */
function drawBand(plot, context, xs, low, high, colour) {
  const at = (i, values) => [plot.valToPos(xs[i], "x", true), plot.valToPos(values[i], "y", true)];
  context.beginPath();
  for (let i = 0; i < low.length; ++i) context.lineTo(...at(i, low));
  for (let i = high.length - 1; i >= 0; --i) context.lineTo(...at(i, high));
  context.globalAlpha = 0.13;
  context.fillStyle = colour;
  context.fill();
}

function drawWhiskers(plot, context, xs, low, high, colour) {
  const cap = 4 * devicePixelRatio;
  context.strokeStyle = colour;
  context.lineWidth = 1.5 * devicePixelRatio;
  context.beginPath();
  xs.forEach((x, i) => {
    if (!isNumber(low[i]) || !isNumber(high[i])) return;
    const at = plot.valToPos(x, "x", true);
    const [from, to] = [low, high].map((values) => plot.valToPos(values[i], "y", true));
    context.moveTo(at, from);
    context.lineTo(at, to);
    for (const end of [from, to]) {
      context.moveTo(at - cap, end);
      context.lineTo(at + cap, end);
    }
  });
  context.stroke();
}

function rangeOf(lines, axis) {
  if (axis.range) return axis.range;
  const values = lines
    .flatMap((line) => [line.ys, line.low ?? [], line.high ?? []].flat())
    .filter((value) => isNumber(value) && (!axis.log || value > 0));
  if (values.length === 0) return axis.log ? [1, 10] : [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return axis.log ? [low / 1.2, high * 1.2] : [0, high * 1.08 || 1];
}

const padded = (values, size) =>
  Array.from({ length: size }, (_, i) => (isNumber(values[i]) ? values[i] : null));

/**
 * spec: {label, height, xs, x: {label, log, ticks, format, range}, y: {label, log, format, range}, lines}
 * line: {name, style: {colour(), dash, marker}, ys, low, high, spread: "band" | "whiskers", faint, markEvery,
 *   hollow}, where hollow says of each point whether its marker is.
 * Left and right move a readout over the points once the chart has the focus.
 */
class LineChart {
  constructor(spec) {
    this.hidden = new Set();
    this.readAt = null;
    this.axisTitle = element("p", { class: "axis-title" });
    this.host = element("div", { class: "plot", tabindex: "0", role: "group" });
    this.legend = element("ul", { class: "legend" });
    this.spoken = element("p", { class: "unseen", "aria-live": "polite" });
    this.element = element("div", { class: "chart" }, this.axisTitle, this.host, this.legend, this.spoken);
    this.host.addEventListener("keydown", (event) => this.move(event));
    this.host.addEventListener("blur", () => this.read(null));
    this.spec = spec;
    queueMicrotask(() => register(this));
  }

  update(spec) {
    this.spec = spec;
    if (this.plot) this.draw();
  }

  draw() {
    this.plot?.destroy();
    const { spec } = this;
    const colours = theme();
    this.axisTitle.textContent = `↑ ${spec.y.label}`;
    this.host.setAttribute(
      "aria-label",
      `${spec.label}. Left and right read the points; the table has them all.`,
    );
    this.width = widthOf(this.host);
    const x = {
      ...axisBase(colours),
      label: spec.x.label,
      values: labelTicks(spec.x.format),
      space: 56,
      size: 26,
    };
    const y = { ...axisBase(colours), values: labelTicks(spec.y.format), size: 66, space: 34 };
    const xRange = spec.x.range ?? this.wholeRange();
    const yRange = rangeOf(spec.lines, spec.y);
    const isNarrow = this.width < 520;
    if (isNarrow && spec.x.narrowFormat) x.values = labelTicks(spec.x.narrowFormat);
    if (spec.x.ticks || spec.x.log) {
      const ticks = spec.x.ticks ?? logTicks(...xRange);
      x.splits = () => ticks;
      x.filter = (plot) =>
        withoutCollisions(ticks, x.values(plot, ticks), (tick) => plot.valToPos(tick, "x"));
    }
    if (spec.y.log) Object.assign(y, { splits: () => logTicks(...yRange), filter: (_, ticks) => ticks });
    const options = {
      width: this.width,
      height: spec.height ?? 300,
      padding: [8, 30, 0, 0],
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { size: 9 } },
      scales: {
        x: { time: false, distr: spec.x.log ? 3 : 1, range: () => xRange },
        y: { distr: spec.y.log ? 3 : 1, range: () => yRange },
      },
      axes: [x, y],
      series: [
        {},
        ...spec.lines.map((line) => ({
          label: line.name,
          stroke: line.style.colour(),
          width: line.faint ? 1 : 2.25,
          alpha: line.faint ? 0.4 : 1,
          dash: line.style.dash,
          spanGaps: true,
          points: { show: false },
          show: !this.hidden.has(line.key ?? line.name),
        })),
      ],
      hooks: {
        drawAxes: [(plot) => this.drawSpread(plot)],
        drawSeries: [(plot, i) => this.drawMarkers(plot, i)],
        ready: [() => this.readAt === null || this.read(Math.min(this.readAt, spec.xs.length - 1))],
        setCursor: [(plot) => this.show(plot.cursor.idx)],
      },
    };
    this.plot = new uPlot(
      options,
      [spec.xs, ...spec.lines.map((line) => padded(line.ys, spec.xs.length))],
      this.host,
    );
    this.drawLegend();
  }

  wholeRange() {
    const { xs, x } = this.spec;
    const [low, high] = [Math.min(...xs), Math.max(...xs)];
    if (x.log) return [low / 1.15, high * 1.15];
    const margin = (high - low) * 0.04 || 1;
    return [low - margin, high + margin];
  }

  isShown(line) {
    return !this.hidden.has(line.key ?? line.name);
  }

  drawSpread(plot) {
    clipped(plot, (context) => {
      for (const line of this.spec.lines) {
        if (!line.spread || !line.low || !this.isShown(line)) continue;
        const draw = line.spread === "band" ? drawBand : drawWhiskers;
        context.globalAlpha = 1;
        draw(plot, context, this.spec.xs, line.low, line.high, line.style.colour());
      }
    });
  }

  drawMarkers(plot, index) {
    const line = this.spec.lines[index - 1];
    if (!line || line.style.marker === undefined || line.faint || !this.isShown(line)) return;
    const every = line.markEvery ?? 1;
    const { ctx } = plot;
    ctx.fillStyle = line.style.colour();
    line.ys.forEach((value, i) => {
      if (!isNumber(value) || i % every !== 0) return;
      drawMarker(
        ctx,
        line.style.marker,
        plot.valToPos(this.spec.xs[i], "x", true),
        plot.valToPos(value, "y", true),
        4.2 * devicePixelRatio,
        line.hollow?.[i],
      );
    });
  }

  drawLegend() {
    this.readouts = [];
    const items = this.spec.lines
      .filter((line) => !line.unlisted)
      .map((line) => {
        const value = element("span", { class: "value" });
        this.readouts.push([line, value]);
        const key = line.key ?? line.name;
        const toggle = element(
          "button",
          {
            type: "button",
            "aria-pressed": String(this.isShown(line)),
            title: "Show or hide",
            onclick: () => {
              if (!this.hidden.delete(key)) this.hidden.add(key);
              this.draw();
              [...this.legend.querySelectorAll("button")].find((one) => one.dataset.key === key)?.focus();
            },
          },
          lineSwatch(line.style),
          element("span", { text: line.name }),
          line.note ? element("span", { class: "aside", text: line.note }) : null,
          value,
        );
        toggle.dataset.key = key;
        return element("li", {}, toggle);
      });
    this.legend.replaceChildren(...items);
    this.legend.hidden = items.length === 0;
  }

  /** Puts the values at a point behind the names; null takes them away. */
  show(index) {
    const { spec } = this;
    const isThere = index !== null && index !== undefined;
    for (const [line, value] of this.readouts ?? []) {
      value.textContent = isThere && isNumber(line.ys[index]) ? spec.y.format(line.ys[index]) : "";
    }
    this.axisTitle.textContent = `↑ ${spec.y.label}${isThere ? ` · at ${spec.x.read(spec.xs[index])}` : ""}`;
  }

  read(index) {
    this.readAt = index;
    if (index === null) {
      this.plot?.setCursor({ left: -10, top: -10 });
      this.spoken.textContent = "";
      return;
    }
    const { spec, plot } = this;
    plot.setCursor({ left: plot.valToPos(spec.xs[index], "x"), top: plot.over.clientHeight / 2 });
    const values = this.readouts
      .filter(([line]) => isNumber(line.ys[index]) && this.isShown(line))
      .map(([line]) => `${line.name} ${spec.y.format(line.ys[index])}`);
    this.spoken.textContent = `${spec.x.read(spec.xs[index])}: ${values.join(", ") || "no value"}`;
  }

  move(event) {
    const last = this.spec.xs.length - 1;
    const at = this.readAt;
    const next = {
      ArrowRight: at === null ? 0 : Math.min(at + 1, last),
      ArrowLeft: at === null ? last : Math.max(at - 1, 0),
      Home: 0,
      End: last,
      Escape: null,
    };
    if (!(event.key in next)) return;
    event.preventDefault();
    this.read(next[event.key]);
  }
}
