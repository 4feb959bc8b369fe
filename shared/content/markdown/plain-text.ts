import type { Token } from "markdown-it";

import { limits } from "../../platform/limits.ts";
import { shorten } from "../text/clean.ts";

/** The text of one block without its markup. */
export const textOf = ({ content, children }: Token): string =>
  (children ? textOfParts(children) : content).replaceAll(/\s+/g, " ").trim();

/** An image's text is what stands for it. */
function textOfPart(part: Token): string {
  if (part.type === "softbreak" || part.type === "hardbreak") return " ";
  return part.type === "image" ? textOf(part) : part.content;
}

/** The text of consecutive parts of one block. */
export const textOfParts = (parts: readonly Token[]): string => parts.map(textOfPart).join("");

/** The text of all blocks, a line for each. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(textOf).filter(Boolean).join("\n");

/** What the first paragraph says, in short. */
export function firstParagraph(tokens: readonly Token[]): string {
  const texts = tokens.map((token, index) =>
    tokens[index - 1]?.type === "paragraph_open" ? textOf(token) : "",
  );
  return shorten(texts.find(Boolean) ?? "", limits.content.excerpt);
}
