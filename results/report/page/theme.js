// Colours, and markers, dashes and fills for those who cannot tell them apart. These may run out; the README
// says what then differs by colour alone.

const themes = {
  light: {
    text: "#1b2330",
    muted: "#5b6675",
    grid: "#e3e7ee",
    surface: "#ffffff",
    // Okabe and Ito's palette, darkened where it would be faint on white.
    colours: ["#0072b2", "#d55e00", "#00805e", "#a8447f", "#8a6a00", "#3f94cf", "#7a3b00", "#5b4bb5"],
    controls: ["#5f6b7a", "#8a94a3", "#3d4653"],
    parts: { harness: "#5f6b7a", wire: "#0072b2", library: "#d55e00", client: "#a8447f", server: "#00805e" },
    levels: {
      valid: "#00805e",
      suspect: "#b98500",
      invalid: "#c43c2d",
      failed: "#7a1d14",
      unjudged: "#8a94a3",
    },
  },
  dark: {
    text: "#e6eaf0",
    muted: "#9aa6b5",
    grid: "#2b3441",
    surface: "#151b23",
    colours: ["#56b4e9", "#ff8f52", "#2fc79a", "#e791c6", "#e3c23c", "#9db7ff", "#d2a27a", "#b9a7ff"],
    controls: ["#9aa6b5", "#6f7b8a", "#c6cfda"],
    parts: { harness: "#9aa6b5", wire: "#56b4e9", library: "#ff8f52", client: "#e791c6", server: "#2fc79a" },
    levels: {
      valid: "#2fc79a",
      suspect: "#e3c23c",
      invalid: "#ff7a6b",
      failed: "#ff9d92",
      unjudged: "#6f7b8a",
    },
  },
};

const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
let isPrinting = false;
const theme = () => (prefersDark.matches && !isPrinting ? themes.dark : themes.light);

const dashes = [[], [7, 4], [10, 3, 2, 3], [4, 2], [14, 3, 2, 3, 2, 3]];
/** Of service time alone. */
const dotted = [2, 3];

/** Outlines within a square of 2 by 2 around the origin. */
const markers = [
  "M1 0A1 1 0 1 1 -1 0A1 1 0 1 1 1 0Z",
  "M-.9-.9H.9V.9H-.9Z",
  "M0-1.1L1.05.85H-1.05Z",
  "M0-1.25L1.25 0L0 1.25L-1.25 0Z",
  "M0 1.1L1.05-.85H-1.05Z",
  "M-.4-1.1H.4V-.4H1.1V.4H.4V1.1H-.4V.4H-1.1V-.4H-.4Z",
  "M-1.1-.8L-.8-1.1L0-.3L.8-1.1L1.1-.8L.3 0L1.1.8L.8 1.1L0 .3L-.8 1.1L-1.1.8L-.3 0Z",
];

const rising = "M-6 6L0 0M0 6L6 0M6 6L12 0";
const falling = "M-6 0L0 6M0 0L6 6M6 0L12 6";
/** Plain, or strokes 2 wide within a tile of 6 by 6: stripes, dots, cross stripes and so on. */
const fills = [
  "",
  rising,
  "M3 2A1 1 0 1 1 3 4A1 1 0 1 1 3 2",
  rising + falling,
  "M0 3H6",
  falling,
  "M3 0V6",
];

/** kind: any number from 0 on. */
function fillOf(context, colour, kind, ratio) {
  const strokes = fills[(kind ?? 0) % fills.length];
  if (!strokes) return colour;
  const tile = element("canvas", { width: 6 * ratio, height: 6 * ratio });
  const brush = tile.getContext("2d");
  brush.scale(ratio, ratio);
  brush.strokeStyle = colour;
  brush.lineWidth = 2;
  brush.stroke(new Path2D(strokes));
  return context.createPattern(tile, "repeat");
}

function lineSwatch(style) {
  const colour = style.colour();
  return drawing(
    "svg",
    { width: 34, height: 12, viewBox: "0 0 34 12", "aria-hidden": "true" },
    drawing("path", {
      d: "M1 6H33",
      stroke: colour,
      "stroke-width": 2,
      fill: "none",
      "stroke-dasharray": style.dash.join(" ") || undefined,
    }),
    style.marker === undefined
      ? ""
      : drawing("path", {
          d: markers[style.marker % markers.length],
          transform: "translate(17 6) scale(4)",
          fill: colour,
        }),
  );
}

function boxSwatch(colour, kind) {
  const context = element("canvas").getContext("2d");
  const out = element("canvas", { class: "swatch", width: 24, height: 24, "aria-hidden": "true" });
  const brush = out.getContext("2d");
  brush.fillStyle = fillOf(context, colour, kind, 2);
  brush.fillRect(0, 0, 24, 24);
  brush.strokeStyle = colour;
  brush.lineWidth = 3;
  brush.strokeRect(0, 0, 24, 24);
  return out;
}
