import Joi from "joi";

import { BridgeError } from "../../platform/bridge/bridge-error.ts";
import { type CallOptions, declareRead } from "../../platform/bridge/calls/call.ts";
import type { ControlClient } from "../../platform/bridge/calls/control.ts";
import { field, objectSchema } from "../../platform/bridge/payload-fields.ts";
import { count, listOf, text } from "./answer-parts.ts";

export const maxBodyTypes = 500;

export const bodyStatuses = ["ok", "unknown", "notCreature", "failed"] as const;

/** The animation body of a creature type; `body` is null unless the status is `ok`. */
export interface CreatureBodyAnswer {
  readonly type: string;
  readonly status: (typeof bodyStatuses)[number];
  readonly body: number | null;
}

/** The highest number that a picture's key can hold. */
const highestBody = 65_535;

const bodyAnswer = Joi.object<CreatureBodyAnswer>({
  type: field(text, "Type of the creature, as in the call."),
  status: field(
    Joi.string().valid(...bodyStatuses),
    "Result for this type. `unknown`: the game has no such type. `notCreature`: the type is an " +
      "item or a camp. `failed`: the game could not create the creature.",
  ),
  body: field(
    count.max(highestBody).allow(null),
    "Number of the creature's body. Null unless `status` is `ok`.",
  ),
});

export const resolveBodiesCall = declareRead<
  { answers: CreatureBodyAnswer[] },
  { body: { types: readonly string[] } }
>({
  method: "POST",
  path: "/v1/bodies/resolve",
  since: { protocol: 8, before: "NO_SOURCE" },
  answer: Joi.object<{ answers: CreatureBodyAnswer[] }>({
    answers: field(listOf(bodyAnswer), "One answer for each type of the call, in any order."),
  }),
  docs: {
    about:
      "Return the animation body of each type of creature. This call is a read: it has no actor " +
      "and no idempotency key.",
    body: objectSchema({
      types: field(
        listOf(text),
        `Types of creatures, at most ${maxBodyTypes}. Treat capital and small letters as equal.`,
      ),
    }),
    codes: ["NO_SOURCE", "DISABLED"],
    example: {
      body: { types: ["Orc", "WoodenChest"] },
      answer: {
        answers: [
          { type: "Orc", status: "ok", body: 17 },
          { type: "WoodenChest", status: "notCreature", body: null },
        ],
      },
    },
  },
});

/** Asks for up to 500 bodies. @throws {BridgeError} MALFORMED also for types that were not requested */
export async function fetchCreatureBodies(
  control: ControlClient,
  types: readonly string[],
  options: CallOptions = {},
): Promise<CreatureBodyAnswer[]> {
  const { answers } = await control.read(resolveBodiesCall, { body: { types }, ...options });
  const asked = new Set(types.map((type) => type.toLowerCase()));
  // Each match deletes the type from `asked`, so a repeated type is rejected.
  const foreign = answers.find(({ type }) => !asked.delete(type.toLowerCase()));
  if (foreign) {
    throw new BridgeError("MALFORMED", {
      reason: `the shard answered for ${foreign.type.slice(0, 64)}, which the site did not request`,
    });
  }
  return answers.map((answer) => (answer.status === "ok" ? answer : { ...answer, body: null }));
}
