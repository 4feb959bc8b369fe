interface ZoneFlag {
  readonly name: string;
  readonly group: string;
  /** True if the flag's effect on players or buildings is irreversible. */
  readonly destructive: boolean;
}

const destructive: ReadonlySet<string> = new Set([
  "Kill",
  "KillSleepers",
  "Eject",
  "EjectSleepers",
  "UnDestr",
]);

const groups = {
  access: "Eject EjectSleepers Kill KillSleepers KeepVehiclesIn KeepVehiclesOut",
  combat: "PvpGod PveGod SleepGod NoPve NoFallDamage NoSuicide NoWounded NoBleed NoCorpse",
  survival: "NoPoison NoStarvation NoThirst NoRadiation NoDrown",
  building:
    "UnDestr NoBuildingDamage NoDecay NoBuild NoStability NoUpgrade NoSprays NoDeploy NoCup NoSignUpdates NoDoorAccess",
  loot: "LootSelf NoPlayerLoot NoNPCLoot NoBoxLoot NoPickup NoCollect NoDrop NoLootSpawns NoEntityPickup NoGather NoStash",
  targeting: "NoHeliTargeting NoTurretTargeting NoAPCTargeting NoNPCTargeting InfiniteTrapAmmo",
  npcs: "NpcFreeze NoNPCSpawns",
  vehicles: "NoVehicleMounting NoVehicleDismounting",
  speech: "NoChat NoVoice",
  trade: "NoKits NoTrade NoShop NoTp NoRemove NoVending NoCraft",
  lights: "AutoLights AlwaysLights PoweredSwitches NoOvenToggle",
  custom: "Custom1 Custom2 Custom3 Custom4 Custom5",
} as const;

/** CATALOGUE of zone flags, by the names of the zone mod. */
export const zoneFlags: readonly ZoneFlag[] = Object.entries(groups).flatMap(([group, names]) =>
  names.split(" ").map((name) => ({ name, group, destructive: destructive.has(name) })),
);

export const zoneFlagNames: readonly string[] = zoneFlags.map(({ name }) => name);

export const hasDestructiveFlag = (flags: readonly string[]): boolean =>
  flags.some((name) => destructive.has(name));
