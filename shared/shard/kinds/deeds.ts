import { serial } from "../serial.ts";
import { gated, plain } from "../view.ts";
import { character, characterView, count, flag, maybe, placed, placeView, text } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const location = gated("location", placeView);

const drop = publicKind(
  placed({
    serial: maybe(serial()),
    itemType: text(),
    name: maybe(text()),
    to: maybe(character()),
    from: maybe(text()),
    kind: maybe(text()),
  }),
  {
    feature: "deeds",
    view: { ...plain("serial", "itemType", "name", "from", "kind"), to: characterView, location },
  },
);

/** What players do and what befalls them. */
export const deedKinds = {
  "player.death": publicKind(
    placed({
      serial: serial(),
      name: maybe(text()),
      killerSerial: maybe(serial()),
      killerName: maybe(text()),
      killerType: maybe(text()),
      corpse: maybe(serial()),
      pvp: maybe(flag()),
    }),
    {
      feature: "deeds",
      view: {
        ...plain("serial", "name", "killerSerial", "killerName", "killerType", "pvp"),
        location,
      },
    },
  ),
  "player.murder": staffKind(
    placed({ murderer: character(), victim: maybe(character()), kills: maybe(count()) }),
  ),
  /** Only of bosses and paragons. */
  "creature.kill": publicKind(
    placed({
      type: text(),
      serial: maybe(serial()),
      killer: maybe(character()),
      paragon: maybe(flag()),
    }),
    { feature: "deeds", view: { ...plain("type", "paragon"), killer: characterView, location } },
  ),
  "drop.artifact": drop,
  "drop.scroll": drop,
};
