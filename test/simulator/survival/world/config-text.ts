/** What stands in a configuration: a text in quotes, or a comment. */
const pieces = /"(?:[^"\\]|\\.)*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

/** The text as a plugin writes it back: no comments, no trailing commas, every number as it was. */
export const rewrite = (text: string): string =>
  text
    .replaceAll(pieces, (piece) => (piece.startsWith('"') ? piece : ""))
    .replaceAll(/"(?:[^"\\]|\\.)*"|,(?=\s*[\]}])/g, (piece) => (piece === "," ? "" : piece))
    .replaceAll(/[ \t]+$/gm, "")
    .replaceAll(/\n{2,}/g, "\n");

/** Why a plugin could not load it; null where it can. NaN and comments are no hindrance. */
export function problemOf(text: string): string | null {
  const strict = rewrite(text).replaceAll(/"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g, (piece) =>
    piece.startsWith('"') ? piece : "0",
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
