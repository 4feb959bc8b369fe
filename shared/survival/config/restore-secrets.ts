import { secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { JsonFault } from "./config-json.ts";
import {
  maskIn,
  maskSecrets,
  mostPointers,
  type ReadSecrets,
  readSecrets,
  replaceParts,
  sizeOf,
  tooManySecrets,
} from "./config-secrets.ts";
import {
  type ConfigContainer,
  type ConfigPart,
  type ConfigTexts,
  isLeaf,
  readConfigTexts,
} from "./config-texts.ts";

export interface RestoredConfig {
  readonly text: string;
  /**
   * JSON pointers of masks for which nothing is known; with one of them nothing may be written. A
   * comment's mask is given as it is written.
   */
  readonly unresolved: readonly string[];
}

type Restored =
  | RestoredConfig
  | { readonly fault: JsonFault }
  | { readonly doubled: string }
  /** Masks whose secret would be shown where they stand, as `unresolved` gives them. */
  | { readonly exposed: readonly string[] };

/**
 * A configuration that was sent back, with each mask replaced by the secret of the original that it
 * stands for. A mask in a list that has become shorter stands for nothing: which of the entries it was
 * cannot be told. A secret is put back only where it is covered again.
 */
export function restoreSecrets(sent: string, original: string): Restored {
  const read = readConfigTexts(sent);
  if ("fault" in read) return read;
  if (read.doubled) return { doubled: read.doubled.pointer };
  const masks = read.parts.filter((part) => maskIn(part) !== undefined);
  if (masks.length === 0) return { text: sent, unresolved: [] };
  if (sizeOf(masks.map(placeOf)) > mostPointers) return { fault: tooManySecrets };
  const known = readKnown(original, read);
  const restored = masks.map(known);
  const text = replaceParts(sent, masks, (_mask, at) => restored[at] ?? "null");
  const unknown = masks.filter((_mask, at) => restored[at] === undefined);
  if (unknown.length > 0) return { text: sent, unresolved: unknown.map(placeOf) };
  return checkCovered({ sent: read, masks, text });
}

const placeOf = (part: ConfigPart): string => (part.part === "comment" ? part.value : part.pointer);

interface Replaced {
  readonly sent: ConfigTexts;
  readonly masks: readonly ConfigPart[];
  readonly text: string;
}

/** What is restored is read anew: each secret must be one where it now stands. */
function checkCovered({ sent, masks, text }: Replaced): Restored {
  const read = readSecrets(text);
  if ("fault" in read) return read;
  if (read.doubled) return { doubled: sentPlaceOf(read.doubled, { read, sent }) };
  const restored = new Map(sent.parts.map((part, at) => [part, read.parts[at]]));
  const isCovered = (mask: ConfigPart): boolean => {
    const there = restored.get(mask);
    if (!there || sent.parts.length !== read.parts.length) return false;
    return read.secrets.has(there) || there.value === secretMask;
  };
  const shown = masks.filter((mask) => !isCovered(mask));
  return shown.length > 0 ? { exposed: shown.map(placeOf) } : { text, unresolved: [] };
}

/** The place of a restored key as it was sent: two masks may stand for one key, which is secret. */
function sentPlaceOf(
  key: ConfigPart,
  { read, sent }: { readonly read: ConfigTexts; readonly sent: ConfigTexts },
): string {
  const part = sent.parts[read.parts.indexOf(key)];
  return part ? placeOf(part) : "";
}

/** What a mask stands for in the original, as it is written there; undefined for nothing. */
type Known = (mask: ConfigPart) => string | undefined;

/** Of an original that is shown to nobody no mask stands for anything. */
function readKnown(original: string, sent: ConfigTexts): Known {
  const masked = maskSecrets(original);
  const read = readSecrets(original);
  if (!("text" in masked) || "fault" in read) return () => undefined;
  const shown = readConfigTexts(masked.text);
  return "fault" in shown ? () => undefined : knownIn(original, { read, shown, sent });
}

interface Compared {
  readonly read: ReadSecrets;
  /** The original as it is shown: its parts are those of the original, in the same order. */
  readonly shown: ConfigTexts;
  readonly sent: ConfigTexts;
}

function knownIn(original: string, { read, shown, sent }: Compared): Known {
  const isMovable = movableIn(shown, sent);
  const values = new Map<string, ConfigPart>();
  for (const [at, part] of shown.parts.entries()) {
    const known = read.parts[at];
    if (!known || !isLeaf(part) || part.value !== secretMask) continue;
    if (!isMovable(part.container)) values.set(part.pointer, known);
  }
  const numbered = read.parts.filter((part) => !isLeaf(part) && read.secrets.has(part));
  return (mask) => {
    const { number } = maskIn(mask) ?? {};
    const part = isLeaf(mask) ? values.get(mask.pointer) : numbered[(number ?? 0) - 1];
    if (!part || (!isLeaf(mask) && !isOfSort(part, mask))) return undefined;
    return original.slice(part.offset, part.offset + part.length);
  };
}

/** A comment up to the end of a line in the place of another kind would take in what follows. */
const isOfSort = (part: ConfigPart, mask: ConfigPart): boolean =>
  part.part === mask.part && (mask.part === "key" || part.value[1] === mask.value[1]);

/** Whether something stands in a list that has become shorter, at any depth. */
function movableIn(
  original: ConfigTexts,
  sent: ConfigTexts,
): (container: ConfigContainer | undefined) => boolean {
  const hasLost = (list: string): boolean =>
    (sent.lengths.get(list) ?? 0) < (original.lengths.get(list) ?? 0);
  const movable = new Map<ConfigContainer | undefined, boolean>([[undefined, false]]);
  const isMovable = (container: ConfigContainer | undefined): boolean => {
    const known = movable.get(container);
    if (known !== undefined || !container) return known === true;
    const found = (container.isList && hasLost(container.pointer)) || isMovable(container.parent);
    movable.set(container, found);
    return found;
  };
  return isMovable;
}
