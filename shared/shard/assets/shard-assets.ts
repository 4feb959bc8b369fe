import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { pagedReadCodeOf } from "../../platform/bridge/calls/walk.ts";
import { type AssetManifest, getAssetManifestCall } from "../calls/asset-calls.ts";
import { type AssetImages, fetchImages } from "../calls/asset-images.ts";
import {
  type FaultCodeMap,
  openImportControlClient,
  readManifest,
  createPagedReadFault,
} from "../calls/link-source.ts";
import type { ShardContext } from "../context.ts";

/** The shard's picture source, checked to be readable now. */
export interface ShardAssets {
  readonly control: ControlClient;
  readonly manifest: AssetManifest;
  readonly catalog: string;
  /** Maps the codes of faults to the codes that the API of the import has. */
  readonly names: FaultCodeMap;
  readonly signal: AbortSignal;
}

/** @throws {SourceFault} if the link is off or the pictures are unavailable */
export async function openShardAssets(
  names: FaultCodeMap,
  signal: AbortSignal,
  context: ShardContext,
): Promise<ShardAssets> {
  const control = await openImportControlClient(context);
  const manifest = await readManifest(
    () => control.read(getAssetManifestCall, { signal }),
    ({ catalog: hash, hashing, complete }) => ({ hash, hashing, complete }),
    names,
  );
  const { imaging, catalog } = manifest;
  if (imaging && !imaging.ok) {
    throw createPagedReadFault("NO_IMAGING", describeImagingFailure(imaging), names);
  }
  return { control, manifest, catalog: catalog ?? "", names, signal };
}

/** Returns why the shard's host renders no pictures: the host's own reason, or a general one. */
export const describeImagingFailure = ({ reason }: { readonly reason: string | null }): string =>
  reason ?? "The shard's host cannot render images";

/**
 * Fetches one slice of pictures.
 * @throws {SourceFault} SOURCE_CHANGED if they belong to another catalog, INCOMPLETE if a key got no
 * answer
 */
export async function fetchPictureSlice(
  keys: readonly string[],
  { control, catalog, names, signal }: ShardAssets,
): Promise<AssetImages> {
  const answer = await fetchImages(control, keys, { signal }).catch((error: unknown) => {
    throw sourceFaultOf(error, names);
  });
  if (answer.catalog !== catalog) {
    throw createPagedReadFault(
      "SOURCE_CHANGED",
      "the pictures changed while they were read",
      names,
    );
  }
  const answered = answer.images.length + answer.absent.length + answer.unsupported.length;
  if (answered === keys.length) return answer;
  throw createPagedReadFault(
    "INCOMPLETE",
    `the shard answered for only ${answered} of ${keys.length} pictures`,
    names,
  );
}

/** Converts a failed call into a fault of the import; returns other errors unchanged. */
export const sourceFaultOf = (error: unknown, names: FaultCodeMap): unknown =>
  error instanceof BridgeError
    ? createPagedReadFault(pagedReadCodeOf(error.code), error.reason, names)
    : error;
