import type { Param } from "../../facts/param.ts";
import type { Order } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { refuseIncapable } from "../../survival/calls/call-rules.ts";
import { withEntry } from "../../survival/calls/ledger.ts";
import { respawnNpcPlacement } from "../../survival/calls/npc-calls.ts";
import { announceForStep } from "../../survival/chat/announcements.ts";
import { refuseMoreThan } from "../../survival/npcs/read-placements.ts";
import { serverIdByName } from "../../survival/servers/read-servers.ts";
import { placeOf } from "../../survival/zones/check-opening.ts";
import { endZone } from "../../survival/zones/end-zone.ts";
import { zoneIdOf } from "../../survival/zones/leases.ts";
import { openZone } from "../../survival/zones/open-zone.ts";
import { action, type Attempt, done } from "./action.ts";
import { bodyIds, findBody } from "./bodies.ts";

const owner = "survival";

export const orderOf = ({ actor, idempotencyKey, signal }: Attempt<unknown>): Order => ({
  actor,
  idempotencyKey,
  signal,
});

/** Returns the ids of an attempt's run and step, for the ledger and for the rows of an effect. */
export async function stepOf(
  { runId, idempotencyKey }: Attempt<unknown>,
  { models }: Pick<Context, "models">,
): Promise<{ readonly runId: number; readonly stepId: number | null }> {
  const where = { idempotencyKey };
  const step = await models.EventStep.findOne({ where, attributes: ["id"], raw: true });
  return { runId, stepId: step?.id ?? null };
}

/** Returns a field of another step's result. @throws {AppError} if the type does not match */
export async function resultOf<Type extends "string" | "number">(
  attempt: Attempt<unknown>,
  { key, name, type }: { readonly key: string; readonly name: string; readonly type: Type },
): Promise<Type extends "string" ? string : number> {
  const value = (await attempt.resultOf(key))?.[name];
  if (typeof value !== type) throw new AppError("invalid_request", `the step ${key} has no result`);
  return value as Type extends "string" ? string : number;
}

export const server: Param = {
  name: "server",
  type: "server",
  required: true,
  description: "The survival server, by its id or slug.",
};

/** A day. */
const longestSec = 86_400;

export const durationOf = (what: string): Param => ({
  name: "durationSec",
  type: "duration",
  required: true,
  min: 10,
  max: longestSec,
  description: `How many seconds ${what}.`,
});

const announce = action<{ server: string; message: string; body?: string }>({
  id: "survival.announce",
  label: "Send a message to players on survival servers",
  owner,
  risk: "notify",
  dimensions: ["announcements"],
  params: [
    { ...server, description: "One server, by its id or slug, or `all` for every enabled server." },
    {
      name: "message",
      type: "text",
      required: true,
      maxLength: 512,
      description: "The text that players read. If it is empty, the text of `body` is used.",
    },
    {
      name: "body",
      type: "enum",
      required: false,
      values: bodyIds,
      description: "A ready-made text of the catalog, used if `message` is empty.",
    },
  ],
  complete: (params) => {
    const body = findBody(params["body"]);
    const isLeftOut = (params["message"] ?? "") === "";
    return body && isLeftOut ? { ...params, message: body.text } : params;
  },
  run: async (attempt) => {
    const { server: name, message } = attempt.params;
    const result = await attempt.effect(
      { announce: { server: name, message } },
      async (context) => {
        const serverId = name === "all" ? null : await serverIdByName(name, context);
        const step = await stepOf(attempt, context);
        return {
          ...(await announceForStep({ serverId, message, ...step }, orderOf(attempt), context)),
        };
      },
    );
    return done(result);
  },
});

interface ZoneParams {
  readonly server: string;
  readonly preset: string;
  readonly at: string;
  readonly durationSec: number;
}

const open = action<ZoneParams>({
  id: "survival.zone.open",
  label: "Open a zone",
  owner,
  risk: "world",
  reversible: true,
  dimensions: ["zoneSeconds"],
  spends: ({ durationSec }) => ({
    zoneSeconds: typeof durationSec === "number" ? durationSec : longestSec,
  }),
  params: [
    server,
    {
      name: "preset",
      type: "string",
      required: true,
      maxLength: 48,
      description: "The key of the zone preset.",
    },
    {
      name: "at",
      type: "string",
      required: true,
      maxLength: 128,
      description: "The label of a monument that the map has exactly once, or a point as `x y z`.",
    },
    durationOf("the zone stays open, unless it is closed earlier"),
  ],
  run: async (attempt) => {
    const { server: name, preset, at, durationSec } = attempt.params;
    const pretended = { leaseId: "rehearsed", zoneId: "rehearsed" };
    const result = await attempt.effect(
      { openZone: { server: name, preset, at, durationSec } },
      async (context) => {
        const serverId = await serverIdByName(name, context);
        const opening = { serverId, presetKey: preset, at: placeOf(at), durationSec };
        const step = { ...(await stepOf(attempt, context)), key: attempt.idempotencyKey };
        const opener = { order: orderOf(attempt), userId: attempt.actor.userId, step };
        const { lease, doubt } = await openZone(opening, opener, context);
        if (doubt) throw doubt;
        const { leaseId, leaseUntil } = lease;
        return { leaseId, zoneId: zoneIdOf(leaseId), leaseUntil: leaseUntil.toISOString() };
      },
      pretended,
    );
    return done(result);
  },
});

const close = action<{ lease: string }>({
  id: "survival.zone.close",
  label: "Close a zone",
  owner,
  risk: "world",
  dimensions: ["zoneSeconds"],
  spends: () => ({ zoneSeconds: 0 }),
  params: [
    {
      name: "lease",
      type: "string",
      required: true,
      maxLength: 40,
      description: "The key of the earlier step that opened the zone.",
      stepOf: open.id,
    },
  ],
  run: async (attempt) => {
    const asked = { key: attempt.params.lease, name: "leaseId", type: "string" } as const;
    const leaseId = await resultOf(attempt, asked);
    const result = await attempt.effect({ closeZone: { leaseId } }, async (context) => {
      const { lease, failure } = await endZone(leaseId, { order: orderOf(attempt) }, context);
      if (failure) throw failure;
      return { leaseId, state: lease.state };
    });
    return done(result);
  },
});

/** The maximum number of NPCs of a placement. */
const mostNpcs = 50;

const spawn = action<{ server: string; placement: string; count?: number }>({
  id: "survival.npc.spawn",
  label: "Spawn the NPCs of a placement",
  owner,
  risk: "world",
  dimensions: ["npcs"],
  spends: ({ count }) => ({ npcs: typeof count === "number" ? count : mostNpcs }),
  params: [
    server,
    {
      name: "placement",
      type: "string",
      required: true,
      maxLength: 64,
      description: "The name of the placement on the server.",
    },
    {
      name: "count",
      type: "integer",
      required: false,
      min: 1,
      max: mostNpcs,
      description:
        "The maximum number of NPCs of the placement; the step spends this number. By default " +
        `${mostNpcs}. The step fails if the placement has more NPCs.`,
    },
  ],
  run: async (attempt) => {
    const { server: name, placement, count = mostNpcs } = attempt.params;
    const result = await attempt.effect({ spawn: { server: name, placement } }, async (context) => {
      const serverId = await serverIdByName(name, context);
      await refuseIncapable(serverId, "npc", context);
      await refuseMoreThan(count, { serverId, name: placement }, context);
      const step = await stepOf(attempt, context);
      const deed = { serverId, what: "npc", ref: placement, ...step } as const;
      const params = { name: placement };
      const bring = () =>
        context.survival.call(serverId, (control) =>
          control.command(respawnNpcPlacement, orderOf(attempt), { params }),
        );
      return { ...(await withEntry(deed, bring, context)) };
    });
    return done(result);
  },
});

export const survivalWorldActions = [announce, open, close, spawn];

/** The id of the action that opens zones; other actions name steps of it. */
export const openZoneId = open.id;
