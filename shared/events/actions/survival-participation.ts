import type { ParticipationMethod } from "../../../models/survival/players/survival-participation.ts";
import type { Param } from "../../facts/param.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { collectParticipation, openParticipation } from "../../survival/rewards/participation.ts";
import { serverIdByName } from "../../survival/servers/read-servers.ts";
import { action, type Attempt, done } from "./action.ts";
import { durationOf, openZoneId, orderOf, resultOf, server, stepOf } from "./survival.ts";

const owner = "survival";

interface Opening {
  readonly server: string;
  readonly method: ParticipationMethod;
  readonly zone?: string;
  readonly profile?: string;
  readonly durationSec: number;
}

const open = action<Opening>({
  id: "survival.participation.open",
  label: "Start counting participants",
  owner,
  risk: "inspect",
  params: [
    server,
    {
      name: "method",
      type: "enum",
      required: true,
      values: ["zone", "command", "damage", "kill"],
      description:
        "Who takes part: players who enter a zone, type a command, damage NPCs, or kill NPCs.",
    },
    {
      name: "zone",
      type: "string",
      required: false,
      maxLength: 40,
      description:
        "The key of the earlier step that opened the zone; required for the method `zone`.",
      stepOf: openZoneId,
    },
    {
      name: "profile",
      type: "string",
      required: false,
      maxLength: 64,
      description:
        "The key of the NPC profile whose NPCs count; by default, those of all profiles.",
    },
    durationOf("the game counts participants, unless they are collected earlier"),
  ],
  problemsOf: ({ method }, given) =>
    method === "zone" && !given.has("zone")
      ? [{ param: "zone", code: "required", message: "is required for the method zone" }]
      : [],
  run: async (attempt) => {
    const { server: name, method, zone, profile = null, durationSec } = attempt.params;
    if (method === "zone" && zone === undefined) {
      throw new AppError("invalid_request", "zone is required for the method zone");
    }
    const asked = { name: "zoneId", type: "string" } as const;
    const zoneId = zone === undefined ? null : await resultOf(attempt, { ...asked, key: zone });
    const result = await attempt.effect(
      { openParticipation: { server: name, method, zoneId, profile, durationSec } },
      async (context) => {
        const serverId = await serverIdByName(name, context);
        const step = { ...(await stepOf(attempt, context)), stepKey: attempt.idempotencyKey };
        const opening = { serverId, method, zoneId, profile, durationSec, ...step };
        const { id } = await openParticipation(opening, orderOf(attempt), context);
        return { participationId: id };
      },
      { participationId: 0 },
    );
    return done(result);
  },
});

export const participation: Param = {
  name: "participation",
  type: "string",
  required: true,
  maxLength: 40,
  description: "The key of the earlier step that started counting participants.",
  stepOf: open.id,
};

export const counted = (attempt: Attempt<unknown>, key: string): Promise<number> =>
  resultOf(attempt, { key, name: "participationId", type: "number" });

const collect = action<{ participation: string }>({
  id: "survival.participation.collect",
  label: "Collect the participants",
  owner,
  risk: "inspect",
  params: [participation],
  run: async (attempt) => {
    const id = await counted(attempt, attempt.params.participation);
    const result = await attempt.effect({ collect: { participationId: id } }, async (context) => {
      const { members } = await collectParticipation(id, orderOf(attempt), context);
      return { participationId: id, members: members.length };
    });
    return done(result);
  },
});

export const survivalParticipationActions = [open, collect];
