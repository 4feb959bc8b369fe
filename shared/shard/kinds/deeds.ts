import { count, flag, maybe, text } from "../../bridge/payload-fields.ts";
import { serial } from "../values/serial.ts";
import { gated, plain } from "../values/view.ts";
import { character, characterView, located, locationView } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const location = gated("location", locationView);

const drop = publicKind(
  located({
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
    located({
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
    located({ murderer: character(), victim: maybe(character()), kills: maybe(count()) }),
  ),
  /** Only of bosses and paragons. */
  "creature.kill": publicKind(
    located({
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
