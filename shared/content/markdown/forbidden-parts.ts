import type { MarkdownIt, Token } from "markdown-it";

import { type ImageRules, isImageSource } from "../../platform/net/image-address.ts";
import { removeInvalidXml } from "../text/clean.ts";
import { findLinkFault } from "./addresses.ts";
import { blockText, joinInlineText } from "./plain-text.ts";
import type { RemovedParts } from "./removed-parts.ts";

/** The position of each token in the text of its block. */
const positions = new WeakMap<Token, number>();

/** Makes the parser record the positions of links and images. */
export function trackLinkPositions(markdown: MarkdownIt): void {
  const { State } = markdown.inline;
  markdown.inline.State = class extends State {
    override push(...given: Parameters<typeof State.prototype.push>): Token {
      const token = super.push(...given);
      positions.set(token, this.pos);
      return token;
    }
  };
}

interface Rules {
  readonly images: ImageRules;
  readonly linkSchemes: readonly string[];
  readonly removed: RemovedParts;
}

/** Removes the disallowed parts of a parsed text and reports each of them. */
export function removeForbiddenMarkup(tokens: readonly Token[], rules: Rules): void {
  let line = 1;
  for (const token of tokens) {
    // The cells of a table have no line of their own, so they use the line of their row.
    if (token.map) line = token.map[0] + 1;
    if (token.type === "fence") reportInfo(token, line, rules.removed);
    if (token.type === "inline") refuseInline(token, line, rules);
  }
}

function reportInfo({ info }: Token, line: number, removed: RemovedParts): void {
  const [, ...dropped] = info.trim().split(/\s+/);
  if (dropped.length > 0) removed.add({ rule: "code_info", line, text: dropped.join(" ") });
}

function refuseInline({ content, children }: Token, firstLine: number, rules: Rules): void {
  const parts = children ?? [];
  const lines = new LineCounter(content, firstLine);
  for (const [index, part] of parts.entries()) {
    const line = lines.at(positions.get(part));
    if (part.type === "link_open") refuseLink(part, { parts, index, line }, rules);
    if (part.type === "image") refuseImage(part, line, rules);
    if (part.type === "text") refuseCharacters(part, line, rules);
  }
}

interface LinkPosition {
  readonly parts: readonly Token[];
  readonly index: number;
  readonly line: number;
}

/** Removes the link but keeps its words. */
function refuseLink(link: Token, { parts, index, line }: LinkPosition, rules: Rules): void {
  const address = String(link.attrGet("href") ?? "");
  const rule = findLinkFault(address, rules.linkSchemes);
  if (!rule) return;
  link.attrs = (link.attrs ?? []).filter(([name]) => name !== "href");
  let end = index + 1;
  while (end < parts.length && parts[end]?.type !== "link_close") end++;
  rules.removed.add({ rule, line, text: joinInlineText(parts.slice(index + 1, end)), address });
}

/** Replaces a disallowed image with its alternative text. */
function refuseImage(image: Token, line: number, { images, removed }: Rules): void {
  const address = String(image.attrGet("src") ?? "");
  if (isImageSource(address, images)) return;
  const text = blockText(image);
  Object.assign(image, { type: "text", tag: "", attrs: null, children: null, content: text });
  removed.add({ rule: "image_source", line, text, address });
}

/** Removes control characters, which an entity such as `&#12;` can produce. */
function refuseCharacters(part: Token, line: number, { removed }: Rules): void {
  const fit = removeInvalidXml(part.content);
  if (fit === part.content) return;
  part.content = fit;
  removed.add({ rule: "control_character", line, text: fit.trim() });
}

/** Counts the lines of a block in one pass, because a long block can have thousands of links. */
class LineCounter {
  readonly #content: string;
  #line: number;
  #position = 0;

  constructor(content: string, firstLine: number) {
    this.#content = content;
    this.#line = firstLine;
  }

  /** @param position undefined if the token has no known position; it then gets the line of the previous token */
  at(position = this.#position): number {
    for (let end = this.#next(); end >= 0 && end < position; end = this.#next()) {
      this.#position = end + 1;
      this.#line++;
    }
    return this.#line;
  }

  #next(): number {
    return this.#content.indexOf("\n", this.#position);
  }
}
