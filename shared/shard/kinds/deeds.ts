import { count, field, flag, nullish, text } from "../../platform/bridge/payload-fields.ts";
import { serialField } from "../../platform/bridge/serial.ts";
import { gatedView, plainViews } from "../visibility/view.ts";
import {
  birchCharacter,
  character,
  characterView,
  schemaWithLocation,
  locationView,
  mapleCharacter,
  wildernessLocation,
} from "./fields.ts";
import { definePublicKind, defineStaffKind } from "./kind.ts";

const location = gatedView("location", locationView);

const drop = schemaWithLocation({
  serial: field(nullish(serialField()), "Serial of the item."),
  itemType: field(text(), "Type of the item in the game, such as `PowerScroll`."),
  name: field(
    nullish(text()),
    "Name that was given to this item. Null if the item has no name of its own.",
  ),
  to: field(nullish(character()), "Character who received the item."),
  from: field(nullish(text()), "Type or name of the creature that carried the item."),
  kind: field(nullish(text()), "Source of the item, such as `paragon`, `champion` or `doom`."),
});

const dropShown = {
  feature: "deeds" as const,
  view: {
    ...plainViews("serial", "itemType", "name", "from", "kind"),
    to: characterView,
    location,
  },
};

/** Events about deaths, kills and rare drops. */
export const deedKinds = {
  "player.death": definePublicKind(
    schemaWithLocation({
      serial: field(serialField(), "Serial of the character who died."),
      name: field(nullish(text()), "Name of the character who died."),
      killerSerial: field(
        nullish(serialField()),
        "Serial of the killer. Null if the serial is unknown or if there is no killer.",
      ),
      killerName: field(nullish(text()), "Name of the killer. Null if there is no killer."),
      killerType: field(
        nullish(text()),
        "Type of the killer in the game, such as `AncientLich`. Null if there is no killer.",
      ),
      corpse: field(nullish(serialField()), "Serial of the corpse."),
      pvp: field(nullish(flag()), "Whether the killer was a player's character."),
    }),
    {
      about: "A character died.",
      example: {
        ...mapleCharacter,
        killerSerial: null,
        killerName: "an ancient lich",
        killerType: "AncientLich",
        corpse: "0x40077001",
        pvp: false,
        location: wildernessLocation,
      },
      feature: "deeds",
      view: {
        ...plainViews("serial", "name", "killerSerial", "killerName", "killerType", "pvp"),
        location,
      },
    },
  ),
  "player.murder": defineStaffKind(
    schemaWithLocation({
      murderer: field(character(), "Character who committed the murder."),
      victim: field(nullish(character()), "Victim of the murder."),
      kills: field(nullish(count()), "Number of murders that the murderer has committed so far."),
    }),
    {
      about: "A victim reported a character as the murderer.",
      example: {
        murderer: birchCharacter,
        victim: mapleCharacter,
        kills: 6,
        location: wildernessLocation,
      },
    },
  ),
  "creature.kill": definePublicKind(
    schemaWithLocation({
      type: field(text(), "Type of the creature, such as `AncientWyrm`."),
      serial: field(nullish(serialField()), "Serial of the creature."),
      killer: field(nullish(character()), "Character who killed the creature."),
      paragon: field(nullish(flag()), "Whether the creature was a paragon."),
    }),
    {
      about: "A boss or a paragon was killed. Send no event for other creatures.",
      example: {
        type: "AncientWyrm",
        serial: "0x00041002",
        killer: mapleCharacter,
        paragon: true,
        location: { map: "Ilshenar", x: 382, y: 328, z: -30, region: "Valor" },
      },
      feature: "deeds",
      view: { ...plainViews("type", "paragon"), killer: characterView, location },
    },
  ),
  "drop.artifact": definePublicKind(drop, {
    about: "A character received an artifact.",
    example: {
      serial: "0x400B0010",
      itemType: "StaffOfTheMagi",
      name: null,
      to: mapleCharacter,
      from: "AncientWyrm",
      kind: "paragon",
      location: wildernessLocation,
    },
    ...dropShown,
  }),
  "drop.scroll": definePublicKind(drop, {
    about: "A character received a power scroll.",
    example: {
      serial: "0x400B0011",
      itemType: "PowerScroll",
      name: "a wondrous scroll of blacksmithing",
      to: birchCharacter,
      from: "Barracoon",
      kind: "champion",
      location: { map: "Felucca", x: 5557, y: 824, z: 65, region: "Despise" },
    },
    ...dropShown,
  }),
};
