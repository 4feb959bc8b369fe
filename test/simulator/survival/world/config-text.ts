/** Matches a quoted text or a comment. */
const pieces = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/**
 * Returns the text as a plugin saves it: without comments and trailing commas, and with unchanged
 * numbers.
 */
export const normalizeConfigText = (text: string): string =>
  text
    .replaceAll(pieces, (piece) => (piece.startsWith('"') ? piece : ""))
    .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, (piece) => (piece === "," ? "" : piece))
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{2,}/g, "\n");

/**
 * Returns why a plugin cannot load the text, or null if it can. A plugin accepts NaN and comments.
 */
export function problemOf(text: string): string | null {
  const strict = normalizeConfigText(text).replaceAll(
    /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g,
    (piece) => (piece.startsWith('"') ? piece : "0"),
  );
  try {
    const value: unknown = JSON.parse(strict);
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isObject) return "Error converting value to type PluginConfig";
    return "FailOnLoad" in value ? "Object reference not set to an instance of an object" : null;
  } catch (error) {
    return error instanceof Error ? error.message : "unreadable";
  }
}
