import type { Param } from "../../facts/param.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import type { Context } from "../../platform/context.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { requireCapability } from "../../survival/calls/call-rules.ts";
import { runWithLedgerEntry } from "../../survival/calls/ledger.ts";
import { respawnNpcPlacementCall } from "../../survival/calls/npc-calls.ts";
import { sendStepAnnouncement } from "../../survival/chat/announcements.ts";
import { requirePlacementLimit } from "../../survival/npcs/read-placements.ts";
import { requireServerId } from "../../survival/servers/read-servers.ts";
import { parseZonePlace } from "../../survival/zones/check-opening.ts";
import { closeZone } from "../../survival/zones/close-zone.ts";
import { zoneIdOf } from "../../survival/zones/leases.ts";
import { openZone } from "../../survival/zones/open-zone.ts";
import { defineAction, type StepAttempt, createDoneResult } from "./action.ts";
import { messageBodyIds, findMessageBody } from "./message-bodies.ts";

const owner = "survival";

export const toCommandOptions = ({
  actor,
  idempotencyKey,
  signal,
}: StepAttempt<unknown>): CommandOptions => ({
  actor,
  idempotencyKey,
  signal,
});

/** Returns the ids of an attempt's run and step, which the rows of its effects store. */
export async function findStepIds(
  { runId, idempotencyKey }: StepAttempt<unknown>,
  { models }: Pick<Context, "models">,
): Promise<{ readonly runId: number; readonly stepId: number | null }> {
  const where = { idempotencyKey };
  const step = await models.EventStep.findOne({ where, attributes: ["id"], raw: true });
  return { runId, stepId: step?.id ?? null };
}

/** Returns a field of another step's result. @throws {AppError} if the type does not match */
export async function readStepResult<Type extends "string" | "number">(
  attempt: StepAttempt<unknown>,
  { key, name, type }: { readonly key: string; readonly name: string; readonly type: Type },
): Promise<Type extends "string" ? string : number> {
  const value = (await attempt.resultOf(key))?.[name];
  if (typeof value !== type) throw new AppError("invalid_request", `the step ${key} has no result`);
  return value as Type extends "string" ? string : number;
}

export const serverParam: Param = {
  name: "server",
  type: "server",
  required: true,
  description: "The survival server, by its id or slug.",
};

/** A day. */
const maxDurationSec = 86_400;

export const durationParam = (what: string): Param => ({
  name: "durationSec",
  type: "duration",
  required: true,
  min: 10,
  max: maxDurationSec,
  description: `How many seconds ${what}.`,
});

const announce = defineAction<{ server: string; message: string; body?: string }>({
  id: "survival.announce",
  label: "Send a message to players on survival servers",
  owner,
  risk: "notify",
  dimensions: ["announcements"],
  params: [
    {
      ...serverParam,
      description: "One server, by its id or slug, or `all` for every enabled server.",
    },
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
      values: messageBodyIds,
      description: "A ready-made text of the catalog, used if `message` is empty.",
    },
  ],
  deriveParams: (params) => {
    const body = findMessageBody(params["body"]);
    const isLeftOut = (params["message"] ?? "") === "";
    return body && isLeftOut ? { ...params, message: body.text } : params;
  },
  run: async (attempt) => {
    const { server: name, message } = attempt.params;
    const result = await attempt.effect(
      { announce: { server: name, message } },
      async (context) => {
        const serverId = name === "all" ? null : await requireServerId(name, context);
        const step = await findStepIds(attempt, context);
        return {
          ...(await sendStepAnnouncement(
            { serverId, message, ...step },
            toCommandOptions(attempt),
            context,
          )),
        };
      },
    );
    return createDoneResult(result);
  },
});

interface ZoneParams {
  readonly server: string;
  readonly preset: string;
  readonly at: string;
  readonly durationSec: number;
}

const open = defineAction<ZoneParams>({
  id: "survival.zone.open",
  label: "Open a zone",
  owner,
  risk: "world",
  reversible: true,
  dimensions: ["zoneSeconds"],
  spendOf: ({ durationSec }) => ({
    zoneSeconds: typeof durationSec === "number" ? durationSec : maxDurationSec,
  }),
  params: [
    serverParam,
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
    durationParam("the zone stays open, unless it is closed earlier"),
  ],
  run: async (attempt) => {
    const { server: name, preset, at, durationSec } = attempt.params;
    const pretended = { leaseId: "rehearsed", zoneId: "rehearsed" };
    const result = await attempt.effect(
      { openZone: { server: name, preset, at, durationSec } },
      async (context) => {
        const serverId = await requireServerId(name, context);
        const opening = { serverId, presetKey: preset, at: parseZonePlace(at), durationSec };
        const step = { ...(await findStepIds(attempt, context)), key: attempt.idempotencyKey };
        const opener = { order: toCommandOptions(attempt), userId: attempt.actor.userId, step };
        const { lease, doubt } = await openZone(opening, opener, context);
        if (doubt) throw doubt;
        const { leaseId, leaseUntil } = lease;
        return { leaseId, zoneId: zoneIdOf(leaseId), leaseUntil: leaseUntil.toISOString() };
      },
      pretended,
    );
    return createDoneResult(result);
  },
});

const close = defineAction<{ lease: string }>({
  id: "survival.zone.close",
  label: "Close a zone",
  owner,
  risk: "world",
  dimensions: ["zoneSeconds"],
  spendOf: () => ({ zoneSeconds: 0 }),
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
    const leaseId = await readStepResult(attempt, asked);
    const result = await attempt.effect({ closeZone: { leaseId } }, async (context) => {
      const { lease, failure } = await closeZone(
        leaseId,
        { order: toCommandOptions(attempt) },
        context,
      );
      if (failure) throw failure;
      return { leaseId, state: lease.state };
    });
    return createDoneResult(result);
  },
});

/** Maximum number of NPCs that one step spawns at a placement. */
const maxNpcs = 50;

const spawn = defineAction<{ server: string; placement: string; count?: number }>({
  id: "survival.npc.spawn",
  label: "Spawn the NPCs of a placement",
  owner,
  risk: "world",
  dimensions: ["npcs"],
  spendOf: ({ count }) => ({ npcs: typeof count === "number" ? count : maxNpcs }),
  params: [
    serverParam,
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
      max: maxNpcs,
      description:
        "The maximum number of NPCs of the placement; the step spends this number. By default " +
        `${maxNpcs}. The step fails if the placement has more NPCs.`,
    },
  ],
  run: async (attempt) => {
    const { server: name, placement, count = maxNpcs } = attempt.params;
    const result = await attempt.effect({ spawn: { server: name, placement } }, async (context) => {
      const serverId = await requireServerId(name, context);
      await requireCapability(serverId, "npc", context);
      await requirePlacementLimit(count, { serverId, name: placement }, context);
      const step = await findStepIds(attempt, context);
      const deed = { serverId, what: "npc", ref: placement, ...step } as const;
      const params = { name: placement };
      const bring = () =>
        context.survival.call(serverId, (control) =>
          control.command(respawnNpcPlacementCall, toCommandOptions(attempt), { params }),
        );
      return { ...(await runWithLedgerEntry(deed, bring, context)) };
    });
    return createDoneResult(result);
  },
});

export const survivalWorldActions = [announce, open, close, spawn];

/** The id of the action that opens zones. Other actions refer to steps with this action. */
export const openZoneActionId = open.id;
