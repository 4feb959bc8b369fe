import type { Association } from "./association.ts";
import type { Models } from "./definitions.ts";

/** What goes with a survival server, and with each of its worlds. */
export function ofSurvival(models: Models): Association[] {
  const { SurvivalServer: Server, SurvivalWipe: Wipe, SteamLink, User } = models;
  const ofServer = {
    owner: Server,
    as: "server",
    foreignKey: "serverId",
    onDelete: "CASCADE",
  } as const;
  const ofWipe = { owner: Wipe, as: "wipe", foreignKey: "wipeId", onDelete: "CASCADE" } as const;
  const steamLink = { row: SteamLink, rows: "steamLinks" } as const;
  return [
    { ...ofServer, row: models.SurvivalServerState, rows: "state", isOne: true },
    { ...ofServer, row: models.SurvivalEvent, rows: "events" },
    { ...ofServer, row: Wipe, rows: "wipes" },
    { ...ofServer, row: models.SurvivalMapImage, rows: "mapImages" },
    { ...ofServer, row: models.SurvivalPresence, rows: "presence" },
    { ...ofServer, row: models.SurvivalSighting, rows: "sightings" },
    { ...ofServer, row: models.SurvivalLedgerEntry, rows: "ledger" },
    { ...ofServer, row: models.SurvivalConfigWrite, rows: "configWrites" },
    { ...ofServer, row: models.SurvivalKillLeader, rows: "killLeader", isOne: true },
    { ...ofServer, row: models.SurvivalLinkCode, rows: "linkCodes" },
    { ...ofServer, row: models.SurvivalClan, rows: "clans" },
    { ...ofServer, row: models.SurvivalClanBoard, rows: "clanBoard", isOne: true },
    { ...ofServer, row: models.SurvivalZoneLease, rows: "zoneLeases" },
    { ...ofServer, row: models.SurvivalParticipation, rows: "participations" },
    { ...ofServer, row: models.SurvivalEntitlement, rows: "entitlements" },
    { ...ofServer, ...steamLink, onDelete: "SET NULL" },
    { ...ofWipe, row: models.SurvivalMapImage, rows: "mapImages" },
    { ...ofWipe, row: models.SurvivalTally, rows: "tallies" },
    { ...ofWipe, row: models.SurvivalScore, rows: "scores" },
    { ...ofWipe, row: models.SurvivalNpcKill, rows: "npcKills" },
    { ...ofWipe, row: models.SurvivalKillLeader, rows: "killLeaders" },
    {
      owner: models.SurvivalClan,
      as: "clan",
      foreignKey: "clanRowId",
      onDelete: "CASCADE",
      row: models.SurvivalClanMember,
      rows: "members",
    },
    ...ofStaff(models),
    { ...steamLink, owner: User, as: "user", foreignKey: "userId", onDelete: "CASCADE" },
  ];
}

/** What staff changed last, and did; and who used a code of a game. */
const ofStaff = (models: Models): Association[] => [
  {
    owner: models.User,
    rows: "usedLinkCodes",
    row: models.SurvivalLinkCode,
    as: "user",
    foreignKey: "usedBy",
    onDelete: "SET NULL",
  },
  {
    owner: models.User,
    rows: "survivalVisibilityChanges",
    row: models.SurvivalVisibility,
    as: "changedBy",
    foreignKey: "updatedBy",
    onDelete: "SET NULL",
  },
  {
    owner: models.User,
    rows: "hiddenSurvivalEvents",
    row: models.SurvivalEvent,
    as: "hider",
    foreignKey: "hiddenBy",
    onDelete: "SET NULL",
  },
  {
    owner: models.User,
    rows: "survivalConfigWrites",
    row: models.SurvivalConfigWrite,
    as: "author",
    foreignKey: "createdBy",
    onDelete: "SET NULL",
  },
  {
    owner: models.User,
    rows: "changedZonePresets",
    row: models.SurvivalZonePreset,
    as: "changedBy",
    foreignKey: "updatedBy",
    onDelete: "SET NULL",
  },
  {
    owner: models.User,
    rows: "openedZones",
    row: models.SurvivalZoneLease,
    as: "opener",
    foreignKey: "openedBy",
    onDelete: "SET NULL",
  },
];
