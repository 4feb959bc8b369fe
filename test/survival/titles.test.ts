import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { countedStats } from "../../shared/survival/kinds/stat-names.ts";
import {
  isStat,
  cleanTitle,
  statNames,
  titleCategories,
  titleOf,
} from "../../shared/survival/titles/title-categories.ts";
import {
  rankScores,
  assignTitles,
  type TitleRule,
  type TitleSetting,
} from "../../shared/survival/titles/title-holders.ts";

const standing = (steamId: string, value: number, reached = 0) => ({
  steamId,
  value,
  reachedAt: new Date(reached),
});

const rule = (position: number, stat: TitleRule["stat"], rest: Partial<TitleRule> = {}) => ({
  position,
  stat,
  topN: 1,
  text: null,
  color: null,
  enabled: true,
  ...rest,
});

const all: TitleSetting = { mode: "all", max: null };

describe("the title categories", () => {
  it("are 23 ranked categories and playtime", () => {
    expect(statNames).toEqual([...countedStats, "playtime"]);
    expect(statNames.filter((stat) => titleCategories[stat].ranked)).toEqual(countedStats);
  });

  it("are summed over worlds, except distances, which take the maximum", () => {
    const furthest = statNames.filter((stat) => titleCategories[stat].aggregate === "max");
    expect(furthest).toEqual(["pvpKillDistance", "pveKillDistance"]);
    expect(furthest.map((stat) => titleCategories[stat].unit)).toEqual(["metres", "metres"]);
  });

  it("are known by their own names, and not by names of built-in object properties", () => {
    expect(isStat("playtime")).toBe(true);
    for (const name of ["__proto__", "constructor", "toString", "", "Playtime"]) {
      expect(isStat(name)).toBe(false);
    }
  });

  it.each([
    ["King", "King"],
    ["", "Murderer"],
    [null, "Murderer"],
    [undefined, "Murderer"],
    ["[#ff0000]Red[/#]", "#ff0000Red/#"],
    ["<b>x</b>", "bx/b"],
    ["[]<>", "Murderer"],
    ["\u202E\u200B", "Murderer"],
    ["a".repeat(40), "a".repeat(32)],
  ])("turn %j into the title %j", (written, title) => {
    expect(titleOf("playersKilled", written)).toBe(title);
  });

  it("have titles without markup for any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const title = cleanTitle(text);
        expect(title).not.toMatch(/[[\]<>\p{Cc}]/u);
        expect(title.isWellFormed()).toBe(true);
        expect(cleanTitle(title)).toBe(title);
      }),
    );
  });
});

describe("ranks", () => {
  it("are shared by players with equal values, as in 1, 2, 2, 4, and the player who reached the value first is listed first", () => {
    const given = [standing("d", 5), standing("c", 7, 20), standing("a", 9), standing("b", 7, 10)];
    expect(rankScores(given).map(({ steamId, rank }) => [steamId, rank])).toEqual([
      ["a", 1],
      ["b", 2],
      ["c", 2],
      ["d", 4],
    ]);
  });

  it("do not depend on the order of the input", () => {
    const standings = fc.uniqueArray(
      fc.record({
        steamId: fc.integer({ min: 0, max: 99 }).map(String),
        value: fc.integer({ min: 0, max: 4 }),
        reachedAt: fc.constantFrom(new Date(0), new Date(1)),
      }),
      { selector: ({ steamId }) => steamId },
    );
    fc.assert(
      fc.property(standings, fc.func(fc.integer()), (given, shuffle) => {
        const shuffled = given.toSorted(
          (one, other) => shuffle(one.steamId) - shuffle(other.steamId),
        );
        const ranked = rankScores(given);
        expect(rankScores(shuffled)).toEqual(ranked);
        for (const { value, rank } of ranked) {
          expect(rank).toBe(1 + given.filter((other) => other.value > value).length);
        }
      }),
    );
  });
});

describe("the holders of titles", () => {
  const kills = [standing("b", 7, 20), standing("a", 7, 10), standing("c", 3), standing("z", 0)];

  it("are the best players, and of two equal players the one who reached the value first is listed first", () => {
    expect(assignTitles([rule(1, "playersKilled")], all, { playersKilled: kills }, {})).toEqual([
      { steamId: "a", titles: [{ text: "Murderer", color: null, stat: "playersKilled", rank: 1 }] },
    ]);
    const two = assignTitles(
      [rule(1, "playersKilled", { topN: 2 })],
      all,
      { playersKilled: kills },
      {},
    );
    expect(two.map(({ steamId, titles }) => [steamId, titles[0]?.rank])).toEqual([
      ["a", 1],
      ["b", 1],
    ]);
  });

  it("are ordered by Steam id if they reached the same value at the same time", () => {
    const atOnce = ["76561198000000012", "76561198000000002", "76561198000000001"].map((steamId) =>
      standing(steamId, 7, 10),
    );
    const rules = [rule(1, "playersKilled", { topN: 2 })];
    const held = assignTitles(rules, all, { playersKilled: atOnce }, {});
    expect(held.map(({ steamId }) => steamId)).toEqual(["76561198000000001", "76561198000000002"]);
  });

  it("hold a title only for a value above zero", () => {
    const held = assignTitles(
      [rule(1, "playersKilled", { topN: 10 })],
      all,
      { playersKilled: kills },
      {},
    );
    expect(held.map(({ steamId }) => steamId)).toEqual(["a", "b", "c"]);
    expect(assignTitles([rule(1, "headshots")], all, {}, {})).toEqual([]);
  });

  it.each<[TitleSetting, string[]]>([
    [{ mode: "first", max: null }, ["Sharp"]],
    [{ mode: "upTo", max: 2 }, ["Sharp", "King"]],
    [{ mode: "all", max: null }, ["Sharp", "King", "Miner"]],
    [{ mode: "first", max: 3 }, ["Sharp"]],
  ])("have, under the setting %j, their titles in the order of the rules", (setting, texts) => {
    const rules = [
      rule(3, "rocksGathered"),
      rule(2, "playersKilled", { color: "#ff0000" }),
      rule(1, "headshots", { text: "[Sharp]" }),
      rule(0, "npcKills", { enabled: false }),
    ];
    const standings = {
      rocksGathered: [standing("a", 1)],
      playersKilled: [standing("a", 1)],
      headshots: [standing("a", 1)],
      npcKills: [standing("a", 1)],
    };
    const [holder] = assignTitles(rules, setting, standings, { playersKilled: "King" });
    expect(holder?.titles.map(({ text }) => text)).toEqual(texts);
  });

  it("have the title text of the rule, or that of the category if the rule has none", () => {
    const rules = [rule(1, "headshots", { text: "<>" })];
    const standings = { headshots: [standing("a", 1)] };
    const title = { color: null, stat: "headshots", rank: 1 };
    expect(assignTitles(rules, all, standings, { headshots: "Hawk" })).toEqual([
      { steamId: "a", titles: [{ ...title, text: "Hawk" }] },
    ]);
  });
});
