import type Joi from "joi";
import { describe, expect, it } from "vitest";

import type { EventFrame } from "../../shared/platform/bridge/frames.ts";
import { checkFrames } from "../../shared/platform/ingest/check-frames.ts";
import { checkPayload } from "../../shared/survival/ingest/check-payload.ts";
import { survivalFrameKinds } from "../../shared/survival/kinds/kinds.ts";
import { type SchemaDescription, samplesOf } from "../support/shard/payload-samples.ts";

const frameOf = (kind: string, payload: object): EventFrame => ({
  type: "event",
  epoch: "6f1c3c5e-0000-4000-8000-0000000000dd",
  seq: 1,
  bootId: "boot",
  eventKey: null,
  kind,
  t: 1,
  replay: false,
  payload: { ...payload },
});

const describedOf = (schema: Joi.ObjectSchema): SchemaDescription => schema.describe();

/** The list fields in the payload of each kind, each with a valid payload of the kind. */
const lists = Object.entries(survivalFrameKinds).flatMap(([kind, { payload }]) => {
  const described = describedOf(payload);
  const [sample] = samplesOf(described) as Readonly<Record<string, unknown>>[];
  return Object.entries(described.keys ?? {})
    .filter(([, { type }]) => type === "array")
    .map(([list]) => [kind, list, sample ?? {}] as const);
});

describe("the rows of a list in a frame", () => {
  it.each(lists)(
    "in a frame of the kind %s, an invalid row of %s is omitted and counted",
    (kind, list, sample) => {
      const sound = sample[list] as readonly unknown[];
      const given = { ...sample, [list]: [false, ...sound, { odd: 1 }] };
      const checked = checkFrames([frameOf(kind, given)], checkPayload);
      expect(checked).toMatchObject({
        rejected: [],
        events: [{ payload: sample, rowsLeftOut: 2 }],
        shortened: [{ type: "rejected", reason: "schema", kind }],
      });
      expect(checked.events[0]?.payload).toEqual(sample);
    },
  );

  it.each(lists)(
    "in a frame of the kind %s, the frame is accepted although all rows of %s are invalid",
    (kind, list, sample) => {
      const { events, rejected } = checkFrames(
        [frameOf(kind, { ...sample, [list]: [false] })],
        checkPayload,
      );
      expect([events.map(({ payload }) => payload), rejected]).toEqual([
        [{ ...sample, [list]: [] }],
        [],
      ]);
    },
  );

  it.each(lists)(
    "in a frame of the kind %s, the frame is refused if %s is not a list",
    (kind, list, sample) => {
      const { events, rejected } = checkFrames(
        [frameOf(kind, { ...sample, [list]: { 0: 1 } })],
        checkPayload,
      );
      expect([events, rejected]).toMatchObject([[], [{ kind, reason: "schema" }]]);
    },
  );

  it("are tested for tallies, boards, player lists and the other lists", () => {
    expect(lists.map(([kind, list]) => `${kind} ${list}`)).toEqual(
      expect.arrayContaining([
        "player.online players",
        "player.tally tallies",
        "clan.board clans",
        "clan.roster members",
        "map.live players",
        "perm.inventory users",
        "perm.sync failed",
        "npc.placements placements",
      ]),
    );
  });
});
