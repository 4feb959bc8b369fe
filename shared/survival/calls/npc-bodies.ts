import Joi from "joi";

import { placementAnchors } from "../../../models/survival/survival-npc-placement.ts";
import {
  count,
  field,
  flag,
  integer,
  listOf,
  maybe,
  shape,
  text,
} from "../../bridge/payload-fields.ts";
import { decimal, gameId } from "../kinds/fields.ts";

const shortName = field(text(64), "Short name of the item.");
const skinId = field(gameId(20), "Id of the skin, a 64-bit number as a text. 0 for none.");
const factor = (of: string) => field(decimal(), `Factor for ${of}, 1 for the game's own.`);
const meters = (what: string) => field(decimal(), `Meters ${what}.`);
const whether = (what: string) => field(flag(), `Whether the NPC ${what}.`);
const chance = (what: string) => field(decimal(), `Chance in percent that ${what}.`);

const worn = shape({ shortName, skinId });

const belt = shape({
  shortName,
  amount: field(count(), "How many."),
  skinId,
  mods: field(listOf(text(64)), "Short names of the weapon's attachments."),
  ammo: field(maybe(text(64)), "Short name of the ammunition. Null for the usual one."),
});

const behaviour = shape({
  hostileOnly: whether("attacks only players whom the game marks as hostile"),
  ignoreSleepers: whether("leaves sleepers alone"),
  ignoreWounded: whether("leaves wounded players alone"),
  ignoreSafeZone: whether("leaves players in safe zones alone"),
  peacekeeper: whether("attacks only those who attack"),
  respectSafeZones: whether("stays out of safe zones"),
  targetAnimals: whether("attacks animals"),
  instantHeadshotDeath: whether("dies of any shot in the head"),
});

const death = shape({
  dropWeaponPct: chance("the weapon is dropped"),
  wipeBeltPct: chance("the belt items are removed"),
  wipeClothingPct: chance("the clothing is removed"),
  rustLootPct: chance("the game's own loot is added"),
  lootSource: field(maybe(text(64)), "Loot table of the game. Null for the NPC's own loot."),
  lockedCratePct: chance("a locked crate is dropped"),
  corpseMin: field(decimal(), "Minutes until the corpse disappears."),
});

/** A profile as the game is sent it. */
const profile = shape({
  key: field(text(64), "What identifies the profile."),
  displayName: field(text(64), "Name of the NPC."),
  names: field(listOf(text(64)), "Each NPC gets one of these names. Empty for `displayName`."),
  faction: field(maybe(text(64)), "Faction of the NPC. Null for none."),
  health: field(decimal(), "Health of the NPC."),
  kit: field(maybe(text(64)), "Kit of the NPC. Null for none."),
  kits: field(listOf(text(64)), "Each NPC gets one of these kits."),
  wearItems: field(listOf(worn), "Clothing."),
  beltItems: field(listOf(belt), "Weapons and other items of the belt."),
  roamRange: meters("that the NPC roams"),
  chaseRange: meters("that the NPC chases"),
  senseRange: meters("at which the NPC notices players"),
  listenRange: meters("at which the NPC hears players"),
  memorySec: field(decimal(), "Seconds for which the NPC remembers a target."),
  attackRangeMultiplier: factor("the range of attacks"),
  aimConeScale: factor("the spread of shots"),
  damageScale: factor("the damage of the NPC"),
  turretDamageScale: factor("the damage by turrets"),
  headScale: factor("damage to the head"),
  bodyScale: factor("damage to the body"),
  legScale: factor("damage to the legs"),
  meleeScale: factor("damage by melee weapons"),
  checkVisionCone: whether("sees only what is in front of it"),
  visionCone: field(decimal(), "Width of the field of view in degrees."),
  speed: field(decimal(), "Speed in meters per second."),
  stationary: whether("stays where it is"),
  canSwim: whether("swims"),
  canSleep: whether("sleeps while nobody is near"),
  sleepDistance: meters("at which a player wakes the NPC"),
  runFromWater: whether("runs from water"),
  behaviour: field(behaviour, "How the NPC behaves."),
  radio: whether("has a radio"),
  gender: field(text(16), "`random`, `female` or `male`."),
  skinTone: field(text(16), "`random`, `light`, `medium`, `tan` or `dark`."),
  death: field(death, "What happens when the NPC dies."),
  boss: whether("is a boss"),
  healthSteps: field(
    listOf(integer()),
    "Percent of the health at which the plugin sends `survival.npc.health`, highest first.",
  ),
  ranked: field(flag(), "Whether kills count in the site's ranking."),
});

const pair = shape({
  a: field(text(64), "A faction."),
  b: field(text(64), "Another faction."),
  stance: field(
    Joi.string().valid("ally", "neutral", "hostile"),
    "How both are to each other. Pairs that are not listed are neutral.",
  ),
});

export const profilesBody = shape({
  revision: field(count(), "Highest revision of the profiles that are sent."),
  profiles: field(listOf(profile), "Profiles, which replace those with the same keys."),
  factions: field(listOf(pair), "All pairs of factions."),
  remove: field(listOf(text(64)), "Keys of profiles to delete."),
});

const placement = shape({
  name: field(text(64), "What identifies the placement."),
  profileKey: field(text(64), "Key of the profile."),
  anchor: field(
    Joi.string().valid(...placementAnchors),
    "Origin of the coordinates: the middle of the map (`world`), or a monument.",
  ),
  monument: field(maybe(text(128)), "Label of the monument, with the anchor `monument`."),
  x: meters("to the east"),
  y: meters("up"),
  z: meters("to the north"),
  rotation: field(decimal(), "Direction in degrees."),
  count: field(count(), "Number of NPCs."),
  radius: meters("over which the NPCs spread"),
  respawnSec: field(maybe(count()), "Seconds until an NPC comes again. Null for never."),
  enabled: field(flag(), "Whether there are NPCs now."),
});

export const placementsBody = shape({
  placements: field(listOf(placement), "All placements of the server."),
});

export const profileExample = {
  key: "forest-boss",
  displayName: "Forest boss",
  names: ["Gregor", "Ivo"],
  faction: "bandits",
  health: 5_000,
  kit: null,
  kits: [],
  wearItems: [{ shortName: "metal.facemask", skinId: "0" }],
  beltItems: [{ shortName: "rifle.ak", amount: 1, skinId: "0", mods: [], ammo: null }],
  roamRange: 20,
  chaseRange: 50,
  senseRange: 30,
  listenRange: 15,
  memorySec: 5,
  attackRangeMultiplier: 1,
  aimConeScale: 2,
  damageScale: 1,
  turretDamageScale: 1,
  headScale: 1,
  bodyScale: 1,
  legScale: 1,
  meleeScale: 1,
  checkVisionCone: false,
  visionCone: 135,
  speed: 7.5,
  stationary: false,
  canSwim: true,
  canSleep: false,
  sleepDistance: 100,
  runFromWater: true,
  behaviour: {
    hostileOnly: false,
    ignoreSleepers: true,
    ignoreWounded: true,
    ignoreSafeZone: true,
    peacekeeper: false,
    respectSafeZones: true,
    targetAnimals: false,
    instantHeadshotDeath: false,
  },
  radio: true,
  gender: "random",
  skinTone: "random",
  death: {
    dropWeaponPct: 100,
    wipeBeltPct: 100,
    wipeClothingPct: 100,
    rustLootPct: 100,
    lootSource: null,
    lockedCratePct: 0,
    corpseMin: 5,
  },
  boss: true,
  healthSteps: [75, 50, 25, 10],
  ranked: true,
};

export const placementExample = {
  name: "Dome boss",
  profileKey: "forest-boss",
  anchor: "monument",
  monument: "The Dome",
  x: 4,
  y: 0,
  z: -12.5,
  rotation: 90,
  count: 1,
  radius: 0,
  respawnSec: 3_600,
  enabled: true,
};
