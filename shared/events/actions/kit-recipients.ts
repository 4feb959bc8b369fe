import type { Values } from "../../facts/param.ts";
import { steamIdPattern } from "../../survival/kinds/fields.ts";
import type { ParamProblem } from "./action.ts";

/** Of those who took part. */
export const standardMost = 50;

export const idsIn = (text: string): string[] => [
  ...new Set(text.split(/[\s,]+/).filter((one) => one !== "")),
];

/** How long a text of Steam ids may be. */
export const longestIds = 4_000;

/** As many as such a text has room for, a sign between each and the next. */
const mostIds = Math.floor((longestIds + 1) / (17 + 1));

/** As many kits as may be given: who took part is known only when the step comes up. */
export const mostKits = (params: Values): number =>
  mostPlayers(params) * Number(params["uses"] ?? 1);

/** Where a step has neither, its Steam ids are filled in only when it comes up. */
function mostPlayers({ steamIds, participation, most = standardMost }: Values): number {
  if (typeof steamIds === "string") return idsIn(steamIds).length;
  return participation === undefined ? mostIds : Number(most);
}

/** Who is given a kit and where is known by a participation, or has to be said. */
export function whoProblems(given: ReadonlySet<string>): ParamProblem[] {
  if (given.has("participation")) return [];
  if (!given.has("steamIds")) {
    return [{ param: "participation", code: "required", message: "or steamIds is required" }];
  }
  if (given.has("server")) return [];
  return [{ param: "server", code: "required", message: "is required with steamIds" }];
}

export function idProblems({ steamIds, participation: key }: Values): ParamProblem[] {
  if (typeof steamIds !== "string") return [];
  const ids = idsIn(steamIds);
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
