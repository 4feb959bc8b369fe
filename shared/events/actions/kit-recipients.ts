import type { ParamValues } from "../../facts/param.ts";
import { steamIdPattern } from "../../survival/kinds/fields.ts";
import type { ParamProblem } from "./action.ts";

/** Default of the parameter `most`, the maximum number of participants who receive a kit. */
export const defaultMaxRecipients = 50;

export const parseSteamIds = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((one) => one !== "")),
];

/** Maximum length of the parameter `steamIds`, in characters. */
export const maxIdsLength = 4_000;

/** Maximum number of Steam ids of 17 digits in this text, with one separator between two ids. */
const maxIds = Math.floor((maxIdsLength + 1) / (17 + 1));

/** Returns the maximum number of kits of a step; its participants are not known before it runs. */
export const maxKits = (params: ParamValues): number =>
  maxPlayers(params) * Number(params["uses"] ?? 1);

/** Returns the maximum number of recipients. A template may supply the Steam ids at run time. */
function maxPlayers({ steamIds, participation, most = defaultMaxRecipients }: ParamValues): number {
  if (typeof steamIds === "string") return parseSteamIds(steamIds).length;
  return participation === undefined ? maxIds : Number(most);
}

/** Requires `participation`, which supplies recipients and server, or `steamIds` and `server`. */
export function checkRecipients(given: ReadonlySet<string>): ParamProblem[] {
  if (given.has("participation")) return [];
  if (!given.has("steamIds")) {
    return [{ param: "participation", code: "required", message: "or steamIds is required" }];
  }
  if (given.has("server")) return [];
  return [{ param: "server", code: "required", message: "is required with steamIds" }];
}

export function checkSteamIds({ steamIds, participation: key }: ParamValues): ParamProblem[] {
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
