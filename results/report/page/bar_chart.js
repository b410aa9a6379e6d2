// Horizontal bars, plain or stacked.

/**
 * spec: {label, x: {label, log, format}, bars}
 * bar: {label, sub, segments: [{value, colour(), pattern, name}], low, high, text, isHollow}
 * One segment may have an interval; several are stacked, negative ones to the left of zero.
 */
class BarChart {
  constructor(spec) {
    this.spec = spec;
    this.host = element("div", {
      class: "plot",
      role: "img",
      "aria-label": `${spec.label}. The table below has the figures.`,
    });
    this.element = element("div", { class: "chart" }, this.host);
    queueMicrotask(() => register(this));
  }

  update(spec) {
    this.spec = spec;
    if (this.plot) this.draw();
  }

  range() {
    const { bars, x } = this.spec;
    const ends = bars.flatMap((bar) => {
      const sum = (sign) => bar.segments.reduce((all, { value }) => all + Math.max(0, sign * value), 0);
      return [sum(1), -sum(-1), bar.high ?? 0];
    });
    const high = Math.max(...ends) || 1;
    if (!x.log) return [Math.min(0, ...ends), high];
    const least = Math.min(
      ...bars
        .flatMap((bar) => [bar.low > 0 ? bar.low : Infinity, bar.segments[0].value])
        .filter((value) => value > 0),
    );
    return [10 ** Math.floor(Math.log10(least / 1.5)), high];
  }

  draw() {
    this.plot?.destroy();
    const { spec } = this;
    const colours = theme();
    this.width = widthOf(this.host);
    const isNarrow = this.width < 480;
    this.row = isNarrow || spec.bars.some((bar) => bar.sub) ? 38 : 28;
    const measure = element("canvas").getContext("2d");
    const longest = (texts, size) => {
      measure.font = font(size);
      return Math.max(0, ...texts.map((text) => measure.measureText(text ?? "").width));
    };
    const labels = Math.max(
      longest(
        spec.bars.map(({ label }) => label),
        13,
      ),
      longest(
        spec.bars.map(({ sub }) => sub),
        11,
      ),
    );
    this.labelRoom = Math.min(labels + 14, this.width * 0.42);
    const right = Math.min(
      longest(
        spec.bars.map(({ text }) => text),
        12,
      ) + 12,
      this.width * 0.34,
    );
    const range = this.range();
    const count = spec.bars.length;
    const values = {
      ...axisBase(colours),
      scale: "y",
      side: 2,
      label: spec.x.label,
      values: labelTicks(spec.x.format),
      space: 56,
      size: 26,
    };
    if (spec.x.log) Object.assign(values, { splits: () => logTicks(...range), filter: (_, ticks) => ticks });
    const options = {
      width: this.width,
      height: count * this.row + 50,
      padding: [4, right, 4, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, ori: 1, dir: -1, range: () => [-0.5, count - 0.5] },
        y: { ori: 0, dir: 1, distr: spec.x.log ? 3 : 1, range: () => range },
      },
      axes: [
        {
          side: 3,
          size: this.labelRoom,
          splits: () => [],
          values: () => [],
          grid: { show: false },
          ticks: { show: false },
        },
        values,
      ],
      series: [{}, { scale: "y", paths: () => null, points: { show: false } }],
      hooks: { draw: [(plot) => this.drawBars(plot)] },
    };
    const ends = spec.bars.map((bar) => bar.segments.reduce((all, { value }) => all + value, 0));
    this.plot = new uPlot(options, [spec.bars.map((_, i) => i), ends], this.host);
  }

  drawBars(plot) {
    const { ctx } = plot;
    ctx.save();
    ctx.textBaseline = "middle";
    this.spec.bars.forEach((bar, i) => this.drawBar(plot, ctx, bar, plot.valToPos(i, "x", true)));
    ctx.restore();
  }

  drawBar(plot, context, bar, y) {
    const ratio = devicePixelRatio;
    const colours = theme();
    const at = (value) => plot.valToPos(value, "y", true);
    const [low] = [plot.scales.y.min];
    const half = Math.min(this.row * 0.29, 11) * ratio;
    const origin = this.spec.x.log ? low : 0;
    let [left, right] = [origin, origin];
    let end = at(origin);
    for (const segment of bar.segments) {
      const isNegative = segment.value < 0;
      const from = this.spec.x.log ? origin : isNegative ? left : right;
      const to = this.spec.x.log ? segment.value : from + segment.value;
      if (isNegative) left = to;
      else right = to;
      this.drawSegment(context, bar, segment, at(from), at(Math.max(to, low)), y, half);
      end = Math.max(end, at(Math.max(to, low)));
    }
    if (isNumber(bar.high)) {
      const [from, to] = [at(Math.max(bar.low, low)), at(bar.high)];
      const whisker = new Path2D();
      whisker.moveTo(from, y);
      whisker.lineTo(to, y);
      for (const tip of [from, to]) {
        whisker.moveTo(tip, y - half * 0.55);
        whisker.lineTo(tip, y + half * 0.55);
      }
      // A rim, so that it stands out from bars of any colour.
      for (const [colour, width] of [
        [colours.surface, 4],
        [colours.text, 1.5],
      ]) {
        context.strokeStyle = colour;
        context.lineWidth = width * ratio;
        context.stroke(whisker);
      }
      end = Math.max(end, to);
    }
    const room = plot.bbox.left - 10 * ratio;
    context.textAlign = "right";
    context.fillStyle = colours.text;
    context.font = font(13 * ratio);
    context.fillText(bar.label, room, bar.sub ? y - 7 * ratio : y, room - 2);
    context.font = font(11 * ratio);
    context.fillStyle = colours.muted;
    if (bar.sub) context.fillText(bar.sub, room, y + 8 * ratio, room - 2);
    context.textAlign = "left";
    context.fillStyle = colours.text;
    context.font = font(12 * ratio);
    context.fillText(bar.text ?? "", end + 6 * ratio, y);
  }

  drawSegment(context, bar, segment, from, to, y, half) {
    const ratio = devicePixelRatio;
    const colour = segment.colour();
    const [left, width] = [Math.min(from, to), Math.abs(to - from)];
    context.globalAlpha = bar.isHollow ? 0.22 : 1;
    context.fillStyle = fillOf(context, colour, segment.pattern, ratio);
    context.fillRect(left, y - half, width, 2 * half);
    context.globalAlpha = 1;
    if (bar.isHollow || segment.pattern) {
      context.strokeStyle = colour;
      context.lineWidth = 1.25 * ratio;
      context.setLineDash(bar.isHollow ? [4 * ratio, 3 * ratio] : []);
      context.strokeRect(left, y - half, width, 2 * half);
      context.setLineDash([]);
    }
    if (bar.segments.length > 1) {
      // A gap between neighbours, so that they are told apart without their colours.
      context.fillStyle = theme().surface;
      context.fillRect(Math.max(from, to) - ratio, y - half, ratio, 2 * half);
      context.font = font(11 * ratio);
      const text = segment.name ? context.measureText(segment.name).width : Infinity;
      if (text + 10 * ratio < width) {
        context.fillStyle = theme().surface;
        if (segment.pattern) {
          context.fillRect(
            left + width / 2 - text / 2 - 4 * ratio,
            y - 7 * ratio,
            text + 8 * ratio,
            14 * ratio,
          );
          context.fillStyle = theme().text;
        }
        context.textAlign = "center";
        context.fillText(segment.name, left + width / 2, y);
      }
    }
  }
}
