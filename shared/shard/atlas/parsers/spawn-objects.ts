import type { AtlasEntry } from "../../calls/atlas-records.ts";
import { anyNumber, cleanText, wholeNumber } from "./fields.ts";

const minuteSeconds = 60;

/** Entries of one spawner; stock trees have at most 26. */
const maxEntries = 1_000;

/**
 * Entries as XmlSpawner2 writes them: `orc:MX=3:SB=0:…:OBJ=ettin:MX=1:…`, in minutes.
 * A tail that is broken off costs its own values, not the entry.
 */
export function readObjects2(text: string): AtlasEntry[] {
  return text.split(":OBJ=", maxEntries).flatMap((object) => {
    const end = object.search(/:[A-Z]{2}=/);
    const spec = end === -1 ? object : object.slice(0, end);
    const settings = object.slice(spec.length);
    const max = wholeNumber(settingOf(settings, "MX")) ?? 1;
    const delays = [settingOf(settings, "DN"), settingOf(settings, "DX")].map(readDelay);
    return toEntry(spec, { max, delays });
  });
}

/** The value of the last setting of that name in `:MX=3:SB=0:…`. */
function settingOf(settings: string, name: string): string | undefined {
  const head = `:${name}=`;
  const at = settings.lastIndexOf(head);
  if (at === -1) return undefined;
  const end = settings.indexOf(":", at + head.length);
  return settings.slice(at + head.length, end === -1 ? undefined : end);
}

/** Entries as the first XmlSpawner wrote them: `Orc=3:Ettin=1`. */
export function readObjects(text: string): AtlasEntry[] {
  return text.split(":", maxEntries).flatMap((object) => {
    const at = object.lastIndexOf("=");
    const max = at === -1 ? 1 : (wholeNumber(object.slice(at + 1)) ?? 1);
    return toEntry(at === -1 ? object : object.slice(0, at), { max, delays: [] });
  });
}

function readDelay(text: string | undefined): number | null {
  const minutes = anyNumber(text);
  return minutes === undefined || minutes < 0 ? null : minutes * minuteSeconds;
}

interface EntryValues {
  readonly max: number;
  readonly delays: readonly (number | null)[];
}

/** The type ends where its arguments or properties begin. */
function toEntry(spec: string, { max, delays }: EntryValues): AtlasEntry[] {
  const end = spec.search(/[,/<]/);
  const type = cleanText(end === -1 ? spec : spec.slice(0, end));
  // What begins with # is a condition or a position of the spawner's own language.
  if (type === null || type.startsWith("#")) return [];
  return [
    {
      type,
      typeKey: type.toLowerCase(),
      max,
      probability: null,
      args: end === -1 ? null : cleanText(spec.slice(end)),
      minDelaySec: delays[0] ?? null,
      maxDelaySec: delays[1] ?? null,
    },
  ];
}
