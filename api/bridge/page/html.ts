/** HTML that templates insert without escaping. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type HtmlValue = Html | string | number | readonly (Html | string)[];

const signs: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? sign);

const partOf = (part: HtmlValue): string => {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(partOf).join("");
  return escaped(String(part));
};

/** Builds HTML from a template and escapes each value that is not HTML. */
export const html = (strings: TemplateStringsArray, ...parts: readonly HtmlValue[]): Html =>
  new Html(
    strings.map((text, at) => text + (at < parts.length ? partOf(parts[at] ?? "") : "")).join(""),
  );

/** Renders a catalog's sentence, in which backquotes mark code. */
export const renderSentence = (text: string): Html =>
  html`${text.split("`").map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`;

export const renderJson = (value: unknown): Html =>
  html`<pre><code>${JSON.stringify(value, null, 2)}</code></pre>`;

/** Renders a table. Text cells are rendered with `renderSentence`. */
export const renderTable = (
  head: readonly string[],
  rows: readonly (readonly (Html | string)[])[],
): Html => html`<table>
<thead><tr>${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (
    row,
  ) => html`<tr>${row.map((cell) => html`<td>${cell instanceof Html ? cell : renderSentence(cell)}</td>`)}</tr>
`,
)}</tbody>
</table>
`;
