import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { splitStateEvents } from "../../shared/shard/states/rounds.ts";
import type { StateEvent } from "../../shared/shard/states/state-event.ts";

const anyEvents = fc
  .array(fc.record({ key: fc.integer({ min: 1, max: 4 }), kind: fc.constantFrom("a", "b", "c") }))
  .map((drawn) =>
    drawn.map(
      ({ key, kind }, id) => ({ id, frame: { kind }, payload: { key } }) as unknown as StateEvent,
    ),
  );

const keyOf = ({ payload }: StateEvent): unknown => payload["key"];
const operationOf = ({ frame }: StateEvent): string => frame.kind;
const sort = (events: readonly StateEvent[], repeats: boolean) =>
  splitStateEvents(events, { keyOf, operationOf, mayRepeat: repeats });

const idsByKey = (events: readonly StateEvent[]) =>
  new Map([...Map.groupBy(events, keyOf)].map(([key, all]) => [key, all.map(({ id }) => id)]));

describe("the groups of state changes that are applied together", () => {
  it.each([true, false])(
    "keep the order of changes to each object (objects may occur twice in a group: %s)",
    (repeats) => {
      fc.assert(
        fc.property(anyEvents, (events) => {
          const sorted = sort(events, repeats).flatMap((round) => round.events);
          expect(idsByKey(sorted)).toEqual(idsByKey(events));
        }),
      );
    },
  );

  it.each([true, false])(
    "contain one kind of operation each (objects may occur twice in a group: %s)",
    (repeats) => {
      fc.assert(
        fc.property(anyEvents, (events) => {
          for (const round of sort(events, repeats)) {
            expect(round.events.map(operationOf)).toEqual(round.events.map(() => round.operation));
          }
        }),
      );
    },
  );

  it("contain no object twice if one statement applies a whole group", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        for (const round of sort(events, false)) {
          expect(new Set(round.events.map(keyOf)).size).toBe(round.events.length);
        }
      }),
    );
  });

  it("are one for each operation if no object changes twice", () => {
    const events = ["a", "b", "a", "c", "b"].map(
      (kind, key) => ({ id: key, frame: { kind }, payload: { key } }) as unknown as StateEvent,
    );
    const kinds = sort(events, false).map((round) => [round.operation, round.events.length]);
    expect(kinds).toEqual([
      ["a", 2],
      ["b", 2],
      ["c", 1],
    ]);
  });
});
