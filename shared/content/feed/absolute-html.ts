/**
 * Rendered HTML with its addresses made absolute, as it is read elsewhere. What the sanitiser wrote
 * holds `<` in tags alone, and attributes in double quotes.
 */
export const absoluteHtml = (html: string, base: string): string =>
  html.replaceAll(/<(?:a|img)\b[^>]*>/g, (tag) =>
    tag.replaceAll(
      / (href|src)="(?![a-z][a-z\d+.-]*:)([^"]*)"/gi,
      (_, name: string, address: string) => ` ${name}="${escapeHtml(resolve(address, base))}"`,
    ),
  );

/** The address is written as HTML, in which an ampersand is an entity. */
const resolve = (address: string, base: string): string =>
  new URL(address.replaceAll("&amp;", "&"), base).href;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
};

/** A text as HTML. */
export const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (sign) => entities[sign] ?? sign);
