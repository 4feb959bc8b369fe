import type { ConsoleMessage, Page } from "playwright-core";

/** The properties of an element in the browser that the checks read. */
interface PaintedElement {
  readonly parentElement: PaintedElement | null;
  readonly childNodes: Iterable<{ readonly nodeType: number; readonly textContent: string | null }>;
  checkVisibility(): boolean;
}
declare const document: {
  readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number };
  querySelectorAll(selector: string): Iterable<PaintedElement>;
};
declare function getComputedStyle(element: PaintedElement): {
  readonly color: string;
  readonly backgroundColor: string;
};

/** Returns the number of pixels by which the page is wider than its window. */
export const overflowOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

/**
 * Returns the texts whose contrast with their background is below 4.5 to 1, each with its contrast.
 */
export const findLowContrastTexts = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const channels = (color: string): number[] => (color.match(/[\d.]+/g) ?? []).map(Number);
    const isPaint = (color: string): boolean => (channels(color)[3] ?? 1) > 0;
    const behind = (element: PaintedElement | null): string => {
      if (!element) return "rgb(255, 255, 255)";
      const { backgroundColor } = getComputedStyle(element);
      return isPaint(backgroundColor) ? backgroundColor : behind(element.parentElement);
    };
    const luminance = (color: string): number => {
      const [red = 0, green = 0, blue = 0] = channels(color).map((channel) => {
        const share = channel / 255;
        return share <= 0.040_45 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const textNode = 3;
    const textOf = (element: PaintedElement): string =>
      [...element.childNodes]
        .filter(({ nodeType }) => nodeType === textNode)
        .map(({ textContent }) => textContent?.trim() ?? "")
        .join("");
    return [...document.querySelectorAll("body *")].flatMap((element) => {
      const text = textOf(element);
      if (text === "" || !element.checkVisibility()) return [];
      const [darker = 0, lighter = 0] = [getComputedStyle(element).color, behind(element)]
        .map(luminance)
        .toSorted((one, other) => one - other);
      const contrast = (lighter + 0.05) / (darker + 0.05);
      return contrast < 4.5 ? [`${contrast.toFixed(2)}: ${text}`] : [];
    });
  });

/** Returns a message of a page's console. A failed request has its path at the end. */
function complaintOf(message: ConsoleMessage): string {
  const text = message.text();
  if (!text.startsWith("Failed to load resource")) return text;
  return `${text} ${new URL(message.location().url).pathname}`;
}

/** Collects the errors on a page's console and its violations of the content security policy. */
export async function collectPageErrors(page: Page): Promise<readonly string[]> {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) complaints.push(complaintOf(message));
  });
  await page.exposeFunction("complain", (text: string) => complaints.push(text));
  await page.addInitScript(
    `addEventListener("securitypolicyviolation", (violation) =>
       complain(violation.violatedDirective + " " + violation.blockedURI))`,
  );
  return complaints;
}
