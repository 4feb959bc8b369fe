import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { XmlDecoder } from "../../shared/shard/atlas/parsers/xml.ts";

const encodings = {
  "UTF-8": (text: string) => Buffer.from(text),
  "UTF-16LE": (text: string) => Buffer.from(text, "utf16le"),
  "UTF-16BE": (text: string) => Buffer.from(text, "utf16le").swap16(),
  "ISO-8859-1": (text: string) => Buffer.from(text, "latin1"),
} as const;

type Name = keyof typeof encodings;

const names = Object.keys(encodings) as Name[];

/** Characters that each tested encoding has. Control characters of ISO-8859-1 are left out. */
const character = fc.constantFrom(
  "a",
  "Z",
  "0",
  " ",
  "<",
  ">",
  "/",
  "=",
  '"',
  "é",
  "\u00FF",
  "\u00A0",
  "\n",
);

describe("an XML file", () => {
  it("is decoded to the same text in any encoding, with or without a byte order mark, in pieces of any size", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.boolean(),
        fc.array(character, { maxLength: 1_500 }),
        fc.array(fc.nat(3_200), { maxLength: 8 }),
        (name, isMarked, characters, cuts) => {
          const text = `<?xml version="1.0" encoding="${name}"?>${characters.join("")}`;
          const hasMark = isMarked && name !== "ISO-8859-1";
          const bytes = encodings[name](hasMark ? `\uFEFF${text}` : text);
          const places = [0, ...cuts, bytes.length].toSorted((one, other) => one - other);
          const decoder = new XmlDecoder("f");
          const pieces = places.map((at, place) =>
            decoder.write(bytes.subarray(at, places[place + 1] ?? at)),
          );
          expect(pieces.join("") + decoder.end()).toBe(text);
        },
      ),
    );
  });

  it.each([
    ["in single quotes", "<?xml version='1.0' encoding='windows-1252'?><a>\x80</a>"],
    [
      "with blanks",
      '<?xml version="1.0"\n encoding = "windows-1252" standalone="yes" ?><a>\x80</a>',
    ],
  ])("may declare its encoding %s", (_, text) => {
    const decoder = new XmlDecoder("f");
    expect(decoder.write(Buffer.from(text, "latin1")) + decoder.end()).toContain("<a>€</a>");
  });

  it.each([
    ["in a comment", '<!-- encoding="koi8-r" --><a>é</a>'],
    ["in an element", '<?xml version="1.0"?><a encoding="koi8-r">é</a>'],
    ["in another processing instruction", '<?xml-stylesheet encoding="koi8-r"?><a>é</a>'],
    [
      "beyond the length limit of a declaration",
      `<?xml ${" ".repeat(1_100)}encoding="koi8-r"?><a>é</a>`,
    ],
  ])("ignores an encoding that is named %s", (_, text) => {
    const decoder = new XmlDecoder("f");
    expect(decoder.write(Buffer.from(text)) + decoder.end()).toBe(text);
  });
});
