import Joi from "joi";

import { placementAnchors } from "../../../models/survival/npcs/survival-npc-placement.ts";
import {
  count,
  field,
  flag,
  integer,
  listOf,
  nullish,
  objectSchema,
  text,
} from "../../platform/bridge/payload-fields.ts";
import { decimal, gameId } from "../kinds/fields.ts";

const shortName = field(text(64), "Short name of the item in the game, such as `rifle.ak`.");
const skinId = field(
  gameId(20),
  "Id of the item's skin: a 64-bit number as a text. `0` for no skin.",
);
const factor = (of: string) =>
  field(decimal(), `Factor for ${of}. 1 leaves the value of the game unchanged.`);
const meters = (what: string) => field(decimal(), `${what}, in meters.`);
const whether = (what: string) => field(flag(), `Whether the NPC ${what}.`);
const chance = (what: string) => field(decimal(), `Chance in percent that ${what}.`);

const wearItem = objectSchema({ shortName, skinId });

const belt = objectSchema({
  shortName,
  amount: field(count(), "Number of items."),
  skinId,
  mods: field(listOf(text(64)), "Short names of the weapon's attachments."),
  ammo: field(
    nullish(text(64)),
    "Short name of the ammunition. Null for the usual ammunition of the weapon.",
  ),
});

const behaviour = objectSchema({
  hostileOnly: whether("attacks only players whom the game marks as hostile"),
  ignoreSleepers: whether("does not attack sleeping players"),
  ignoreWounded: whether("does not attack wounded players"),
  ignoreSafeZone: whether("does not attack players in safe zones"),
  peacekeeper: whether("attacks only attackers"),
  respectSafeZones: whether("does not enter safe zones"),
  targetAnimals: whether("attacks animals"),
  instantHeadshotDeath: whether("dies of a single shot in the head"),
});

const death = objectSchema({
  dropWeaponPct: chance("the NPC drops its weapon"),
  wipeBeltPct: chance("the belt items are removed from the corpse"),
  wipeClothingPct: chance("the clothing is removed from the corpse"),
  rustLootPct: chance("the game's own loot is added to the corpse"),
  lootSource: field(
    nullish(text(64)),
    "Name of a loot table of the game, from which the corpse is filled. Null for the NPC's own " +
      "loot.",
  ),
  lockedCratePct: chance("the NPC drops a locked crate"),
  corpseMin: field(decimal(), "Number of minutes until the corpse disappears."),
});

/** An NPC profile as the game receives it. */
const profile = objectSchema({
  key: field(text(64), "Key that identifies the profile."),
  displayName: field(text(64), "Name of each NPC, if `names` is empty."),
  names: field(
    listOf(text(64)),
    "Each NPC receives one of these names at random. If the list is empty, each receives " +
      "`displayName`.",
  ),
  faction: field(nullish(text(64)), "Name of the NPC's faction. Null if the NPC has no faction."),
  health: field(decimal(), "Full health of the NPC, in hit points."),
  kit: field(nullish(text(64)), "Name of the kit that each NPC receives. Null for none."),
  kits: field(listOf(text(64)), "Each NPC receives one of these kits at random."),
  wearItems: field(listOf(wearItem), "Clothing that the NPC wears."),
  beltItems: field(listOf(belt), "Weapons and other items on the NPC's belt."),
  roamRange: meters("Distance within which the NPC roams"),
  chaseRange: meters("Distance up to which the NPC chases a target"),
  senseRange: meters("Distance within which the NPC notices players"),
  listenRange: meters("Distance within which the NPC hears players"),
  memorySec: field(decimal(), "Number of seconds for which the NPC remembers a target."),
  attackRangeMultiplier: factor("the range of attacks"),
  aimConeScale: factor("the spread of shots"),
  damageScale: factor("the damage of the NPC"),
  turretDamageScale: factor("the damage by turrets"),
  headScale: factor("damage to the head"),
  bodyScale: factor("damage to the body"),
  legScale: factor("damage to the legs"),
  meleeScale: factor("damage by melee weapons"),
  checkVisionCone: whether("sees only what is within `visionCone`"),
  visionCone: field(decimal(), "Width of the NPC's field of view, in degrees."),
  speed: field(decimal(), "Speed of the NPC, in meters per second."),
  stationary: whether("never moves"),
  canSwim: whether("can swim"),
  canSleep: whether("sleeps while no player is near"),
  sleepDistance: meters("Distance within which a player wakes the NPC"),
  runFromWater: whether("flees from water"),
  behaviour: field(behaviour, "How the NPC behaves."),
  radio: whether("has a radio"),
  gender: field(text(16), "Gender of the NPC: `random`, `female` or `male`."),
  skinTone: field(text(16), "Skin color of the NPC: `random`, `light`, `medium`, `tan` or `dark`."),
  death: field(death, "What happens when the NPC dies."),
  boss: whether("is a boss"),
  healthSteps: field(
    listOf(integer()),
    "Thresholds in percent of the full health, highest first. When the health falls below a " +
      "threshold, send the event `survival.npc.health`.",
  ),
  ranked: field(flag(), "Whether kills of the NPC count in the site's ranking."),
});

const pair = objectSchema({
  a: field(text(64), "Name of the first faction of the pair."),
  b: field(text(64), "Name of the second faction of the pair."),
  stance: field(
    Joi.string().valid("ally", "neutral", "hostile"),
    "Stance of the two factions to each other. Pairs that are not in the list are neutral.",
  ),
});

export const profilesBody = objectSchema({
  revision: field(count(), "Highest revision of the profiles in this call."),
  profiles: field(
    listOf(profile),
    "Profiles to create, or to replace if the game has a profile with the same key.",
  ),
  factions: field(listOf(pair), "All pairs of factions. The list replaces the previous list."),
  remove: field(listOf(text(64)), "Keys of the profiles to delete."),
});

const placement = objectSchema({
  name: field(text(64), "Name that identifies the placement."),
  profileKey: field(text(64), "Key of the profile of the placement's NPCs."),
  anchor: field(
    Joi.string().valid(...placementAnchors),
    "Origin of the coordinates: the middle of the map (`world`), or the monument that `monument` " +
      "names.",
  ),
  monument: field(nullish(text(128)), "Label of the monument. Null if `anchor` is `world`."),
  x: meters("Distance from the origin to the east"),
  y: meters("Height above the origin"),
  z: meters("Distance from the origin to the north"),
  rotation: field(decimal(), "Rotation of the placement, in degrees."),
  count: field(count(), "Number of NPCs that the placement should have."),
  radius: meters("Radius within which the NPCs spawn"),
  respawnSec: field(
    nullish(count()),
    "Number of seconds until a killed NPC respawns. Null if it never respawns.",
  ),
  enabled: field(flag(), "Whether the placement is active. If false, it has no NPCs."),
});

export const placementsBody = objectSchema({
  placements: field(
    listOf(placement),
    "All placements of the server. The list replaces the previous list.",
  ),
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
