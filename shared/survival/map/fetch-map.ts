import type { importCodes } from "../../imports/results/codes.ts";
import { blankMapResult, type MapResult } from "../../imports/results/maps.ts";
import type { ImportRun, ImportHandler } from "../../imports/runs/run-import.ts";
import { BridgeError, type BridgeCode } from "../../platform/bridge/bridge-error.ts";
import type { StorageBounds } from "../../platform/config/survival-bounds.ts";
import type { Context } from "../../platform/context.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { lacksCapability } from "../calls/call-rules.ts";
import { fetchMapImageCall } from "../calls/server-calls.ts";
import type { SurvivalContext } from "../context.ts";
import { type MapImage, readMapImage } from "./read-image.ts";
import { storeMapImage } from "./store-image.ts";

type Apply = ImportRun["apply"];

/** Fetches the image of a server's map at the request of an administrator. */
export const fetchMap: ImportHandler<SurvivalContext> = ({ flags, signal, apply }, context) =>
  fetchAndStore(flags.serverId as number, signal, context, apply);

/** Fetches a newly announced image. @throws Error if a retry may succeed, so that the queue retries */
export async function fetchNewMap(
  { serverId, hash }: { readonly serverId: number; readonly hash: string },
  signal: AbortSignal,
  context: SurvivalContext,
): Promise<MapResult | null> {
  const told = await readCurrentHash(serverId, context);
  const held = await context.models.SurvivalMapImage.count({
    where: { serverId, hash: told ?? hash },
  });
  const server = await context.models.SurvivalServer.findByPk(serverId, {
    attributes: ["enabled"],
  });
  if (held > 0 || !server?.enabled) return null;
  const apply: Apply = (work) => inTransaction(context.sequelize, work);
  const result = await fetchAndStore(serverId, signal, context, apply);
  if (isRetryable(result.code)) {
    throw new Error(`the map image could not be fetched: ${result.reason}`);
  }
  return result;
}

/** Returns the image hash of the current world. The game has no images of older worlds. */
async function readCurrentHash(serverId: number, { models }: Context): Promise<string | null> {
  const state = await models.SurvivalServerState.findByPk(serverId, { attributes: ["map"] });
  const hash: unknown = state?.map?.imageHash;
  return typeof hash === "string" ? hash : null;
}

async function fetchAndStore(
  serverId: number,
  signal: AbortSignal,
  context: SurvivalContext,
  apply: Apply,
): Promise<MapResult> {
  if (lacksCapability(await context.models.SurvivalServerState.findByPk(serverId), "map")) {
    return unavailable("UNSUPPORTED", "the server's plugin does not have the capability map");
  }
  try {
    const image = await download(serverId, signal, context);
    return await store(serverId, image, { apply, bounds: context.config.SURVIVAL_BOUNDS });
  } catch (error) {
    if (!(error instanceof BridgeError)) throw error;
    return unavailable(toMapImportCode(error.code), error.reason);
  }
}

const download = async (
  serverId: number,
  signal: AbortSignal,
  { survival }: SurvivalContext,
): Promise<MapImage> =>
  readMapImage(
    await survival.call(serverId, (control) => control.download(fetchMapImageCall, { signal })),
  );

interface Storing {
  readonly apply: Apply;
  readonly bounds: StorageBounds;
}

const store = (serverId: number, image: MapImage, { apply, bounds }: Storing): Promise<MapResult> =>
  apply(async (transaction) => {
    const stored = await storeMapImage(serverId, image, bounds, transaction);
    return stored
      ? { ...blankMapResult, status: stored.isNew ? "fetched" : "unchanged", hash: image.hash }
      : unavailable("BUSY", "the site does not know the world of the map image yet");
  });

const unavailable = (code: MapImportCode, reason: string): MapResult => ({
  ...blankMapResult,
  status: "unavailable",
  code,
  reason,
});

export type MapImportCode = (typeof importCodes.map)[number];

/** Maps a refusal of the game server to the code of a map import. */
export const toMapImportCode = (code: BridgeCode): MapImportCode => codes[code] ?? "MALFORMED";

const codes: { readonly [Code in BridgeCode]?: MapImportCode } = {
  SHARD_DOWN: "SHARD_DOWN",
  // Treat these refusals like a lost connection, because the link must be repaired before a retry.
  UNAUTHORIZED: "SHARD_DOWN",
  PROTOCOL: "SHARD_DOWN",
  UNAVAILABLE: "SHARD_DOWN",
  // Older sidecars lack the call.
  NOT_FOUND: "UNSUPPORTED",
  UNSUPPORTED: "UNSUPPORTED",
  DISABLED: "UNSUPPORTED",
  NO_SOURCE: "UNSUPPORTED",
  NO_IMAGING: "UNSUPPORTED",
  NO_IMAGE: "NO_IMAGE",
  TOO_LARGE: "TOO_LARGE",
  BUSY: "BUSY",
  LIMIT: "BUSY",
};

/** Returns true if a retry may succeed. */
const isRetryable = (code: string | null): boolean =>
  code === "SHARD_DOWN" || code === "BUSY" || code === "MALFORMED";
