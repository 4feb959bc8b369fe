import * as fc from "fast-check";
import Joi from "joi";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  checkPayloadAgainstSchema,
  compileSchema,
  undecided,
} from "../../shared/platform/bridge/check-payload.ts";
import { accountListField, playerListSchema } from "../../shared/survival/kinds/fields.ts";
import { findSurvivalKind } from "../../shared/survival/kinds/kinds.ts";
import { createSurvivalSimulatorPool } from "../simulator/survival/starting.ts";
import { validatePayload, anySpoiledPayload } from "../support/shard/spoiled-payloads.ts";

const { start, stopAll } = createSurvivalSimulatorPool();
afterAll(stopAll);

/** The payloads that a simulated game has sent, by kind. */
let told: ReadonlyMap<string, readonly object[]>;

beforeAll(async () => {
  const game = await start();
  for (let turn = 0; turn < 30; turn++) {
    game.tick();
    game.happen(20);
  }
  const payloads = game.buffer.log.map(({ kind, payload }) => ({ kind, payload }));
  told = new Map(
    [...Map.groupBy(payloads, ({ kind }) => kind)].map(([kind, some]) => [
      kind,
      some.map(({ payload }) => payload),
    ]),
  );
});

const schemaOf = (kind: string): Joi.Schema => findSurvivalKind(kind)?.payload ?? Joi.any();

/**
 * Checks a payload as ingest does.
 * @returns the payload as it is stored
 * @throws if it is refused
 */
function checked(kind: string, payload: object): object {
  const found = checkPayloadAgainstSchema(findSurvivalKind(kind)?.payload, payload);
  if ("reason" in found) throw new Error(found.reason);
  return found.payload;
}

describe("the compiled schemas of survival frames", () => {
  it("decide every payload of the simulator, so that none needs the slow check", () => {
    const slow = [...told].filter(([kind, payloads]) => {
      const read = compileSchema(schemaOf(kind));
      return payloads.some((payload) => read(payload) === undecided);
    });
    expect(slow.map(([kind]) => kind)).toEqual([]);
    expect([...told.keys()]).toEqual(
      expect.arrayContaining(["player.online", "player.tally", "player.died", "clan.roster"]),
    );
  });

  it("store each payload of the simulator as the schema does", () => {
    for (const [kind, payloads] of told) {
      const read = compileSchema(schemaOf(kind));
      const stored = payloads.map((payload) => read(payload));
      const expected = payloads.map((payload) => validatePayload(schemaOf(kind), payload).value);
      expect(stored).toStrictEqual(expected);
    }
  });

  it("accept no payload that the schema refuses, and change a payload as the schema does", () => {
    for (const [kind, [payload]] of told) {
      const schema = schemaOf(kind);
      const read = compileSchema(schema);
      fc.assert(
        fc.property(anySpoiledPayload(checked(kind, payload as object)), (given) => {
          const value = read(given);
          const expected = value === undecided ? { value } : validatePayload(schema, given);
          expect({ value }).toStrictEqual(expected);
        }),
        { numRuns: 100 },
      );
    }
  });

  const account = "76561198000000001";

  it.each([
    ["an unknown field of a closed object", Joi.object({}).unknown(false), { more: 1 }],
    ["a field that the schema would drop", Joi.object({}), JSON.parse('{"__proto__":1}')],
  ])("do not decide %s", (_what, schema: Joi.Schema, given) => {
    expect(compileSchema(schema)(given)).toBe(undecided);
  });

  it.each([
    ["a player without a Steam account", playerListSchema({}), [{ steamId: "8261" }], []],
    ["an id that is not a Steam account", accountListField(), [account, "8261"], [account]],
  ])("remove %s", (_what, schema: Joi.Schema, given, stored) => {
    expect(compileSchema(schema)(given)).toStrictEqual(stored);
  });

  it.each([
    ["players with Steam accounts", playerListSchema({}), [{ steamId: account }]],
    ["accounts", accountListField(), [account]],
    ["more fields of an open object", Joi.object({}).unknown(), { more: 1 }],
  ])(
    "return the list or the object itself if the schema leaves it unchanged: %s",
    (_what, schema: Joi.Schema, given) => {
      expect(compileSchema(schema)(given)).toBe(given);
    },
  );
});
