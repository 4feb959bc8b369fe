import type { ZonePlace } from "../../../models/survival/survival-zone-lease.ts";
import type { ZoneDocument } from "../../../models/survival/survival-zone-preset.ts";
import { command } from "../../bridge/call.ts";
import { flag, shape } from "../../bridge/payload-fields.ts";

interface ZoneOrder {
  readonly leaseId: string;
  /** What the game knows the zone by: of its own for each lease, since an old zone keeps its flags. */
  readonly zoneId: string;
  readonly preset: ZoneDocument & { readonly key: string; readonly name: string };
  readonly at: ZonePlace;
  readonly ttlSec: number;
  readonly runId?: number;
}

const callMs = 8_000;

export const openZoneCall = command<{ readonly opened: boolean }, { body: ZoneOrder }>({
  method: "POST",
  path: "/v1/zones",
  answer: shape({ opened: flag() }),
  timeoutMs: callMs,
});

interface OfLease {
  readonly params: { readonly leaseId: string };
}

/** Has the game hold a zone for so many seconds from now. */
export const renewZoneCall = command<object, OfLease & { body: { readonly ttlSec: number } }>({
  method: "POST",
  path: "/v1/zones/:leaseId/renew",
  answer: shape({}),
  timeoutMs: callMs,
});

export const closeZoneCall = command<object, OfLease>({
  method: "DELETE",
  path: "/v1/zones/:leaseId",
  answer: shape({}),
  timeoutMs: callMs,
});
