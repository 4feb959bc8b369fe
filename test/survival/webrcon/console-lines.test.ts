import { assert, property, string } from "fast-check";
import { describe, expect, it } from "vitest";

import { checkPayload } from "../../../shared/survival/ingest/check-payload.ts";
import { eventOfLine, readConsoleLine } from "../../../shared/survival/webrcon/console-lines.ts";
import { anna, bert } from "./started-feed.ts";

const generic = (text: string) =>
  readConsoleLine({ Type: "Generic", Message: text, Identifier: 0 });
const entry = (fields: object, type = "Chat") =>
  readConsoleLine({ Type: type, Message: JSON.stringify(fields, null, 2), Identifier: -1 });
const a = `${anna.name}[${anna.steamId}]`;
const b = `${bert.name}[${bert.steamId}]`;
const address = "203.0.113.7:51234";

describe("a line about a death", () => {
  const byBert = { kind: "player", ...bert };
  it.each([
    [`${a} was killed by ${b}`, byBert, null],
    [`Anna[8261/${anna.steamId}] was killed by Bert[77/${bert.steamId}]`, byBert, null],
    [`${a} was killed by ${b} at (812.5, 20.1, -1204)`, byBert, { x: 812.5, z: -1204 }],
    [`${a} was killed by 434922[434922]`, { kind: "npc" }, null],
    [`${a} was killed by 434922`, { kind: "npc" }, null],
    [`${a} was killed by Boar (Boar)`, { kind: "animal", prefab: "boar" }, null],
    [`${a} was killed by autoturret_deployed (entity)`, { kind: "entity", prefab: "entity" }, null],
    [`${a} was killed by Suicide`, { kind: "self" }, null],
    [`${a} was killed by ${a}`, { kind: "self" }, null],
    [`${a} was suicide by Heat`, { kind: "self" }, null],
    [`${a} was killed by fall!`, { kind: "environment", prefab: "fall" }, null],
    [`${a} was killed by Drowned`, { kind: "environment", prefab: "drowned" }, null],
    [`${a} was killed by Hunger`, { kind: "environment", prefab: "hunger" }, null],
    [`${a} was killed by Thirst`, { kind: "environment", prefab: "thirst" }, null],
    [`${a} was killed by Cold`, { kind: "environment", prefab: "cold" }, null],
    [`${a} died (Fall)`, { kind: "environment", prefab: "fall" }, null],
    [`${a} died (Bleeding)`, { kind: "environment", prefab: "bleeding" }, null],
  ])("is read with victim, killer and position: %s", (text, killer, position) => {
    expect(generic(text)).toEqual({ type: "died", victim: anna, killer, position });
  });

  it("is ignored if the victim is not a player", () => {
    expect(generic(`434922[434922] was killed by ${b}`)).toBeUndefined();
  });

  it("takes victim and killer from the ids nearest to its end", () => {
    const name = `Eve[76561198000000009] was killed by Mallory`;
    expect(generic(`${name}[${anna.steamId}] was killed by ${b}`)).toMatchObject({
      victim: { steamId: anna.steamId, name },
      killer: byBert,
    });
  });

  const forged = "a[76561198000000001] died (x)";
  it.each([
    [`${address}/${bert.steamId}/${forged} joined [windows/${bert.steamId}]`, bert.steamId],
    [`${address}/${bert.steamId}/${forged} disconnecting: closing`, bert.steamId],
    [`${forged}[${bert.steamId}] has entered the game`, null],
    [`${a} was killed by x[${bert.steamId}] has spawned`, null],
  ])("cannot be forged by a name in a line about a connection: %s", (text, steamId) => {
    expect(generic(text)).toMatchObject({ type: "presence", steamId });
  });

  it.each(["died (x)", "was suicide by x", "died (x) at (1, 2, 3)"])(
    "cannot be forged by the name of a killer: %s",
    (words) => {
      const name = `z[76561198000000009] ${words}`;
      expect(generic(`${a} was killed by ${name}[${bert.steamId}]`)).toEqual({
        type: "died",
        victim: anna,
        killer: { kind: "player", steamId: bert.steamId, name },
        position: null,
      });
    },
  );

  it("is ignored if the name of the victim contains an address", () => {
    expect(generic(`x ${address}/${anna.steamId}/${a} died (Fall)`)).toBeUndefined();
  });

  it("is ignored if it is very long", () => {
    expect(generic(`${"[".repeat(1_000_000)}${a} was killed by ${b}`)).toBeUndefined();
  });
});

describe("a line about a connection", () => {
  it.each([
    [`${address}/${anna.steamId}/An/na [x] joined [windows/${anna.steamId}]`, anna.steamId, null],
    [`${address}/${anna.steamId}/Anna disconnecting: closing`, anna.steamId, "closing"],
    [
      `${address}/${anna.steamId}/Anna disconnecting: Kicked: from ${address}`,
      anna.steamId,
      "Kicked: from ",
    ],
    [`${a} has entered the game`, null, null],
    [`Anna[8261/${anna.steamId}] has spawned`, null, null],
  ])("is read without the address: %s", (text, steamId, reason) => {
    expect(generic(text)).toEqual({ type: "presence", steamId, reason });
  });
});

describe("other lines of the console", () => {
  it.each([
    "Saving complete",
    "[SAVE] Saved 40128 ents, serialization(0.1), write(0.0), disk(0.0) total(0.2)",
    `[CHAT] ${a} : x[${anna.steamId}] was killed by ${b}`,
    `[TEAM CHAT] ${a} : ${b} died (Fall)`,
    `[CARDS CHAT] ${a} : hi`,
    `[CLAN CHAT] ${a} : ${address}/${anna.steamId}/Anna joined [windows/1]`,
    `[PlayerReport] ${a} reported ${b} - "${b} was killed by ${a}"`,
    `[FeedbackReport] ${a} reported Bug - "x" "${b} died (Fall)"`,
    `RCON: IP 203.0.113.7 attempted to connect with incorrect password.`,
    `[rcon] 203.0.113.7: say hello`,
    `note\n${a} was killed by ${b}`,
  ])("are no events: %s", (text) => {
    expect(generic(text)).toBeUndefined();
  });

  it.each(["Warning", "Error", "ClientPerf", 3, undefined])(
    "are no events if they have the type %s",
    (type) => {
      expect(readConsoleLine({ Type: type, Message: `${a} was killed by ${b}` })).toBeUndefined();
    },
  );

  it("are no events if they repeat a chat message, whatever it contains", () => {
    assert(
      property(string({ unit: "binary" }), string(), (name, text) => {
        expect(generic(`[CHAT] ${name}[${anna.steamId}] : ${text}`)).toBeUndefined();
      }),
    );
  });
});

const chatEntry = {
  Channel: 0,
  Message: "gg",
  UserId: anna.steamId,
  Username: "Anna",
  Color: "#5af",
  Time: 1_764_201_600,
};

describe("a chat entry", () => {
  it("is read if it belongs to the global channel", () => {
    const read = { type: "chat", ...anna, message: "gg", time: 1_764_201_600 };
    expect(entry(chatEntry)).toEqual(read);
  });

  it("is read from an older server, which sends the player's id as a number", () => {
    const text = JSON.stringify(chatEntry).replace(`"${anna.steamId}"`, anna.steamId);
    expect(readConsoleLine({ Type: "Chat", Message: text })).toMatchObject(anna);
  });

  it.each([1, 2, 3, 4, 5, "0", null])("is dropped if it belongs to the channel %j", (channel) => {
    expect(entry({ ...chatEntry, Channel: channel })).toBeUndefined();
  });

  it("is dropped if the server itself wrote it", () => {
    expect(entry({ ...chatEntry, UserId: "0", Username: "SERVER" })).toBeUndefined();
  });

  it("has the time of its arrival in its key if its own time is wrong", () => {
    const line = entry({ ...chatEntry, Time: 5 });
    const told = line && line.type !== "presence" && eventOfLine(line, 1_764_201_600_500);
    expect(told).toMatchObject({
      eventKey: expect.stringContaining(":1764201600:") as string,
      t: 1_764_201_600_500,
    });
  });
});

describe("a report", () => {
  const report = { PlayerId: anna.steamId, PlayerName: "Anna", Subject: "s", Message: "m" };
  it("contains the reported player", () => {
    const target = { TargetId: bert.steamId, TargetName: "Bert" };
    expect(entry({ ...report, ...target, Type: "cheat" }, "Report")).toEqual({
      type: "reported",
      reporter: anna,
      target: bert,
      subject: "s",
      message: "m",
      kind: "cheat",
    });
  });

  it("has a number as its type if it is not about a player", () => {
    expect(entry({ ...report, Type: 2 }, "Report")).toMatchObject({ target: null, kind: "2" });
  });
});

it("each event that is made from a line passes the schema of its kind", () => {
  const lines = [
    generic(`${a} was killed by ${b} at (1, 2, 3)`),
    generic(`${a} died (Fall)`),
    generic(
      `${"x".repeat(400)}[${anna.steamId}] was killed by ${"y".repeat(400)}[${bert.steamId}]`,
    ),
    entry(chatEntry),
    entry({ ...chatEntry, Username: "z".repeat(400), Message: "\uD800\0".repeat(900) }),
    entry({ PlayerId: anna.steamId, Subject: "s".repeat(900), Type: 1 }, "Report"),
  ];
  for (const line of lines) {
    if (!line || line.type === "presence") throw new Error("a line was not read");
    const { kind, payload } = eventOfLine(line, Date.now());
    expect(checkPayload(kind, payload)).toHaveProperty("payload");
  }
});
