import Joi from "joi";

import { read } from "../../bridge/call.ts";
import { count, listOf, text } from "../answer-parts.ts";

/** Creature types one call may ask for. */
export const maxBodyTypes = 500;

const bodyStatuses = ["ok", "unknown", "notCreature", "failed"] as const;

/** Which animation body a creature type has; null unless `ok`. */
export interface BodyAnswer {
  readonly type: string;
  readonly status: (typeof bodyStatuses)[number];
  readonly body: number | null;
}

const bodyAnswer = Joi.object<BodyAnswer>({
  type: text,
  status: Joi.string().valid(...bodyStatuses),
  body: count.allow(null),
});

export const resolveBodies = read<
  { answers: BodyAnswer[] },
  { body: { types: readonly string[] } }
>({
  method: "POST",
  path: "/v1/bodies/resolve",
  since: { protocol: 8, before: "NO_SOURCE" },
  answer: Joi.object<{ answers: BodyAnswer[] }>({ answers: listOf(bodyAnswer) }),
});
