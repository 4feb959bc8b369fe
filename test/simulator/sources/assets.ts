import { createRandom } from "../random.ts";
import { bag, itemKinds, marketHues } from "../world/items.ts";
import type { WorldSizes } from "../world/sizes.ts";
import { drawArt } from "./art.ts";
import type { ArtFamily } from "./art.ts";
import { creatureBodies } from "./creatures.ts";
import { pagedSource, sha256 } from "./source.ts";
import type { PagedSource } from "./source.ts";

export const artFamilies = ["body", "item", "land"] as const satisfies readonly ArtFamily[];

/** The bodies of players: human, elf and gargoyle, alive and dead. */
export const playerBodies = [400, 401, 402, 403, 605, 606, 607, 608, 666, 667, 694, 695];

/** The highest id of each family. Most of the lower ids have no picture. */
const highest = { body: 2_047, item: 0xffdc, land: 0x3fff } as const;

export interface AssetKey {
  readonly family: ArtFamily;
  readonly id: number;
  readonly hue: number;
}

/** The catalog of pictures. Each row is a key. */
export interface Assets extends PagedSource<string> {
  /** Returns the hash of a picture. It stays the same when the source changes. */
  readonly hashOf: (key: string) => string;
  /** Returns the picture of a key, or undefined if a valid key has no picture. */
  readonly image: (key: AssetKey) => Buffer | undefined;
  /** Changes the pictures of existing keys, as a patch of the client does. */
  readonly redraw: (keys: readonly string[]) => void;
}

/**
 * Creates the catalog of a client's pictures. The catalog contains each id that the world uses, and the items of
 * the market in their hues.
 */
export function createAssets(seed: string, sizes: WorldSizes): Assets {
  const ids = {
    body: idsOf(seed, "body", [...playerBodies, ...creatureBodies], sizes.bodies),
    item: idsOf(
      seed,
      "item",
      [...itemKinds, bag].map((kind) => kind.itemId),
      sizes.items,
    ),
    land: idsOf(seed, "land", [3, 4, 5, 6], sizes.land),
  };
  const redrawn = new Set<string>();
  const image = ({ family, id, hue }: AssetKey): Buffer | undefined => {
    if (!ids[family].has(id)) return undefined;
    return drawArt(family, id, redrawn.has(keyOf({ family, id, hue })) ? hue + 10_000 : hue);
  };
  const hashes = new Map<string, string>();
  const hashOf = (key: string): string => {
    const hash = hashes.get(key) ?? sha256(image(readAssetKey(key) as AssetKey) as Buffer);
    hashes.set(key, hash);
    return hash;
  };
  const label = `${seed} assets ${sizes.items} ${sizes.land} ${sizes.bodies}`;
  const source = pagedSource(label, (version) => rowsOf(ids, version));
  return {
    get rows() {
      return source.rows;
    },
    fingerprint: () =>
      redrawn.size === 0 ? source.fingerprint() : sha256([source.fingerprint(), ...redrawn].join()),
    change: source.change,
    image,
    hashOf,
    redraw: (keys) => {
      for (const key of keys) {
        redrawn.add(key);
        hashes.delete(key);
      }
    },
  };
}

/**
 * Parses a key such as `body:17`, `item:3922`, `item:3922:1153` (with a hue) or `land:3`.
 * @returns undefined if the key is invalid
 */
export function readAssetKey(key: string): AssetKey | undefined {
  const match = /^(body|item|land):(\d{1,5})(?::(\d{1,4}))?$/.exec(key);
  if (!match) return undefined;
  const [family, id, hue] = [match[1] as ArtFamily, Number(match[2]), Number(match[3] ?? 0)];
  if (id > highest[family] || hue > 3_000) return undefined;
  if (match[3] !== undefined && family !== "item") return undefined;
  return { family, id, hue };
}

const keyOf = ({ family, id, hue }: AssetKey): string =>
  hue === 0 ? `${family}:${id}` : `${family}:${id}:${hue}`;

function idsOf(
  seed: string,
  family: ArtFamily,
  known: readonly number[],
  count: number,
): ReadonlySet<number> {
  const random = createRandom(`${seed}/${family}`);
  const ids = new Set(known);
  while (ids.size < count) ids.add(random.int(1, highest[family]));
  return ids;
}

/**
 * Returns the keys. After a change of the source the first body is missing, as after a patch of the
 * client.
 */
function rowsOf(ids: Record<ArtFamily, ReadonlySet<number>>, version: number): string[] {
  const plain = artFamilies.flatMap((family) =>
    [...ids[family]].slice(family === "body" && version > 0 ? 1 : 0).map((id) => `${family}:${id}`),
  );
  return [
    ...plain,
    ...itemKinds.flatMap(({ itemId }) => marketHues.map((hue) => `item:${itemId}:${hue}`)),
  ];
}
