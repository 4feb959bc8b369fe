import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { toPlainText } from "../../shared/platform/texts/plain-text.ts";
import {
  feedKinds,
  type FeedPayloads,
  formatFeedText,
} from "../../shared/survival/feed/feed-text.ts";
import { steamIdPattern } from "../../shared/survival/kinds/fields.ts";
import { displayName } from "../../shared/survival/plain-texts.ts";

const steamId = "76561198012345679";

describe("a Steam id", () => {
  it("is the 64-bit id of a personal account as a string", () => {
    expect(steamIdPattern.test(steamId)).toBe(true);
  });

  it.each(["", "7656119801234567", "765611980123456790", "12345678901234567", `${steamId}\n`])(
    "is rejected in the form %j",
    (text) => {
      expect(steamIdPattern.test(text)).toBe(false);
    },
  );
});

describe("a displayed name", () => {
  it.each([
    ["Ann", "Ann"],
    ["<color=#ff0000>Ann</color>", "Ann"],
    ["<size=40><b>A</b>nn</size>", "Ann"],
    ["<#f00>Ann", "Ann"],
    ["<<b>b>Ann<</b>/b>", "Ann"],
    ["<\u200Bb>Ann", "Ann"],
    ["I <3 you", "I <3 you"],
    ["a > b < c", "a > b < c"],
    ["\u202EnnA\u202C", "nnA"],
    ["A\u200B\u200C\u200D\uFEFF\u2066nn", "Ann"],
    ["Cafe\u0301", "Caf\u00E9"],
    ["e\u200B\u0301", "\u00E9"],
    ["  a \t\r\n  b  ", "a b"],
    ["[TAG] Ann", "[TAG] Ann"],
    ["Ann 😀", "Ann 😀"],
    ["\uD800Ann\uDC00", "Ann"],
    ["<img src=x onerror=alert(1)>Ann", "Ann"],
    ["__proto__", "__proto__"],
  ])("is made from the name in the game: %j becomes %j", (name, shown) => {
    expect(displayName(name, steamId)).toBe(shown);
  });

  it.each(["", "   ", "\u200B\u200D", "<b></b>", "\u2800\u3164\u00AD", "\uD800", "\0\u0001"])(
    "is the Steam id if %j has no visible character",
    (name) => {
      expect(displayName(name, steamId)).toBe(steamId);
    },
  );

  it("has at most 64 characters, and no half of a surrogate pair", () => {
    expect(displayName("😀".repeat(100), steamId)).toBe("😀".repeat(64));
    expect(displayName(`${"a".repeat(63)} b`, steamId)).toBe("a".repeat(63));
  });

  it("has at most 64 characters, for a name of a million characters", () => {
    for (const unit of ["<", "<b", "<b>", "<<b>b>", "\u0301", "\u200B", " ", "a"]) {
      const shown = displayName(unit.repeat(1_000_000), steamId);
      expect(Array.from(shown).length).toBeLessThanOrEqual(64);
    }
  });

  it("has no markup or control characters for any text, and cleaning it again changes nothing", () => {
    const unit = fc.oneof(
      fc.constantFrom(
        "<",
        ">",
        "/",
        "b",
        "color=",
        "#",
        " ",
        "\u200B",
        "\u0301",
        "\u0338",
        "\u2066",
      ),
      fc.string({ unit: "binary", maxLength: 2 }),
    );
    fc.assert(
      fc.property(fc.array(unit, { maxLength: 80 }), (parts) => {
        const shown = displayName(parts.join(""), steamId);
        expect(displayName(shown, steamId)).toBe(shown);
        expect(shown).not.toBe("");
        expect(shown.isWellFormed()).toBe(true);
        expect(shown).not.toMatch(
          /<[/a-z#][^<>]*>|[\p{Cc}\u200B-\u200F\u202A-\u202E\u2066-\u2069]/iu,
        );
      }),
    );
  });
});

describe("a sentence about an event in the feed", () => {
  const ann = { steamId, name: "<b>Ann</b>" };
  const bob = { steamId: "76561198000000001", name: "Bob" };
  const killedBy = (killer: FeedPayloads["player.died"]["killer"], rest: object = {}) => ({
    victim: ann,
    killer,
    ...rest,
  });

  it.each<[string, string]>([
    [
      formatFeedText("world.wiped", { blueprints: "kept" }),
      "The map was wiped; blueprints were kept.",
    ],
    [
      formatFeedText("world.wiped", { blueprints: "wiped" }),
      "The map and the blueprints were wiped.",
    ],
    [formatFeedText("world.wiped", { blueprints: "unknown" }), "The server was wiped."],
    [formatFeedText("player.joined", ann), "Ann joined."],
    [formatFeedText("player.joined", { ...ann, first: true }), "Ann joined for the first time."],
    [formatFeedText("player.left", ann), "Ann left."],
    [formatFeedText("player.respawned", { ...ann, name: "" }), `${steamId} respawned.`],
    [formatFeedText("player.chat", { ...ann, message: "<size=90>hi\nall" }), "Ann: hi all"],
    [
      formatFeedText(
        "player.died",
        killedBy({ kind: "player", ...bob }, { weapon: "AK", distance: 120.4, headshot: true }),
      ),
      "Ann was killed by Bob with AK from 120 m, by a headshot.",
    ],
    [formatFeedText("player.died", killedBy({ kind: "player", ...bob })), "Ann was killed by Bob."],
    [
      formatFeedText("player.died", killedBy({ kind: "player" })),
      "Ann was killed by another player.",
    ],
    [
      formatFeedText("player.died", killedBy({ kind: "player", ...ann })),
      "Ann died by their own hand.",
    ],
    [formatFeedText("player.died", killedBy({ kind: "self" })), "Ann died by their own hand."],
    [formatFeedText("player.died", killedBy({ kind: "environment" })), "Ann died."],
    [formatFeedText("player.died", killedBy({ kind: "animal" })), "Ann was killed by an animal."],
    [
      formatFeedText(
        "player.died",
        killedBy({ kind: "npc", name: "Boris" }, { distance: Number.NaN }),
      ),
      "Ann was killed by Boris.",
    ],
    [
      formatFeedText("survival.npc.died", { profile: "boris", name: "Boris", killer: bob }),
      "Boris was killed by Bob.",
    ],
    [formatFeedText("survival.npc.died", { profile: "boris", killer: null }), "boris died."],
  ])("reads %j", (text, expected) => {
    expect(text).toBe(expected);
  });

  it("exists only for the kinds of the feed", () => {
    expect(feedKinds).toEqual([
      "world.wiped",
      "player.joined",
      "player.left",
      "player.respawned",
      "player.died",
      "player.chat",
      "survival.npc.died",
    ]);
  });

  it("contains no position, whatever the payload contains", () => {
    const place = { x: 1234.5, y: 77, z: -987.25, grid: "P14" };
    const died = formatFeedText("player.died", killedBy({ kind: "player", ...bob }, place));
    const respawned = formatFeedText("player.respawned", { ...ann, ...place });
    expect(`${died} ${respawned}`).not.toMatch(/1234|987|P14|77\b/);
  });
});

describe("a plain text", () => {
  it("is one line with a maximum number of characters", () => {
    expect(toPlainText("a\n\nb   c", 3)).toBe("a b");
  });
});
