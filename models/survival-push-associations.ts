import type { Association } from "./association.ts";
import type { Models } from "./definitions.ts";

/** What survival servers are pushed and told, and what their players may do. */
export function ofSurvivalPushes(models: Models): Association[] {
  const ofServer = {
    owner: models.SurvivalServer,
    as: "server",
    foreignKey: "serverId",
    onDelete: "CASCADE",
  } as const;
  const ofEditor = {
    owner: models.User,
    as: "changedBy",
    foreignKey: "updatedBy",
    onDelete: "SET NULL",
  } as const;
  const { SurvivalGrant: Grant } = models;
  const ofUser = { owner: models.User, onDelete: "SET NULL" } as const;
  return [
    { ...ofServer, row: models.SurvivalPush, rows: "pushes" },
    {
      ...ofServer,
      row: models.SurvivalPermissionInventory,
      rows: "permissionInventory",
      isOne: true,
    },
    { ...ofServer, row: models.SurvivalTitleRule, rows: "titleRules" },
    { ...ofServer, row: models.SurvivalTitleServer, rows: "toldTitles", isOne: true },
    { ...ofEditor, row: models.SurvivalTitleText, rows: "survivalTitleTexts" },
    { ...ofEditor, row: models.SurvivalVoice, rows: "survivalVoices" },
    { ...ofServer, row: models.SurvivalPermissionRow, rows: "permissionRows" },
    { ...ofEditor, row: models.SurvivalPermissionGroup, rows: "survivalGroupChanges" },
    { ...ofUser, row: Grant, rows: "survivalGrants", as: "user", foreignKey: "userId" },
    { ...ofUser, row: Grant, rows: "survivalGrantsMade", as: "maker", foreignKey: "createdBy" },
    {
      ...ofUser,
      row: Grant,
      rows: "survivalGrantsRevoked",
      as: "revoker",
      foreignKey: "revokedBy",
    },
  ];
}
