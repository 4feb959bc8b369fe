import type { ParticipationMethod } from "../../../models/survival/players/survival-participation.ts";
import type { Param } from "../../facts/param.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { collectParticipation, openParticipation } from "../../survival/rewards/participation.ts";
import { requireServerId } from "../../survival/servers/read-servers.ts";
import { defineAction, type StepAttempt, createDoneResult } from "./action.ts";
import {
  durationParam,
  openZoneActionId,
  toCommandOptions,
  readStepResult,
  serverParam,
  findStepIds,
} from "./survival.ts";

const owner = "survival";

interface ParticipationParams {
  readonly server: string;
  readonly method: ParticipationMethod;
  readonly zone?: string;
  readonly profile?: string;
  readonly durationSec: number;
}

const open = defineAction<ParticipationParams>({
  id: "survival.participation.open",
  label: "Start counting participants",
  owner,
  risk: "inspect",
  params: [
    serverParam,
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
      stepOf: openZoneActionId,
    },
    {
      name: "profile",
      type: "string",
      required: false,
      maxLength: 64,
      description:
        "The key of the NPC profile whose NPCs count; by default, those of all profiles.",
    },
    durationParam("the game counts participants, unless they are collected earlier"),
  ],
  checkCombination: ({ method }, given) =>
    method === "zone" && !given.has("zone")
      ? [{ param: "zone", code: "required", message: "is required for the method zone" }]
      : [],
  run: async (attempt) => {
    const { server: name, method, zone, profile = null, durationSec } = attempt.params;
    if (method === "zone" && zone === undefined) {
      throw new AppError("invalid_request", "zone is required for the method zone");
    }
    const asked = { name: "zoneId", type: "string" } as const;
    const zoneId =
      zone === undefined ? null : await readStepResult(attempt, { ...asked, key: zone });
    const result = await attempt.effect(
      { openParticipation: { server: name, method, zoneId, profile, durationSec } },
      async (context) => {
        const serverId = await requireServerId(name, context);
        const step = { ...(await findStepIds(attempt, context)), stepKey: attempt.idempotencyKey };
        const opening = { serverId, method, zoneId, profile, durationSec, ...step };
        const { id } = await openParticipation(opening, toCommandOptions(attempt), context);
        return { participationId: id };
      },
      { participationId: 0 },
    );
    return createDoneResult(result);
  },
});

export const participationParam: Param = {
  name: "participation",
  type: "string",
  required: true,
  maxLength: 40,
  description: "The key of the earlier step that started counting participants.",
  stepOf: open.id,
};

export const readParticipationId = (attempt: StepAttempt<unknown>, key: string): Promise<number> =>
  readStepResult(attempt, { key, name: "participationId", type: "number" });

const collect = defineAction<{ participation: string }>({
  id: "survival.participation.collect",
  label: "Collect the participants",
  owner,
  risk: "inspect",
  params: [participationParam],
  run: async (attempt) => {
    const id = await readParticipationId(attempt, attempt.params.participation);
    const result = await attempt.effect({ collect: { participationId: id } }, async (context) => {
      const { members } = await collectParticipation(id, toCommandOptions(attempt), context);
      return { participationId: id, members: members.length };
    });
    return createDoneResult(result);
  },
});

export const survivalParticipationActions = [open, collect];
