// What line charts and bars share. uPlot lays out scales and axes; what it has no series for is drawn into
// its canvas.

const font = (size) => `${size}px system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;

/** All charts of the page, to be drawn anew when width, colours or medium change. */
const charts = [];
const redrawAll = () => charts.forEach((chart) => chart.draw());

const widths = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const chart = charts.find(({ host }) => host === target);
    if (chart && Math.abs(chart.width - target.clientWidth) > 1) chart.draw();
  }
});

function register(chart) {
  charts.push(chart);
  chart.draw();
  widths.observe(chart.host);
}

/** Printed pages are narrower than most windows and do not tell how wide they are. */
const printedWidth = 660;
function widthOf(host) {
  if (!isPrinting) return Math.max(host.clientWidth, 200);
  return host.closest(".pair") ? printedWidth / 2 - 12 : printedWidth;
}

function axisBase(colours) {
  return {
    stroke: colours.text,
    font: font(12),
    labelFont: font(12),
    labelSize: 20,
    labelGap: 2,
    gap: 5,
    grid: { stroke: colours.grid, width: 1 },
    ticks: { stroke: colours.grid, width: 1, size: 5 },
  };
}

/** Where a logarithmic axis has its labels: at powers of 10, between them only where there is room. */
function logTicks(low, high) {
  const decades = Math.log10(high / low);
  const steps = decades < 1 ? [1, 1.5, 2, 3, 4, 5, 7] : decades < 3 ? [1, 2, 5] : [1];
  const every = Math.ceil(decades / 8);
  const out = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power) {
    if (power % every !== 0) continue;
    for (const step of steps) out.push(step * 10 ** power);
  }
  return out.filter((tick) => tick >= low && tick <= high);
}

const labelTicks = (format) => (_, ticks) =>
  ticks.map((tick) =>
    tick === null ? "" : tick === 0 ? short(format(0)).replace(/\s(ns|B)$/u, "") : short(format(tick)),
  );

/** items: [text, colour(), pattern] */
function boxLegend(items) {
  const host = element("ul", { class: "legend boxes" });
  const draw = () =>
    host.replaceChildren(
      ...items.map(([text, colour, pattern]) =>
        element("li", {}, boxSwatch(colour(), pattern), element("span", { text })),
      ),
    );
  register({ host, draw });
  return host;
}
