import type { Param } from "../../facts/param.ts";
import type { CommandOptions } from "../../platform/bridge/calls/call.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { healthCall } from "../../shard/calls/account-calls.ts";
import {
  addTownCrierCall,
  broadcastCall,
  removeTownCrierCall,
  startChampionCall,
  stopChampionCall,
} from "../../shard/calls/staff-calls.ts";
import { defineAction, type StepAttempt, createDoneResult, type ParamProblem } from "./action.ts";

const owner = "shard";

const toCommand = ({ actor, idempotencyKey, signal }: StepAttempt<unknown>): CommandOptions => ({
  actor,
  idempotencyKey,
  signal,
});

const status = defineAction({
  id: "shard.status",
  label: "Check that the shard answers",
  owner,
  risk: "inspect",
  params: [],
  run: async ({ signal }, { shard }) => {
    const { pluginConnected, bootId } = await shard.call((control) =>
      control.read(healthCall, { signal }),
    );
    return createDoneResult({ pluginConnected, bootId });
  },
});

const broadcastText = defineAction<{ text: string; hue?: number }>({
  id: "shard.broadcast",
  label: "Broadcast to everyone in the game",
  owner,
  risk: "notify",
  dimensions: ["broadcasts"],
  params: [
    {
      name: "text",
      type: "string",
      required: true,
      maxLength: 256,
      description: "The text that all players read.",
    },
    {
      name: "hue",
      type: "integer",
      required: false,
      min: 0,
      max: 3_000,
      description: "The color of the text, as a hue number of the game.",
    },
  ],
  run: async (attempt) => {
    const { text, hue } = attempt.params;
    const body = { text, ...(hue !== undefined && { hue }) };
    const result = await attempt.effect({ broadcast: body }, ({ shard }) =>
      shard.call(async (control) => {
        const answered = await control.command(broadcastCall, toCommand(attempt), { body });
        return { ...answered };
      }),
    );
    return createDoneResult(result);
  },
});

const maxLines = 8;
const maxLineLength = 128;

/** Splits a text into lines. A final line break adds no empty line. */
const splitLines = (text: string): string[] => text.replace(/\r?\n$/, "").split(/\r?\n/);

const linesProblem = (message: string): ParamProblem => ({
  param: "lines",
  code: "limit",
  message,
});

function checkLines(text: string): ParamProblem[] {
  const lines = splitLines(text);
  return [
    ...(lines.length > maxLines ? [linesProblem(`must have at most ${maxLines} lines`)] : []),
    ...(lines.some((line) => line.trim() === "" || line.length > maxLineLength)
      ? [linesProblem(`must have 1 to ${maxLineLength} characters in each line`)]
      : []),
  ];
}

const addCrier = defineAction<{ lines: string; durationSec: number }>({
  id: "shard.towncrier.add",
  label: "Add a message of the town crier",
  owner,
  risk: "notify",
  reversible: true,
  dimensions: ["broadcasts"],
  params: [
    {
      name: "lines",
      type: "text",
      required: true,
      maxLength: maxLines * (maxLineLength + 2),
      description: `The message: 1 to ${maxLines} lines of up to ${maxLineLength} characters each.`,
    },
    {
      name: "durationSec",
      type: "integer",
      required: true,
      min: 60,
      max: 31_536_000,
      description: "How many seconds the message stays.",
    },
  ],
  checkCombination: ({ lines }) => (typeof lines === "string" ? checkLines(lines) : []),
  run: async (attempt) => {
    const { lines, durationSec } = attempt.params;
    const body = { lines: splitLines(lines), durationSec };
    const result = await attempt.effect(
      { addTownCrier: body },
      ({ shard }) =>
        shard.call(async (control) => {
          const { id } = await control.command(addTownCrierCall, toCommand(attempt), { body });
          return { id };
        }),
      { id: "rehearsed" },
    );
    return createDoneResult(result);
  },
});

const addStep: Param = {
  name: "step",
  type: "string",
  required: true,
  maxLength: 40,
  description: "The key of the earlier step that added the message.",
  stepOf: addCrier.id,
};

const removeCrier = defineAction<{ step: string }>({
  id: "shard.towncrier.remove",
  label: "Remove a message of the town crier",
  owner,
  risk: "notify",
  dimensions: ["broadcasts"],
  params: [addStep],
  run: async (attempt) => {
    const { step } = attempt.params;
    const id = (await attempt.resultOf(step))?.["id"];
    if (typeof id !== "string") {
      throw new AppError("invalid_request", `the step ${step} added no message`);
    }
    const result = await attempt.effect({ removeTownCrier: { id } }, ({ shard }) =>
      shard.call(async (control) => {
        const params = { id };
        const { removed } = await control.command(removeTownCrierCall, toCommand(attempt), {
          params,
        });
        return { removed };
      }),
    );
    return createDoneResult(result);
  },
});

const champion = (verb: "start" | "stop", label: string, isReversible: boolean) =>
  defineAction<{ id: string }>({
    id: `shard.champion.${verb}`,
    label,
    owner,
    risk: "world",
    reversible: isReversible,
    dimensions: ["champions"],
    params: [
      {
        name: "id",
        type: "serial",
        required: true,
        description: "The serial of the altar of the spawn.",
      },
    ],
    run: async (attempt) => {
      const { id } = attempt.params;
      const call = verb === "start" ? startChampionCall : stopChampionCall;
      const result = await attempt.effect({ champion: { id, verb } }, ({ shard }) =>
        shard.call(async (control) => {
          const answered = await control.command(call, toCommand(attempt), { params: { id } });
          return { ...answered };
        }),
      );
      return createDoneResult(result);
    },
  });

export const shardActions = [
  status,
  broadcastText,
  addCrier,
  removeCrier,
  champion("start", "Start a champion spawn", true),
  champion("stop", "Stop a champion spawn", false),
];
