// Elements. Texts only ever become text nodes, so that a label cannot become markup.

function element(tag, attributes = {}, ...children) {
  const out = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name === "text") out.textContent = value;
    else if (name.startsWith("on")) out.addEventListener(name.slice(2), value);
    else out.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat()) {
    if (child !== undefined && child !== null) out.append(child);
  }
  return out;
}

function drawing(tag, attributes, ...children) {
  const out = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) out.setAttribute(name, value);
  }
  out.append(...children);
  return out;
}

let ids = 0;
const freshId = (what) => `${what}-${++ids}`;

function cellOf(content, column, isHeader) {
  const out = element(isHeader ? "th" : "td", {
    scope: isHeader ? "row" : undefined,
    class: column.number ? "number" : undefined,
  });
  out.append(...(Array.isArray(content) ? content : [content ?? absent]));
  return out;
}

/** columns: {label, number, sort}; the first one names its row. rows: arrays of texts or nodes. */
function table(caption, columns, rows) {
  const body = element(
    "tbody",
    {},
    rows.map((row) =>
      element(
        "tr",
        {},
        row.map((content, i) => cellOf(content, columns[i], i === 0)),
      ),
    ),
  );
  const head = element(
    "tr",
    {},
    columns.map((column) =>
      element("th", { scope: "col", class: column.number ? "number" : undefined, text: column.label }),
    ),
  );
  const out = element("table", {}, element("caption", { text: caption }), element("thead", {}, head), body);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption }, out);
}

const fold = (summary, ...content) => element("details", {}, element("summary", { text: summary }), content);

/** A chart's table, folded until somebody wants it or prints. */
const chartTable = (caption, columns, rows) => fold(`Table: ${caption}`, table(caption, columns, rows));

const note = (text, kind = "note") => element("p", { class: kind, text });

function section(id, title, ...intro) {
  const out = element(
    "section",
    { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title`, text: title }),
  );
  out.append(...intro);
  return out;
}

function badge(level) {
  const marks = { valid: "✓", suspect: "△", invalid: "✕", failed: "✕", unjudged: "·" };
  return element(
    "span",
    { class: `badge ${level}` },
    element("span", { "aria-hidden": "true", text: `${marks[level]} ` }),
    level,
  );
}
