import type { Token } from "markdown-it";

import { limits } from "../../platform/limits.ts";
import { shortenText } from "../text/clean.ts";

/** Returns the text of one block without markup. */
export const blockText = ({ content, children }: Token): string =>
  (children ? joinInlineText(children) : content).replaceAll(/\s+/g, " ").trim();

/** The text of an image is its alternative text. */
function inlineText(part: Token): string {
  if (part.type === "softbreak" || part.type === "hardbreak") return " ";
  return part.type === "image" ? blockText(part) : part.content;
}

export const joinInlineText = (parts: readonly Token[]): string => parts.map(inlineText).join("");

/** Returns the text of all blocks, one line per block. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens.map(blockText).filter(Boolean).join("\n");

/** Returns the first paragraph without markup, shortened to an excerpt. */
export function firstParagraph(tokens: readonly Token[]): string {
  const texts = tokens.map((token, index) =>
    tokens[index - 1]?.type === "paragraph_open" ? blockText(token) : "",
  );
  return shortenText(texts.find(Boolean) ?? "", limits.content.excerpt);
}
