import type { Association } from "./association.ts";
import type { Models } from "./definitions.ts";

/** What belongs to the NPCs of survival servers. */
export function ofNpcs(models: Models): Association[] {
  const { SurvivalNpcRevision: Revision, SurvivalNpcPlacement: Placement } = models;
  const { SurvivalNpcProfile: Profile, SurvivalFactionTable: Factions } = models;
  const ofServer = { owner: models.SurvivalServer, as: "server", foreignKey: "serverId" } as const;
  const changedBy = {
    owner: models.User,
    as: "changedBy",
    foreignKey: "updatedBy",
    onDelete: "SET NULL",
  } as const;
  const withServer = { ...ofServer, onDelete: "CASCADE" } as const;
  const ofProfile = { owner: Profile, as: "profile", foreignKey: "profileId" } as const;
  return [
    { ...withServer, row: Placement, rows: "npcPlacements" },
    { ...withServer, row: models.SurvivalNpcServer, rows: "npcs", isOne: true },
    { ...withServer, row: models.SurvivalNpcPush, rows: "npcPushes" },
    { ...ofServer, row: Revision, rows: "npcRevisions", onDelete: "SET NULL" },
    { ...ofProfile, row: Revision, rows: "revisions", onDelete: "CASCADE" },
    { ...changedBy, row: Profile, rows: "npcProfileChanges" },
    { ...changedBy, row: Revision, rows: "npcRevisionChanges" },
    { ...changedBy, row: Placement, rows: "npcPlacementChanges" },
    { ...changedBy, row: Factions, rows: "factionTableChanges" },
  ];
}
