import Joi from "joi";

import { instantField as plainInstant } from "../../shared/platform/time/instant.ts";

/** The largest id that the tables of events hold. */
const largestId = 2 ** 31 - 1;

export const rowIdField = Joi.number().integer().min(1).max(largestId);

const idParam = rowIdField.required();

export const eventIdParams = Joi.object<{ id: number }, true>({
  id: idParam.description("Id of the event."),
});

export const seriesIdParams = Joi.object<{ seriesId: number }, true>({
  seriesId: idParam.description("Id of the series."),
});

export const runIdParams = Joi.object<{ runId: number }, true>({
  runId: idParam.description("Id of the run."),
});

export const stepIdParams = Joi.object<{ runId: number; stepId: number }, true>({
  runId: idParam.description("Id of the run."),
  stepId: idParam.description("Id of a step of this run."),
});

/** The reason that a person enters for an action. The logs show it. */
export const reasonField = Joi.string().max(500).allow("", null);

/** A time with `Z` or a UTC offset. */
export const instantField = plainInstant
  .description("A time with `Z` or an offset, such as 2026-12-05T19:00:00Z.")
  .example("2026-12-05T19:00:00Z");

export const staffEventRouteOptions = {
  gate: "roles:admin,editor",
  set: "core",
  tag: "Events",
  faultStyle: "pointed",
} as const;
