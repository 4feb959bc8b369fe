import type { Env, MarkdownIt, StateCore, Token } from "markdown-it";

import type { RemovedParts } from "./removed-parts.ts";
import { restoreHiddenPipes } from "./wiki-links.ts";

/** A definition of a link or a footnote. It is shown only where the text refers to it. */
interface Definition {
  readonly label: string;
  readonly line: number;
  readonly text: string;
}

interface Definitions {
  readonly links: readonly Definition[];
  readonly footnotes: readonly Definition[];
  /** Labels of the link definitions that the text refers to. */
  readonly used: Set<string>;
}

const definitionsOf = new WeakMap<Env, Definitions>();

/** Adds rules to the parser that record a text's definitions and their uses, for `reportUnusedDefinitions`. */
export function trackDefinitions(markdown: MarkdownIt): void {
  markdown.core.ruler.after("block", "note_definitions", (state) => {
    const footnotes = readFootnotes(state.tokens, state.src);
    definitionsOf.set(state.env, { links: readLinks(state), footnotes, used: new Set() });
  });
  // Record each lookup of a definition from here on: all blocks are parsed now, so only links look up
  // definitions.
  markdown.core.ruler.after("strip_references", "note_lookups", ({ env }) => {
    const used = definitionsOf.get(env)?.used;
    if (!used || !env.references) return;
    env.references = new Proxy(env.references, {
      get(references, label) {
        used.add(String(label));
        return Reflect.get(references, label);
      },
    });
  });
}

function readLinks({ tokens, src }: StateCore): Definition[] {
  const definitions = tokens.filter(({ type }) => type === "reference_definition");
  if (definitions.length === 0) return [];
  const lines = src.split("\n");
  return definitions.map((definition) => {
    const [start, end] = definition.map ?? [0, 0];
    const written = lines.slice(start, end).join("\n");
    return {
      label: readLabel(definition),
      line: start + 1,
      text: restoreHiddenPipes(written.trim()),
    };
  });
}

function readFootnotes(tokens: readonly Token[], src: string): Definition[] {
  const lines = src.split("\n");
  const footnotes: Definition[] = [];
  let start = 0;
  for (const [index, { type }] of tokens.entries()) {
    if (type === "footnote_reference_open") start = index;
    if (type !== "footnote_reference_close") continue;
    const inside = tokens.slice(start, index);
    const label = readLabel(inside[0]);
    const maps = inside.flatMap(({ map }) => (map ? [map] : []));
    const first = maps[0]?.[0] ?? 0;
    const written = lines
      .slice(first, Math.max(...maps.map(([, end]) => end)))
      .join("\n")
      .trim();
    // If the footnote's text begins on the line after its label, put the label before the text.
    const text = written.includes(`[^${label}]`) ? written : `[^${label}]: ${written}`;
    footnotes.push({ label, line: first + 1, text: restoreHiddenPipes(text) });
  }
  return footnotes;
}

function readLabel(token: Token | undefined): string {
  const label = token?.meta?.["label"];
  return typeof label === "string" ? label : "";
}

/** Reports the definitions that a parsed text does not show. */
export function reportUnusedDefinitions(
  tokens: readonly Token[],
  env: Env,
  removed: RemovedParts,
): void {
  const { links = [], footnotes = [], used = new Set() } = definitionsOf.get(env) ?? {};
  const defined = new Set<string>();
  for (const { label, line, text } of links) {
    if (defined.has(label)) removed.add({ rule: "definition_repeated", line, text });
    else if (!used.has(label)) removed.add({ rule: "definition_unused", line, text });
    defined.add(label);
  }
  const shown = new Set(tokens.filter(({ type }) => type === "footnote_open").map(readLabel));
  const later = new Set<string>();
  for (const { label, line, text } of footnotes.toReversed()) {
    if (later.has(label)) removed.add({ rule: "footnote_repeated", line, text });
    else if (!shown.has(label)) removed.add({ rule: "footnote_unused", line, text });
    later.add(label);
  }
}
