import type { ImportResultCode } from "../../imports/results/codes.ts";
import { SourceFault } from "../../imports/results/source-fault.ts";
import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import {
  type SourceState,
  type PagedReadCode,
  pagedReadCodeOf,
  type PagedReadResult,
} from "../../platform/bridge/calls/walk.ts";
import type { Context } from "../../platform/context.ts";
import { UnreadableSecretError } from "../../platform/crypto/sealed.ts";
import { pluginLimits } from "../../platform/plugin/plugin-limits.ts";
import type { ShardContext } from "../context.ts";
import {
  type LinkedPlugin,
  readSidecarLink,
  type SidecarAddress,
  toUsableLink,
} from "../sidecar/sidecar-link.ts";

/** Maps codes that the API of an import lacks to codes that it has. */
export type FaultCodeMap = Readonly<Partial<Record<PagedReadCode, ImportResultCode>>>;

/**
 * Returns a client that reads a source of the shard page by page. Each call uses the current configuration of the
 * link, and the link's state shows failed calls.
 * @throws {SourceFault} DISABLED if the link is off or unusable
 */
export async function openImportControlClient(context: ShardContext): Promise<ControlClient> {
  const { shard } = context;
  const { kind, protocol } = await readLink(context);
  return {
    protocol,
    ...(kind === "plugin" && { imageKeys: pluginLimits.imageKeys }),
    read: (call, ...given) => shard.call((control) => control.read(call, ...given)),
    command: (call, order, ...given) =>
      shard.call((control) => control.command(call, order, ...given)),
    download: (call, options) => shard.call((control) => control.download(call, options)),
    close: () => undefined,
  };
}

/** Throws for a shard that only answers status packets: it has nothing to import. */
async function readLink({ models, config }: Context): Promise<SidecarAddress | LinkedPlugin> {
  try {
    const link = toUsableLink(await readSidecarLink(models), config.SECRETS_KEYS);
    if (link && link.kind !== "status") return link;
  } catch (error) {
    if (!(error instanceof UnreadableSecretError)) throw error;
  }
  throw new SourceFault("DISABLED", "The link to the shard is off, or its token is missing");
}

/** Reads a manifest. @throws {SourceFault} if the shard refuses or is not ready */
export async function readManifest<Manifest>(
  read: () => Promise<Manifest>,
  stateOf: (manifest: Manifest) => Omit<SourceState, "counts">,
  names: FaultCodeMap,
): Promise<Manifest> {
  const manifest = await read().catch((error: unknown) => {
    if (!(error instanceof BridgeError)) throw error;
    throw createPagedReadFault(pagedReadCodeOf(error.code), error.reason, names);
  });
  const { hash, hashing, complete } = stateOf(manifest);
  if (hashing) throw createPagedReadFault("BUSY", "the source is being hashed", names);
  if (complete && hash !== null) return manifest;
  throw createPagedReadFault("INCOMPLETE", "the source is not complete", names);
}

/** Creates a fault with the code that the import's API uses. */
export const createPagedReadFault = (
  code: PagedReadCode,
  reason: string,
  names: FaultCodeMap,
): SourceFault => new SourceFault(names[code] ?? code, reason);

/** @throws {SourceFault} if a page could not be read */
export function requireCompletePagedRead<Manifest>(
  walked: PagedReadResult<Manifest>,
  names: FaultCodeMap,
): asserts walked is PagedReadResult<Manifest> & { ok: true } {
  if (!walked.ok) throw createPagedReadFault(walked.code, walked.reason, names);
}
