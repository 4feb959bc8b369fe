import { type BridgeCode, BridgeError } from "../bridge-error.ts";
import {
  type SourceState,
  type WalkCode,
  WalkFault,
  type WalkPage,
  WalkProgress,
  type WalkTally,
} from "./walk-progress.ts";

/** A source that is read in pages. */
export interface WalkPlan<Manifest, Rows> {
  readonly manifest: () => Promise<Manifest>;
  readonly stateOf: (manifest: Manifest) => SourceState;
  readonly page: (cursor: string | null) => Promise<WalkPage<Rows>>;
  /** Takes a page's rows; they are not kept. Nothing may be applied before the walk was good. */
  readonly take: (rows: Rows) => Promise<void> | void;
}

export type WalkResult<Manifest> =
  | (WalkTally<Manifest> & { readonly ok: true; readonly manifest: Manifest })
  | (WalkTally<Manifest> & {
      readonly ok: false;
      readonly code: WalkCode;
      readonly reason: string;
    });

/**
 * Reads a whole source page by page, with its manifest before and after: good only when nothing
 * changed underneath and all that was promised came. Errors that are not the sidecar's pass through.
 */
export async function walk<Manifest, Rows>(
  plan: WalkPlan<Manifest, Rows>,
): Promise<WalkResult<Manifest>> {
  const progress = new WalkProgress<Manifest>();
  try {
    const manifest = await plan.manifest();
    progress.begin(manifest, plan.stateOf(manifest));
    for (let cursor: string | null = null, more = true; more; more = cursor !== null) {
      const page: WalkPage<Rows> = await plan.page(cursor);
      progress.add(page);
      await plan.take(page.rows);
      cursor = page.next;
    }
    progress.end(plan.stateOf(await plan.manifest()));
    return { ok: true, ...progress.tally, manifest };
  } catch (error) {
    return { ok: false, ...faultOf(error), ...progress.tally };
  }
}

/** CATALOGUE of what a refusal means for a walk; any other is an answer that makes no sense there. */
const walkCodes: Readonly<Partial<Record<BridgeCode, WalkCode>>> = {
  BUSY: "BUSY",
  LIMIT: "BUSY",
  TOO_LARGE: "TOO_LARGE",
  SHARD_DOWN: "SHARD_DOWN",
  UNAVAILABLE: "UNAVAILABLE",
  PROTOCOL: "PROTOCOL",
  UNAUTHORIZED: "PROTOCOL",
  DISABLED: "DISABLED",
  NO_SOURCE: "NO_SOURCE",
  NO_IMAGING: "NO_IMAGING",
  UNSUPPORTED: "UNSUPPORTED",
};

export const walkCodeOf = (code: BridgeCode): WalkCode => walkCodes[code] ?? "MALFORMED";

function faultOf(error: unknown): { code: WalkCode; reason: string } {
  if (error instanceof WalkFault) return { code: error.code, reason: error.message };
  if (!(error instanceof BridgeError)) throw error;
  return { code: walkCodeOf(error.code), reason: error.reason };
}
