import type { ParamValues } from "../../facts/param.ts";
import { readClock } from "../../platform/db/clock.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { steamIdPattern } from "../../survival/kinds/fields.ts";
import { deliverKitsForStep } from "../../survival/rewards/deliver-kits.ts";
import { countKitsByKey, grantKits } from "../../survival/rewards/entitlements.ts";
import { findParticipation, selectWinners } from "../../survival/rewards/participation.ts";
import { requireServerId } from "../../survival/servers/read-servers.ts";
import type { EventContext } from "../context.ts";
import { createDoneResult, defineAction, type ParamProblem } from "./action.ts";
import { participationParam, readParticipationId } from "./survival-participation.ts";
import { findStepIds, serverParam } from "./survival.ts";

/** Default of the parameter `most`, the maximum number of participants who receive a kit. */
const defaultMaxRecipients = 50;

const parseSteamIds = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((one) => one !== "")),
];

/** Maximum length of the parameter `steamIds`, in characters. */
const maxSteamIdsLength = 4_000;

/** Maximum number of Steam ids in `steamIds`: each has 17 digits, with one separator between two ids. */
const maxIds = Math.floor((maxSteamIdsLength + 1) / (17 + 1));

/** Returns the maximum number of kits of a step. The actual number is known only when the step runs. */
const maxKits = (params: ParamValues): number => maxPlayers(params) * Number(params["uses"] ?? 1);

/** Returns the maximum number of recipients. A template may supply the Steam ids at run time. */
function maxPlayers({ steamIds, participation, most = defaultMaxRecipients }: ParamValues): number {
  if (typeof steamIds === "string") return parseSteamIds(steamIds).length;
  return participation === undefined ? maxIds : Number(most);
}

/** Requires `participation`, which supplies recipients and server, or `steamIds` and `server`. */
function checkRecipients(given: ReadonlySet<string>): ParamProblem[] {
  if (given.has("participation")) return [];
  if (!given.has("steamIds")) {
    return [{ param: "participation", code: "required", message: "or steamIds is required" }];
  }
  if (given.has("server")) return [];
  return [{ param: "server", code: "required", message: "is required with steamIds" }];
}

function checkSteamIds({ steamIds, participation: key }: ParamValues): ParamProblem[] {
  if (typeof steamIds !== "string") return [];
  const ids = parseSteamIds(steamIds);
  const isOdd = ids.length === 0 || ids.some((one) => !steamIdPattern.test(one));
  return [
    ...(isOdd
      ? [{ param: "steamIds", code: "format", message: "must be Steam ids, one per line" } as const]
      : []),
    ...(typeof key === "string"
      ? [
          {
            param: "steamIds",
            code: "range",
            message: "cannot be given with participation",
          } as const,
        ]
      : []),
  ];
}

const owner = "survival";

interface KitParams {
  readonly participation?: string;
  readonly steamIds?: string;
  readonly server?: string;
  readonly kit: string;
  readonly uses?: number;
  readonly expiresAt?: string;
  readonly most?: number;
  readonly leastShare?: number;
}

/**
 * Delays the delivery job. The step must deliver first, because only the step knows the user who started the run.
 */
const deliveryDelayMs = 5_000;

const give = defineAction<KitParams>({
  id: "survival.kit.entitle",
  label: "Give players a kit",
  owner,
  risk: "world",
  dimensions: ["kits"],
  spendOf: (params) => ({ kits: maxKits(params) }),
  checkCombination: (params, given) => [...checkRecipients(given), ...checkSteamIds(params)],
  params: [
    {
      ...participationParam,
      required: false,
      description: `${participationParam.description} An earlier step must collect the participants.`,
    },
    {
      name: "steamIds",
      type: "text",
      required: false,
      maxLength: maxSteamIdsLength,
      description:
        "Steam ids of the players, separated by line breaks, spaces or commas. Used instead of " +
        "`participation`.",
    },
    {
      ...serverParam,
      required: false,
      description: "The survival server, by its id or slug. Required with `steamIds`.",
    },
    {
      name: "kit",
      type: "string",
      required: true,
      maxLength: 64,
      description: "The name of the kit on the server.",
    },
    {
      name: "uses",
      type: "integer",
      required: false,
      min: 1,
      max: 1_000,
      description: "How often each player may take the kit; once by default.",
    },
    {
      name: "expiresAt",
      type: "datetime",
      required: false,
      description: "Until when players may take the kit; without limit by default.",
    },
    {
      name: "most",
      type: "integer",
      required: false,
      min: 1,
      max: 1_000,
      description:
        "The maximum number of participants who receive the kit, the highest scores first; " +
        `${defaultMaxRecipients} by default. The step spends this number times \`uses\`.`,
    },
    {
      name: "leastShare",
      type: "number",
      required: false,
      min: 0,
      max: 100,
      description:
        "The minimum share of the total score, in percent, that a participant must have. For the " +
        "method `damage`, the share of all damage counts.",
    },
  ],
  run: async (attempt, { sequelize }) => {
    const { participation: key, kit, uses = 1, expiresAt } = attempt.params;
    const id = key === undefined ? null : await readParticipationId(attempt, key);
    const { steamIds } = attempt.params;
    if (id === null && steamIds === undefined) {
      throw new AppError("invalid_request", "participation or steamIds is required");
    }
    const until = expiresAt === undefined ? null : new Date(expiresAt);
    if (until !== null && until <= (await readClock(sequelize))) {
      throw new AppError(
        "invalid_request",
        "expiresAt is in the past, so that no player could take the kit",
      );
    }
    const who = id === null ? { steamIds } : { participationId: id };
    const result = await attempt.effect({ entitle: { ...who, kit, uses } }, async (context) => {
      const recipients = await findRecipients(id, attempt.params, context);
      const step = await findStepIds(attempt, context);
      const entitling = { ...recipients, kit, uses, expiresAt: until, ...step };
      await inTransaction(context.sequelize, (transaction) =>
        grantKits(
          { ...entitling, key: attempt.idempotencyKey, afterMs: deliveryDelayMs },
          transaction,
          context,
        ),
      );
      // If the game cannot take a kit now, a job delivers it later.
      const refusals = await deliverKitsForStep(recipients.serverId, attempt, context);
      const given = await countKitsByKey(attempt.idempotencyKey, context);
      if (refusals.length > 0) throw refusedKitsError(refusals, given);
      return given;
    });
    return createDoneResult(result);
  },
});

/** Reports refused kits. Delivered kits stay delivered, and a job delivers the waiting ones. */
function refusedKitsError(
  refusals: readonly string[],
  { entitled, waiting }: Awaited<ReturnType<typeof countKitsByKey>>,
): AppError {
  const rest = `${entitled - waiting - refusals.length} given, ${waiting} waiting`;
  const refused = `the game refused ${refusals.length} of ${entitled}`;
  return new AppError("invalid_request", `${refused}: ${refusals[0]}; ${rest}`);
}

interface Recipients {
  readonly serverId: number;
  readonly steamIds: readonly string[];
}

async function findRecipients(
  participationId: number | null,
  { steamIds = "", server: name, most = defaultMaxRecipients, leastShare = 0 }: KitParams,
  context: EventContext,
): Promise<Recipients> {
  if (participationId === null) {
    if (name === undefined) {
      throw new AppError("invalid_request", "server is required with steamIds");
    }
    return { serverId: await requireServerId(name, context), steamIds: parseSteamIds(steamIds) };
  }
  const found = await findParticipation(participationId, context);
  if (found.state !== "collected") {
    throw new AppError("invalid_request", "the participants have not been collected yet");
  }
  return { serverId: found.serverId, steamIds: selectWinners(found, { most, leastShare }) };
}

export const survivalKitActions = [give];
