import { readRequiredInteger, objectBody, readRequiredText } from "../../control/input.ts";
import { createOkAnswer, refuse, refuseMissing } from "../../control/refusal.ts";
import type { ControlAnswer } from "../../control/refusal.ts";
import { spawnPlacement, tellPlacements } from "../game/npcs.ts";
import type { Placement, ProfileDocument } from "../world/npcs.ts";
import { readObjectList, optionalNumber, optionalTexts } from "./fields.ts";
import { needNpcs } from "./helpers.ts";
import { command, readPathParam } from "./route.ts";
import type { SurvivalControlCall, SurvivalHost, SurvivalRoute } from "./route.ts";

export const npcRoutes: readonly SurvivalRoute[] = [
  command("PUT", "/v1/npc/profiles", setProfiles),
  command("PUT", "/v1/npc/placements", setPlacements),
  command("POST", "/v1/npc/placements/:name/respawn", respawn),
  command("POST", "/v1/npc/placements/:name/rename", rename),
];

const keyPattern = /^[a-z0-9][a-z0-9_-]{1,47}$/;

/** Replaces the profiles that the site sends, and removes those in `remove`. */
function setProfiles({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needNpcs(host);
  const { npcs } = host.world;
  const fields = objectBody(body);
  readRequiredInteger(fields, "revision", 0, 2 ** 31 - 1);
  const replaced: unknown[] = [];
  const rejected: unknown[] = [];
  const profiles = readObjectList(fields, "profiles");
  for (const gone of optionalTexts(fields, "remove")) npcs.profiles.delete(gone);
  for (const document of profiles) {
    const name = readRequiredText(document, "key", 1, 64);
    if (!keyPattern.test(name)) {
      rejected.push({ key: name, reason: "the key is malformed" });
      continue;
    }
    const before = npcs.profiles.get(name);
    if (before?.origin === "server") replaced.push({ key: name, document: before.document });
    npcs.profiles.set(name, { document: document as ProfileDocument, origin: "site" });
    host.deeds.note({ what: "profile.set", ref: name, key, at: host.game.now() });
  }
  npcs.factions = readObjectList(fields, "factions");
  return createOkAnswer({ replaced, rejected });
}

/**
 * Replaces all placements. A placement that is missing in the list is removed together with its
 * NPCs.
 */
function setPlacements({ body, key }: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needNpcs(host);
  const { npcs } = host.world;
  const list = readObjectList(objectBody(body), "placements").map((one) =>
    readPlacement(one, host),
  );
  const scene = host.game.commandScene();
  const kept = new Set(list.map(({ name }) => name));
  for (const name of npcs.placements.keys()) if (!kept.has(name)) drop(host, name);
  for (const placement of list) {
    const {
      lastSpawnAt = null,
      lastDeathAt = null,
      respawnAt = null,
    } = npcs.placements.get(placement.name) ?? {};
    npcs.placements.set(placement.name, { ...placement, lastSpawnAt, lastDeathAt, respawnAt });
  }
  for (const { name } of list) {
    const placement = npcs.placements.get(name) as Placement;
    if (placement.respawnAt === null) spawnPlacement(scene, placement, key);
  }
  tellPlacements(scene);
  return createOkAnswer({
    spawned: list.flatMap(({ name, problem }) => (problem === null ? [name] : [])),
    problems: list.flatMap(({ name, problem }) => (problem === null ? [] : [{ name, problem }])),
  });
}

const namePattern = /^[A-Za-z0-9 _.-]{1,64}$/;

function readName(fields: Readonly<Record<string, unknown>>): string {
  const name = readRequiredText(fields, "name", 1, 64);
  if (!namePattern.test(name)) throw refuse(400, "INVALID", { field: "name", reason: "malformed" });
  return name;
}

function readPlacement(fields: Readonly<Record<string, unknown>>, host: SurvivalHost): Placement {
  const profile = readRequiredText(fields, "profileKey", 1, 64);
  const { runId } = fields;
  return {
    name: readName(fields),
    profile,
    count: readRequiredInteger({ count: 1, ...fields }, "count", 1, 50),
    respawnSec: optionalNumber(fields, "respawnSec"),
    x: optionalNumber(fields, "x") ?? 0,
    z: optionalNumber(fields, "z") ?? 0,
    problem: problemOf(fields, profile, host),
    lastSpawnAt: null,
    lastDeathAt: null,
    respawnAt: null,
    ...(typeof runId === "number" ? { runId } : {}),
  };
}

function problemOf(
  { enabled = true, anchor, monument }: Readonly<Record<string, unknown>>,
  profile: string,
  { world, game }: SurvivalHost,
): string | null {
  if (enabled === false) return "disabled";
  if (!world.npcs.profiles.has(profile)) return `unknown profile ${profile}`;
  const isThere = world.save.monuments.some(({ label }) => label === monument);
  if (anchor === "monument" && !isThere) return "unknown monument";
  return game.worldReady ? null : "the world is not ready";
}

function drop({ world }: SurvivalHost, name: string): void {
  const { placements, alive } = world.npcs;
  placements.delete(name);
  for (const npc of alive.values()) if (npc.placement === name) alive.delete(npc.netId);
}

/** Fills a placement at once, without waiting for its respawn time. */
function respawn(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needNpcs(host);
  const placement = host.world.npcs.placements.get(readPathParam(call, "name"));
  if (placement === undefined) throw refuseMissing();
  const scene = host.game.commandScene();
  const spawned = spawnPlacement(scene, placement, call.key);
  tellPlacements(scene);
  return createOkAnswer({ spawned });
}

function rename(call: SurvivalControlCall, host: SurvivalHost): ControlAnswer {
  needNpcs(host);
  const { placements, alive } = host.world.npcs;
  const placement = placements.get(readPathParam(call, "name"));
  if (placement === undefined) throw refuseMissing();
  const name = readName(objectBody(call.body));
  if (name !== placement.name && placements.has(name)) throw refuse(409, "TAKEN");
  for (const npc of alive.values()) {
    if (npc.placement === placement.name) alive.set(npc.netId, { ...npc, placement: name });
  }
  placements.delete(placement.name);
  placement.name = name;
  placements.set(name, placement);
  tellPlacements(host.game.commandScene());
  return createOkAnswer({ name });
}
