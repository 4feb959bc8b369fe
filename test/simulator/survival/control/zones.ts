import { readRequiredInteger, objectBody, readRequiredText } from "../../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import type { Lease } from "../world/world.ts";
import { needHelper } from "./helpers.ts";
import { command, readPathParam } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

export const zoneRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/zones", open),
  command("POST", "/v1/zones/:leaseId/renew", renew),
  command("DELETE", "/v1/zones/:leaseId", close),
];

/** Opens a zone. If the lease already exists, extends the zone. */
function open({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { world, game, deeds } = host;
  const fields = objectBody(body);
  const leaseId = readRequiredText(fields, "leaseId", 1, 64);
  const zoneId = readRequiredText(fields, "zoneId", 1, 80);
  const ttlSec = readRequiredInteger(fields, "ttlSec", 1, 86_400);
  const preset = objectBody(fields["preset"]);
  needHelper(host, "zones");
  if ((preset["ruleset"] ?? null) !== null) needHelper(host, "pve");
  if (isDomed(preset)) needHelper(host, "domes");
  const at = pointOf(fields["at"], host);
  const until = game.now() + ttlSec * 1_000;
  const known = world.leases.get(leaseId);
  if (known !== undefined) {
    known.until = until;
    return createOkAnswer({ opened: true, leaseUntil: until });
  }
  const runId = typeof fields["runId"] === "number" ? fields["runId"] : null;
  const lease: Lease = { leaseId, zoneId, preset, at, runId, openedAt: game.now(), until };
  world.leases.set(leaseId, lease);
  deeds.note({ what: "zone.opened", ref: leaseId, key, at: game.now() });
  return createOkAnswer({ opened: true, leaseUntil: until });
}

const isDomed = ({ dome }: Readonly<Record<string, unknown>>): boolean =>
  typeof dome === "object" && dome !== null && "enabled" in dome && dome.enabled === true;

/**
 * Reads a point of the world. A label stands for the monument with this label, if there is only
 * one.
 */
function pointOf(at: unknown, { world }: SurvivalHost): unknown {
  if (typeof at === "string") return monumentAt(at, world);
  const fields = objectBody(at);
  if (typeof fields["monument"] === "string") return monumentAt(fields["monument"], world);
  const { x, y = 0, z } = fields;
  if ([x, y, z].every((one) => typeof one === "number")) return { x, y, z };
  throw refuse(400, "INVALID", { field: "at", reason: "must be a point or a monument" });
}

function monumentAt(label: string, { save }: SurvivalHost["world"]): unknown {
  const [found, ...others] = save.monuments.filter((one) => one.label === label);
  if (found === undefined) throw refuseMissing();
  if (others.length === 0) return { x: found.x, y: 0, z: found.z };
  throw refuse(400, "INVALID", { field: "at", reason: `there are several ${label}` });
}

function leaseOf(call: SurvivalControlCall, { world }: SurvivalHost): Lease {
  const lease = world.leases.get(readPathParam(call, "leaseId"));
  if (lease === undefined) throw refuseMissing();
  return lease;
}

function renew(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const lease = leaseOf(call, host);
  lease.until =
    host.game.now() + readRequiredInteger(objectBody(call.body), "ttlSec", 1, 86_400) * 1_000;
  return createOkAnswer({ leaseId: lease.leaseId, leaseUntil: lease.until });
}

function close(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { leaseId } = leaseOf(call, host);
  host.world.leases.delete(leaseId);
  const deed = { what: "zone.closed", ref: leaseId, key: call.key } as const;
  host.deeds.note({ ...deed, at: host.game.now() });
  return createOkAnswer({ leaseId, closed: true });
}
