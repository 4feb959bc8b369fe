import type { InferAttributes } from "sequelize";

import type { Cliloc as StoredCliloc } from "../../../models/shard/cliloc.ts";
import { type Database, rows } from "../../platform/db/rows.ts";
import { selectClilocsSql } from "./labels.sql.ts";

type ClilocText = Pick<InferAttributes<StoredCliloc>, "number" | "text">;

/** A text of the client's table by number, and its arguments, separated by tabs. */
export interface Cliloc {
  readonly number: number;
  readonly args: string | null;
}

export type ClilocTexts = ReadonlyMap<number, string>;

/** Maximum depth of references between texts, because references can form a cycle. */
const maxDepth = 4;

/** Placeholders such as `~1_NAME~`. If the last tilde has no partner, the placeholder is the rest of the word. */
const placeholders = /~(\d+)(?:[^~]*~|\w*)/g;

const reference = /^#(\d+)$/;

/** Markup of the client's windows: tags that break a line become a space, others are removed. */
const breaks = /<\/?(?:br|p|div|center|li)\b[^<>]*>/gi;
const markup = /<\/?[a-z][^<>]*>/gi;

/**
 * Returns the text as a player reads it, on one line and without markup. Arguments are filled in
 * (`#1044061` is the text of that number); placeholders without an argument are removed.
 * @returns null if the table has no such text or the result is empty
 */
export function renderClilocText(cliloc: Cliloc, texts: ClilocTexts): string | null {
  const filled = fill(cliloc.number, cliloc.args?.split("\t") ?? [], texts, 0);
  return filled?.replaceAll(/\s+/g, " ").trim() || null;
}

function fill(
  number: number,
  args: readonly string[],
  texts: ClilocTexts,
  depth: number,
): string | undefined {
  const text = depth > maxDepth ? undefined : texts.get(number);
  const other = text === undefined ? undefined : referenceIn(text);
  if (other !== undefined) return fill(other, args, texts, depth + 1);
  const plain = text?.replaceAll(breaks, " ").replaceAll(markup, "");
  return plain?.replaceAll(placeholders, (_, position: string) => {
    const arg = args[Number(position) - 1] ?? "";
    const referenced = referenceIn(arg);
    return referenced === undefined ? arg : (fill(referenced, [], texts, depth + 1) ?? "");
  });
}

function referenceIn(text: string): number | undefined {
  const number = Number(reference.exec(text.trim())?.[1]);
  return number <= 0x7fff_ffff ? number : undefined;
}

/** Reads these texts and the texts to which they refer. */
export async function readClilocTexts(
  clilocs: readonly Cliloc[],
  database: Database,
): Promise<ClilocTexts> {
  const texts = new Map<number, string>();
  let wanted = new Set(clilocs.flatMap(referencedNumbers));
  for (let depth = 0; depth <= maxDepth && wanted.size > 0; depth++) {
    const found = await rows<ClilocText>(database, selectClilocsSql, [[...wanted]]);
    for (const { number, text } of found) texts.set(number, text);
    const named = found
      .map(({ text }) => referenceIn(text))
      .filter((number) => number !== undefined);
    wanted = new Set(named.filter((number) => !texts.has(number)));
  }
  return texts;
}

const referencedNumbers = ({ number, args }: Cliloc): number[] => [
  number,
  ...(args?.split("\t") ?? []).map(referenceIn).filter((named) => named !== undefined),
];
