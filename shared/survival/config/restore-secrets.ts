import { secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { JsonFault } from "./config-json.ts";
import {
  type ConfigContainer,
  type ConfigPart,
  type ConfigParts,
  isLeaf,
  readConfigParts,
} from "./config-parts.ts";
import {
  parseSecretMask,
  maskSecrets,
  maxPointerLength,
  type ConfigSecrets,
  readSecrets,
  replaceConfigParts,
  sumPointerLengths,
  tooManySecretsFault,
} from "./config-secrets.ts";

export interface RestoredConfig {
  readonly text: string;
  /** Pointers or comments of masks whose secret is unknown. If there are any, do not write the text. */
  readonly unresolved: readonly string[];
}

type RestoreResult =
  | RestoredConfig
  | { readonly fault: JsonFault }
  | { readonly doubled: string }
  /** Pointers or comments of masks whose secret would no longer be masked at the new position. */
  | { readonly exposed: readonly string[] };

/**
 * Replaces each mask in a text from a client with the secret of the original. A mask in a list that
 * became shorter stays unresolved, because its entry cannot be identified. A secret is restored only
 * where masking would hide it again.
 */
export function restoreSecrets(sent: string, original: string): RestoreResult {
  const read = readConfigParts(sent);
  if ("fault" in read) return read;
  if (read.doubled) return { doubled: read.doubled.pointer };
  const masks = read.parts.filter((part) => parseSecretMask(part) !== undefined);
  if (masks.length === 0) return { text: sent, unresolved: [] };
  if (sumPointerLengths(masks.map(placeOf)) > maxPointerLength) {
    return { fault: tooManySecretsFault };
  }
  const known = createMaskResolver(original, read);
  const restored = masks.map(known);
  const text = replaceConfigParts(sent, masks, (_mask, at) => restored[at] ?? "null");
  const unknown = masks.filter((_mask, at) => restored[at] === undefined);
  if (unknown.length > 0) return { text: sent, unresolved: unknown.map(placeOf) };
  return checkCovered({ sent: read, masks, text });
}

const placeOf = (part: ConfigPart): string => (part.part === "comment" ? part.value : part.pointer);

interface RestoredParts {
  readonly sent: ConfigParts;
  readonly masks: readonly ConfigPart[];
  readonly text: string;
}

/** Checks that masking would hide each restored secret, by reading the restored text. */
function checkCovered({ sent, masks, text }: RestoredParts): RestoreResult {
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

/**
 * Returns where the client's text contains a key that occurs twice after the secrets were restored. Keys can be
 * secret too, and two masks can stand for the same key.
 */
function sentPlaceOf(
  key: ConfigPart,
  { read, sent }: { readonly read: ConfigParts; readonly sent: ConfigParts },
): string {
  const part = sent.parts[read.parts.indexOf(key)];
  return part ? placeOf(part) : "";
}

/** Returns the original text for a mask; undefined if the masked original does not contain the mask. */
type ResolveMask = (mask: ConfigPart) => string | undefined;

/** Creates a lookup by mask. It finds nothing if the original cannot be masked. */
function createMaskResolver(original: string, sent: ConfigParts): ResolveMask {
  const masked = maskSecrets(original);
  const read = readSecrets(original);
  if (!("text" in masked) || "fault" in read) return () => undefined;
  const shown = readConfigParts(masked.text);
  return "fault" in shown ? () => undefined : resolveMasks(original, { read, shown, sent });
}

interface ParsedVersions {
  readonly read: ConfigSecrets;
  /** The masked original, with the same parts in the same order as the original. */
  readonly shown: ConfigParts;
  readonly sent: ConfigParts;
}

function resolveMasks(original: string, { read, shown, sent }: ParsedVersions): ResolveMask {
  const isMovable = shrunkListCheck(shown, sent);
  const values = new Map<string, ConfigPart>();
  for (const [at, part] of shown.parts.entries()) {
    const known = read.parts[at];
    if (!known || !isLeaf(part) || part.value !== secretMask) continue;
    if (!isMovable(part.container)) values.set(part.pointer, known);
  }
  const numbered = read.parts.filter((part) => !isLeaf(part) && read.secrets.has(part));
  return (mask) => {
    const { number } = parseSecretMask(mask) ?? {};
    const part = isLeaf(mask) ? values.get(mask.pointer) : numbered[(number ?? 0) - 1];
    if (!part || (!isLeaf(mask) && !hasSameKind(part, mask))) return undefined;
    return original.slice(part.offset, part.offset + part.length);
  };
}

/**
 * A comment must have the same kind as its mask: a line comment in place of a block comment would swallow text.
 */
const hasSameKind = (part: ConfigPart, mask: ConfigPart): boolean =>
  part.part === mask.part && (mask.part === "key" || part.value[1] === mask.value[1]);

/** Returns a function that checks if a container is in a list that became shorter, at any depth. */
function shrunkListCheck(
  original: ConfigParts,
  sent: ConfigParts,
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
