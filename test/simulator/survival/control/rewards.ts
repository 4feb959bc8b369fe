import {
  readRequiredInteger,
  objectBody,
  oneOf,
  optionalInteger,
  optionalText,
  readRequiredText,
} from "../../control/input.ts";
import { createOkAnswer, refuse, refuseField, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import type { Participation } from "../world/world.ts";
import { readSteamId } from "./fields.ts";
import { needHelper } from "./helpers.ts";
import { command, readPathParam } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

/** Routes for participations and rewards. */
export const rewardRoutes: readonly SurvivalRoute[] = [
  command("POST", "/v1/kits/entitle", entitle),
  command("POST", "/v1/participation/open", open),
  command("POST", "/v1/participation/:id/collect", collect),
];

const methods = ["zone", "command", "damage", "kill"] as const;
const largest = 2 ** 31 - 1;

/** Grants an entitlement. An existing entitlement is not granted again, even with another idempotency key. */
function entitle({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { world, game, deeds } = host;
  const fields = objectBody(body);
  const entitlementId = readRequiredInteger(fields, "entitlementId", 1, largest);
  const who = readSteamId(fields, "steamId");
  const kit = readRequiredText(fields, "kit", 1, 64);
  const uses = readRequiredInteger(fields, "uses", 1, 1_000);
  const until = optionalInteger(fields, "expiresAt", { least: 1, most: 2 ** 52, byDefault: 0 });
  needHelper(host, "kits");
  if (!world.kits.has(kit)) throw refuse(422, "UNSUPPORTED", { kit, reason: "unknown kit" });
  const known = world.entitlements.get(entitlementId);
  if (known !== undefined) return createOkAnswer({ state: known.state });
  const expiresAt = until === 0 ? null : until;
  const state = "delivered";
  world.entitlements.set(entitlementId, {
    entitlementId,
    steamId: who,
    kit,
    uses,
    expiresAt,
    state,
  });
  deeds.note({ what: "kit.entitled", ref: String(entitlementId), key, at: game.now() });
  return createOkAnswer({ state });
}

function open({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { world, game, deeds } = host;
  const fields = objectBody(body);
  const participationId = readRequiredInteger(fields, "participationId", 1, largest);
  const method = oneOf(fields, "method", methods);
  const zoneId = optionalText(fields, "zoneId", 80) ?? null;
  const profile = optionalText(fields, "profile", 64) ?? null;
  const ttlSec = readRequiredInteger(fields, "ttlSec", 1, 86_400);
  if (method === "zone" && zoneId === null) throw refuseField("zoneId", "is required");
  const until = game.now() + ttlSec * 1_000;
  if (world.participations.has(participationId)) {
    return createOkAnswer({ participationId, leaseUntil: until });
  }
  const part: Participation = {
    participationId,
    method,
    zoneId,
    profile,
    until,
    state: "open",
    members: new Map(),
  };
  world.participations.set(participationId, part);
  deeds.note({ what: "participation.opened", ref: String(participationId), key, at: game.now() });
  return createOkAnswer({ participationId, leaseUntil: until });
}

/**
 * Collects the participants. A repeated call returns the same participants, because nobody can join a closed
 * participation.
 */
function collect(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  const { world, game, deeds } = host;
  const part = world.participations.get(Number(readPathParam(call, "id")));
  if (part === undefined) throw refuseMissing();
  if (part.state === "open") {
    const ref = String(part.participationId);
    deeds.note({ what: "participation.collected", ref, key: call.key, at: game.now() });
    part.state = "collected";
  }
  return createOkAnswer({ members: [...part.members.values()].map((member) => ({ ...member })) });
}
