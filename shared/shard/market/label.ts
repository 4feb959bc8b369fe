import { type ClilocTexts, fillCliloc } from "./cliloc-text.ts";
import { digestOf } from "./digest.ts";

/** What a listing is called by: its literal name if it has one, else a cliloc with its arguments. */
export interface Label {
  readonly key: string;
  readonly name: string | null;
  readonly cliloc: number | null;
  readonly args: string | null;
}

interface Named {
  readonly name?: string | null | undefined;
  readonly cliloc?: number | null | undefined;
  readonly args?: string | null | undefined;
}

/** Longer names would not fit into an index entry, and no list shows them. */
const longestName = 500;

/** Listings that are called alike share a label; its key is the same wherever it is made. */
export function labelOf(named: Named): Label {
  const name = named.name?.trim() ? named.name : null;
  const cliloc = named.cliloc ?? null;
  // With a literal name the arguments say nothing, and would split one name into many labels.
  const args = (name === null && cliloc !== null && named.args) || null;
  return { key: digestOf([name, cliloc, args]), name, cliloc, args };
}

/** The name a player reads; null when it is a cliloc's and no loaded table has that text. */
export function displayName(label: Omit<Label, "key">, texts: ClilocTexts): string | null {
  if (label.name !== null) return label.name;
  if (label.cliloc === null) return null;
  const text = fillCliloc({ number: label.cliloc, args: label.args }, texts);
  return text?.slice(0, longestName).toWellFormed() ?? null;
}

/** The form in which names and search terms are compared: without case, in any script. */
export const searchText = (text: string): string =>
  // Lower case writes a final sigma differently, which would hide a word's end inside a longer one.
  text.toLowerCase().replaceAll("ς", "σ");
