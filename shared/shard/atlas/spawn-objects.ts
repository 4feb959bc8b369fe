import type { AtlasEntry } from "../sources/atlas-records.ts";
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
    const [spec = "", ...settings] = object.split(/:(?=[A-Z]{2}=)/);
    const values = new Map(settings.map((setting) => [setting.slice(0, 2), setting.slice(3)]));
    const max = wholeNumber(values.get("MX")) ?? 1;
    const delays = [values.get("DN"), values.get("DX")].map(readDelay);
    return toEntry(spec, { max, delays });
  });
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
