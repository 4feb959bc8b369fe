import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  formatClanColor,
  findDisbandedClans,
  isBoardComplete,
  findLeader,
} from "../../shared/survival/clans/clan-board.ts";
import { parseClanId, externalIdOf } from "../../shared/survival/clans/clan-identity.ts";

describe("a clan's external id", () => {
  it("consists of the server, the id of the clan and the time of its creation", () => {
    const clan = { serverId: 3, clanId: "17", created: "638412345678901234" };
    expect(externalIdOf(clan)).toBe("3-17-638412345678901234");
    expect(parseClanId("3-17-638412345678901234")).toEqual(clan);
  });

  it("differs if the game reuses an id", () => {
    const first = { serverId: 1, clanId: "1", created: "100" };
    expect(externalIdOf(first)).not.toBe(externalIdOf({ ...first, created: "101" }));
  });

  it("can be read back for any 64-bit numbers", () => {
    const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 2 ** 31 - 1 }),
        int64,
        int64,
        (serverId, clanId, created) => {
          const clan = { serverId, clanId, created };
          expect(parseClanId(externalIdOf(clan))).toEqual(clan);
        },
      ),
    );
  });

  it.each([
    "",
    "1",
    "1-2",
    "1-2-",
    "0-1-2",
    "01-1-2",
    "2147483648-1-2",
    "99999999999-1-2",
    "1-2-3-4",
    "1-x-3",
    "1-2-3\n",
    " 1-2-3",
    "1-٢-3",
    `1-2-${"3".repeat(21)}`,
    `1-${"2".repeat(1_000_000)}-3`,
  ])("is rejected if it is malformed, case %#", (text) => {
    expect(parseClanId(text)).toBeUndefined();
  });
});

describe("a clan board that a game sends", () => {
  const board = (length: number) => Array.from({ length }, (_, at) => `clan ${at}`);
  const self = (clan: string) => clan;

  it("marks the clans that it omits as disbanded if it has fewer clans than the limit", () => {
    expect(findDisbandedClans(["clan 1", "gone", "clan 2"], board(99), self)).toEqual(["gone"]);
    expect(findDisbandedClans(["gone"], [], self)).toEqual(["gone"]);
  });

  it.each([100, 101])("marks no omitted clan as disbanded if it has %i clans", (length) => {
    expect(findDisbandedClans(["gone"], board(length), self)).toEqual([]);
    expect(isBoardComplete(length)).toBe(false);
  });

  it("uses the limit that was requested, but never a higher limit", () => {
    expect(findDisbandedClans(["gone"], board(10), self, 10)).toEqual([]);
    expect(findDisbandedClans(["gone"], board(9), self, 10)).toEqual(["gone"]);
    expect(isBoardComplete(100, 1_000)).toBe(false);
  });
});

describe("a clan's color", () => {
  it.each([
    [-1, "#ffffff"],
    [-16777216, "#000000"],
    [0, "#000000"],
    [0x00ff8040, "#ff8040"],
    [-2147483648, "#000000"],
    [2147483647, "#ffffff"],
    [255, "#0000ff"],
  ])("is %i in the game and read as %s", (color, expected) => {
    expect(formatClanColor(color)).toBe(expected);
  });

  it.each([null, undefined, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, -(2 ** 31) - 1])(
    "is null for %p",
    (color) => {
      expect(formatClanColor(color)).toBeNull();
    },
  );
});

describe("the leader of a clan", () => {
  const member = (steamId: string, roleRank: number, joinedAt?: number | null) => ({
    steamId,
    roleRank,
    joinedAt,
  });

  it.each([
    ["with the lowest role rank", [member("a", 2), member("b", 1), member("c", 3)], "b"],
    ["who joined first, if ranks are equal", [member("a", 1, 9), member("b", 1, 5)], "b"],
    [
      "with a join date, if ranks are equal and another member has no date",
      [member("a", 1), member("b", 1, 5)],
      "b",
    ],
    [
      "with the lowest id, if ranks and dates are equal",
      [member("b", 1, 5), member("a", 1, 5)],
      "a",
    ],
  ])("is the member %s", (_case, members, leader) => {
    expect(findLeader(members)?.steamId).toBe(leader);
    expect(findLeader(members.toReversed())?.steamId).toBe(leader);
  });

  it("is undefined for a clan without members", () => {
    expect(findLeader([])).toBeUndefined();
  });
});
