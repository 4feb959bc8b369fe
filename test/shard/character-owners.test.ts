import { beforeEach, describe, expect, it } from "vitest";

import { CharacterOwnerCache } from "../../shared/shard/owners/character-owners.ts";

const serial = "0x0000A001";
let nowMs: number;
let owners: CharacterOwnerCache;

beforeEach(() => {
  nowMs = 0;
  owners = new CharacterOwnerCache(() => nowMs);
});

describe("the cached owner of a character", () => {
  it("is unknown until it is stored", () => {
    expect(owners.ownerOf(serial)).toBeUndefined();
    expect(owners.knowsRosterOf("maple")).toBe(false);
  });

  it("is the account name in lower case, and is cached for five minutes", () => {
    owners.storeCharacter(serial, "Maple");
    nowMs = 299_999;
    expect(owners.ownerOf(serial)).toBe("maple");
    nowMs = 300_000;
    expect(owners.ownerOf(serial)).toBeUndefined();
  });

  it("is stored with the account's roster, which counts as complete for thirty seconds", () => {
    owners.storeRoster("Maple", [serial]);
    expect([owners.ownerOf(serial), owners.knowsRosterOf("maple")]).toEqual(["maple", true]);
    nowMs = 30_000;
    expect([owners.ownerOf(serial), owners.knowsRosterOf("maple")]).toEqual(["maple", false]);
  });

  it("is the owner that was stored last", () => {
    owners.storeCharacter(serial, "maple");
    owners.storeCharacter(serial, "oak");
    expect(owners.ownerOf(serial)).toBe("oak");
  });

  it("is dropped when the cache reaches its limit", () => {
    owners.storeRoster("maple", [serial]);
    for (let index = 0; index < 50_000; index++) owners.storeCharacter(`serial ${index}`, "oak");
    expect(owners.ownerOf(serial)).toBeUndefined();
    expect(owners.knowsRosterOf("maple")).toBe(false);
    expect(owners.ownerOf("serial 49999")).toBe("oak");
  });
});
