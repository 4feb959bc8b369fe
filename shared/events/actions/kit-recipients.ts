import type { Values } from "../../facts/param.ts";
import { steamIdPattern } from "../../survival/kinds/fields.ts";
import type { ParamProblem } from "./action.ts";

/** Default of the parameter `most`: how many participants receive a kit. */
export const defaultMost = 50;

export const parseIds = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((one) => one !== "")),
];

/** Maximum length of the parameter `steamIds`, in characters. */
export const maxIdsLength = 4_000;

/** How many ids of 17 digits such a text holds, with one separator between them. */
const maxIds = Math.floor((maxIdsLength + 1) / (17 + 1));

/** Returns the most kits that a step can give. The participants are known only when it runs. */
export const maxKits = (params: Values): number => maxPlayers(params) * Number(params["uses"] ?? 1);

/** With neither `participation` nor literal Steam ids, a template supplies the ids at run time. */
function maxPlayers({ steamIds, participation, most = defaultMost }: Values): number {
  if (typeof steamIds === "string") return parseIds(steamIds).length;
  return participation === undefined ? maxIds : Number(most);
}

/** A participation supplies recipients and server; without it both parameters are required. */
export function checkRecipients(given: ReadonlySet<string>): ParamProblem[] {
  if (given.has("participation")) return [];
  if (!given.has("steamIds")) {
    return [{ param: "participation", code: "required", message: "or steamIds is required" }];
  }
  if (given.has("server")) return [];
  return [{ param: "server", code: "required", message: "is required with steamIds" }];
}

export function checkIds({ steamIds, participation: key }: Values): ParamProblem[] {
  if (typeof steamIds !== "string") return [];
  const ids = parseIds(steamIds);
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
