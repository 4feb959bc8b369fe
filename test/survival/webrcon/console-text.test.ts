import { array, assert, constantFrom, oneof, property, string } from "fast-check";
import { describe, expect, it } from "vitest";

import {
  buildCommand,
  buildSayCommand,
  toPlainArgument,
  toConsoleText,
} from "../../../shared/survival/webrcon/console-text.ts";
import { readCommand, type ArgumentSyntax } from "../../simulator/console/splitter.ts";

const splitters = ["new", "old"] as const satisfies readonly ArgumentSyntax[];
const steamId = "76561198000000001";

/** Random texts with many characters that could end an argument or a command. */
const hostile = array(
  oneof(
    constantFrom('"', "\\", "'", ";", "\n", "\r", "\t", " ", "\0", "\u2028", "\u2029", "\u0085"),
    constantFrom('\\"', '" ', ' "', "#", "//", "quit", "banid 1", "server.stop", "\uD800", "<b>"),
    string({ unit: "binary" }),
    string(),
  ),
  { maxLength: 12 },
).map((parts) => parts.join(""));

describe.each(splitters)("a command with text, read by the %s splitter", (splitter) => {
  it("is one command whose text is one argument", () => {
    assert(
      property(hostile, (text) => {
        const command = buildCommand("kick", [toPlainArgument(steamId), text]);
        const cleaned = toConsoleText(text, 256);
        const read = command === null ? null : readCommand(command, splitter);
        const expected = ["global.kick", steamId, cleaned];
        expect(read && [read.name, ...read.args]).toEqual(cleaned === null ? null : expected);
      }),
      { numRuns: 400 },
    );
  });

  it("has two texts and a word after them as three separate arguments", () => {
    assert(
      property(hostile, hostile, (name, reason) => {
        const command = buildCommand("banid", [
          toPlainArgument(steamId),
          name,
          reason,
          toPlainArgument("60s"),
        ]);
        if (command === null) return;
        const read = readCommand(command, splitter);
        const texts = [toConsoleText(name, 256), toConsoleText(reason, 256)];
        expect([read.name, ...read.args]).toEqual(["global.banid", steamId, ...texts, "60s"]);
      }),
      { numRuns: 400 },
    );
  });

  it("contains a message as the rest of the line", () => {
    assert(
      property(hostile, (text) => {
        const command = buildSayCommand(text);
        const cleaned = toConsoleText(text, 512);
        const read = command === null ? null : readCommand(command, splitter);
        const expected = ["global.say", cleaned];
        expect(read && [read.name, read.rest]).toEqual(cleaned === null ? null : expected);
      }),
      { numRuns: 400 },
    );
  });
});

describe("a text for the console", () => {
  it("has no quote, backslash, semicolon, line end or control character", () => {
    assert(
      property(hostile, (text) => {
        const cleaned = toConsoleText(text, 256) ?? "";
        expect(cleaned).not.toMatch(/["\\;\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
        expect(Array.from(cleaned).length).toBeLessThanOrEqual(256);
      }),
      { numRuns: 400 },
    );
  });

  it.each([
    ['say "hi"', "say hi"],
    ["don't grief; quit\nserver.stop", "don't grief, quit server.stop"],
    ["ends with \\", "ends with"],
    [' "\\" \n', null],
  ])("is cleaned: %j", (text, cleaned) => {
    expect(toConsoleText(text, 256)).toBe(cleaned);
  });

  it("is required for an argument that is not a plain word, and an empty text yields no command", () => {
    expect(() => toPlainArgument('1 "x')).toThrow(RangeError);
    expect(buildCommand("kick", [toPlainArgument(steamId), '"'])).toBeNull();
  });
});
