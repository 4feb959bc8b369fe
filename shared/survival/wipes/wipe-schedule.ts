import Joi from "joi";

import type { WipeRule } from "../../../models/survival/survival-server.ts";
import { type Fault, invalidFieldsError } from "../../platform/errors/errors.ts";
import { instantField } from "../../platform/time/instant.ts";
import { isTimeZone } from "../../platform/time/wall-time.ts";
import { canFire, parseWipeCron } from "./wipe-cron.ts";

const wipeRules = ["weekly", "biweekly", "monthly", "cron", "once"] as const satisfies WipeRule[];

/** The wipe schedule of a server: the six inputs of the game's timer. */
export interface WipeSchedule {
  /** Null if there is no schedule; then all fields are null. */
  readonly wipeRule: WipeRule | null;
  /** 0 is Sunday. */
  readonly wipeDay: number | null;
  /** `HH:mm` in `wipeTimezone`. */
  readonly wipeTime: string | null;
  readonly wipeTimezone: string | null;
  readonly wipeCron: string | null;
  /** A single extra wipe, used while it is in the future. With the rule `once`, the only wipe. */
  readonly wipeAt: Date | null;
}

/** The six fields as a client sends them. */
export interface WipeScheduleInput {
  readonly wipeRule?: WipeRule | null;
  readonly wipeDay?: number | null;
  readonly wipeTime?: string | null;
  readonly wipeTimezone?: string | null;
  readonly wipeCron?: string | null;
  readonly wipeAt?: string | null;
}

/** Formats of the six fields. `normalizeWipeSchedule` checks which fields a rule needs. */
export const wipeFields = {
  wipeRule: Joi.string()
    .valid(...wipeRules)
    .allow(null)
    .description(
      "How the time of the next wipe is determined. If the request contains this field, it " +
        "replaces all six fields of the schedule (`wipeRule`, `wipeDay`, `wipeTime`, " +
        "`wipeTimezone`, `wipeCron`, `wipeAt`). If the request does not contain `wipeRule`, the " +
        "other five fields are ignored. Null removes the schedule.",
    ),
  wipeDay: Joi.number()
    .integer()
    .min(0)
    .max(6)
    .allow(null)
    .description(
      "Weekday of the wipe, for the rules `weekly`, `biweekly` and `monthly`. 0 is Sunday. " +
        "Default: 4 (Thursday).",
    ),
  wipeTime: Joi.string()
    .pattern(/^([01]\d|2[0-3]):[0-5]\d$/)
    .allow(null)
    .messages({ "string.pattern.base": "{{#label}} must be a wall time such as 19:00" })
    .description(
      "Time of day of the wipe as HH:mm in `wipeTimezone`, for the rules `weekly`, `biweekly` " +
        "and `monthly`. Default: 19:00.",
    ),
  wipeTimezone: Joi.string()
    .max(64)
    .allow(null)
    .description(
      "IANA time zone of the wipe schedule, for all rules except `once`. Default: " +
        "`Europe/London`.",
    ),
  wipeCron: Joi.string()
    .max(120)
    .allow(null)
    .description(
      "Cron expression for the rule `cron`, which requires it. The expression has five fields: " +
        "minute, hour, day of month, month, weekday. Allowed are `*`, `,`, `-`, `/`, `L` (last) " +
        "and `#` (nth weekday). Unlike in POSIX cron, a date must match both the day of month " +
        "and the weekday.",
    ),
  wipeAt: instantField
    .allow(null)
    .description(
      "Time of a single wipe. Required with the rule `once`. With another rule, the single wipe " +
        "is the next wipe until its time has passed; then the rule applies.",
    ),
} as const;

export const scheduleFields = [
  "wipeRule",
  "wipeDay",
  "wipeTime",
  "wipeTimezone",
  "wipeCron",
  "wipeAt",
] as const satisfies readonly (keyof WipeSchedule)[];

const noSchedule: WipeSchedule = {
  wipeRule: null,
  wipeDay: null,
  wipeTime: null,
  wipeTimezone: null,
  wipeCron: null,
  wipeAt: null,
};

/** Defaults of the game's timer: Thursday, 19:00 in London. */
const defaultSchedule = { wipeDay: 4, wipeTime: "19:00", wipeTimezone: "Europe/London" } as const;

/**
 * Returns the schedule to store. Returns undefined if `wipeRule` is absent, so that all six fields stay.
 * Fields that the rule does not use become null.
 * @throws AppError naming every invalid field
 */
export function normalizeWipeSchedule(sent: WipeScheduleInput): WipeSchedule | undefined {
  if (!Object.hasOwn(sent, "wipeRule") || sent.wipeRule === undefined) return undefined;
  if (sent.wipeRule === null) return noSchedule;
  const settled = normalizeSchedule(sent.wipeRule, sent);
  const faults = faultsOf(settled);
  if (faults.length > 0) throw invalidFieldsError(faults);
  return settled;
}

function normalizeSchedule(wipeRule: WipeRule, sent: WipeScheduleInput): WipeSchedule {
  const { wipeAt: at } = sent;
  const wipeAt = at === null || at === undefined ? null : new Date(at);
  if (wipeRule === "once") return { ...noSchedule, wipeRule, wipeAt };
  const wipeTimezone = sent.wipeTimezone ?? defaultSchedule.wipeTimezone;
  if (wipeRule === "cron") {
    return { ...noSchedule, wipeRule, wipeTimezone, wipeCron: sent.wipeCron ?? null, wipeAt };
  }
  return {
    wipeRule,
    wipeDay: sent.wipeDay ?? defaultSchedule.wipeDay,
    wipeTime: sent.wipeTime ?? defaultSchedule.wipeTime,
    wipeTimezone,
    wipeCron: null,
    wipeAt,
  };
}

function faultsOf({ wipeRule, wipeTimezone, wipeCron, wipeAt }: WipeSchedule): Fault[] {
  const faults: Fault[] = [];
  const add = (path: string, message: string) =>
    faults.push({ path, message: `${path} ${message}` });
  if (wipeTimezone !== null && !isTimeZone(wipeTimezone)) {
    add("wipeTimezone", "must be an IANA time zone");
  }
  if (wipeRule === "once" && wipeAt === null) add("wipeAt", "is required with the rule once");
  if (wipeRule === "cron") {
    const fault = cronFault(wipeCron);
    if (fault !== undefined) add("wipeCron", fault);
  }
  return faults;
}

function cronFault(text: string | null): string | undefined {
  if (text === null) return "is required with the rule cron";
  const cron = parseWipeCron(text);
  if (typeof cron === "string") return cron;
  return canFire(cron) ? undefined : "never fires";
}
