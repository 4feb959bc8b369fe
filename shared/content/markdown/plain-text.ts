import type { Token } from "markdown-it";

import { limits } from "../../platform/limits.ts";
import { shorten } from "../text/clean.ts";

/** Returns the text of one block without markup. */
export const textOf = ({ content, children }: Token): string =>
  (children ? textOfParts(children) : content).replaceAll(/\s+/g, " ").trim();

/** The text of an image is its alternative text. */
function textOfPart(part: Token): string {
  if (part.type === "softbreak" || part.type === "hardbreak") return " ";
  return part.type === "image" ? textOf(part) : part.content;
}

export const textOfParts = (parts: readonly Token[]): string => parts.map(textOfPart).join("");

/** Returns the text of all blocks, one line per block. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(textOf).filter(Boolean).join("\n");

/** Returns the first paragraph without markup, shortened to an excerpt. */
export function firstParagraph(tokens: readonly Token[]): string {
  const texts = tokens.map((token, index) =>
    tokens[index - 1]?.type === "paragraph_open" ? textOf(token) : "",
  );
  return shorten(texts.find(Boolean) ?? "", limits.content.excerpt);
}
