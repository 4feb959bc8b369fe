import { words } from "../../words/words.ts";

/** The level of the heading above the preview. */
const levelAbove = 2;

/**
 * Prepares the HTML of a text for the preview. The service has removed everything that could run code.
 * - Links open in another tab, so that no typed text is lost.
 * - The policy of the console forbids pictures of other hosts, so a note with the address replaces them.
 * - Screen readers get heading levels below those of the page's own headings.
 */
export function preparePreviewHtml(html: string): string {
  // The parsed document is inert: it loads no picture.
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const link of body.querySelectorAll("a[href]")) {
    const isWithin = link.getAttribute("href")?.startsWith("#");
    if (isWithin) continue;
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noopener noreferrer");
  }
  for (const image of body.querySelectorAll("img")) {
    const address = image.getAttribute("src") ?? "";
    if (isOwn(address)) continue;
    const note = body.ownerDocument.createElement("span");
    note.className = "soft";
    note.textContent = words.content.picture(image.alt, address);
    image.replaceWith(note);
  }
  tellLevels([...body.querySelectorAll("h1, h2, h3, h4, h5, h6")]);
  for (const table of body.querySelectorAll("table")) {
    const box = body.ownerDocument.createElement("div");
    box.className = "scroll";
    box.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
  return body.innerHTML;
}

const isOwn = (address: string): boolean =>
  URL.canParse(address, location.href) &&
  new URL(address, location.href).origin === location.origin;

const levelOf = ({ localName }: Element): number => Number(localName.slice(1));

/** Sets the levels of headings for screen readers, without a gap between two levels. */
function tellLevels(headings: readonly Element[]): void {
  const top = Math.min(...headings.map(levelOf));
  let last = levelAbove;
  for (const heading of headings) {
    last = Math.min(6, last + 1, levelAbove + 1 + levelOf(heading) - top);
    heading.setAttribute("aria-level", String(last));
  }
}
