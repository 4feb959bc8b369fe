import { count, field, flag, maybe, text } from "../../platform/bridge/payload-fields.ts";
import { serial } from "../../platform/bridge/serial.ts";
import { gated, plain } from "../visibility/view.ts";
import { birch, character, characterView, located, locationView, maple, wild } from "./fields.ts";
import { publicKind, staffKind } from "./kind.ts";

const location = gated("location", locationView);

const drop = located({
  serial: field(maybe(serial()), "Serial of the item."),
  itemType: field(text(), "Type of the item in the game, such as `PowerScroll`."),
  name: field(maybe(text()), "Name that was given to this item. Null if there is none."),
  to: field(maybe(character()), "Character who received the item."),
  from: field(maybe(text()), "Type or name of the creature that carried the item."),
  kind: field(maybe(text()), "Source of the item, such as `paragon`, `champion` or `doom`."),
});

const dropShown = {
  feature: "deeds" as const,
  view: { ...plain("serial", "itemType", "name", "from", "kind"), to: characterView, location },
};

/** Events about deaths, kills and rare drops. */
export const deedKinds = {
  "player.death": publicKind(
    located({
      serial: field(serial(), "Serial of the character who died."),
      name: field(maybe(text()), "Name of the character who died."),
      killerSerial: field(
        maybe(serial()),
        "Serial of the killer. Null if it is unknown or if there is no killer.",
      ),
      killerName: field(maybe(text()), "Name of the killer. Null if there is no killer."),
      killerType: field(
        maybe(text()),
        "Type of the killer in the game, such as `AncientLich`. Null if there is no killer.",
      ),
      corpse: field(maybe(serial()), "Serial of the corpse."),
      pvp: field(maybe(flag()), "Whether the killer was a player's character."),
    }),
    {
      about: "A character died.",
      example: {
        ...maple,
        killerSerial: null,
        killerName: "an ancient lich",
        killerType: "AncientLich",
        corpse: "0x40077001",
        pvp: false,
        location: wild,
      },
      feature: "deeds",
      view: {
        ...plain("serial", "name", "killerSerial", "killerName", "killerType", "pvp"),
        location,
      },
    },
  ),
  "player.murder": staffKind(
    located({
      murderer: field(character(), "Character who committed the murder."),
      victim: field(maybe(character()), "Victim of the murder."),
      kills: field(maybe(count()), "Number of murders that the murderer has committed so far."),
    }),
    {
      about: "A victim reported a character as the murderer.",
      example: { murderer: birch, victim: maple, kills: 6, location: wild },
    },
  ),
  "creature.kill": publicKind(
    located({
      type: field(text(), "Type of the creature, such as `AncientWyrm`."),
      serial: field(maybe(serial()), "Serial of the creature."),
      killer: field(maybe(character()), "Character who killed the creature."),
      paragon: field(maybe(flag()), "Whether the creature was a paragon."),
    }),
    {
      about: "A boss or a paragon was killed. Send no event for other creatures.",
      example: {
        type: "AncientWyrm",
        serial: "0x00041002",
        killer: maple,
        paragon: true,
        location: { map: "Ilshenar", x: 382, y: 328, z: -30, region: "Valor" },
      },
      feature: "deeds",
      view: { ...plain("type", "paragon"), killer: characterView, location },
    },
  ),
  "drop.artifact": publicKind(drop, {
    about: "A character received an artifact.",
    example: {
      serial: "0x400B0010",
      itemType: "StaffOfTheMagi",
      name: null,
      to: maple,
      from: "AncientWyrm",
      kind: "paragon",
      location: wild,
    },
    ...dropShown,
  }),
  "drop.scroll": publicKind(drop, {
    about: "A character received a power scroll.",
    example: {
      serial: "0x400B0011",
      itemType: "PowerScroll",
      name: "a wondrous scroll of blacksmithing",
      to: birch,
      from: "Barracoon",
      kind: "champion",
      location: { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" },
    },
    ...dropShown,
  }),
};
