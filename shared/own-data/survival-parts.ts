import {
  pageOwnChat,
  readOwnParticipations,
  readOwnNpcKills,
  readOwnScores,
  readOwnTallies,
  readOwnClans,
  readOwnPresence,
  readOwnSightings,
  readOwnGrants,
  readOwnReports,
} from "../survival/own-data.ts";
import { readAllOwnKits } from "../survival/rewards/own-kits.ts";
import type { ExportPart } from "./export-part.ts";

/** The parts of the export that belong to the user's linked Steam accounts. */
export const survivalExportParts = {
  survival_grants: {
    kind: "list",
    columns: ["survival_grants.user_id", "survival_grants.steam_id"],
    read: readOwnGrants,
  },
  survival_sightings: {
    kind: "list",
    columns: ["survival_sightings.steam_id"],
    read: readOwnSightings,
  },
  survival_presence: {
    kind: "list",
    columns: ["survival_presence.steam_id"],
    read: readOwnPresence,
  },
  survival_clans: {
    kind: "list",
    columns: ["survival_clan_members.steam_id"],
    read: readOwnClans,
  },
  survival_tallies: {
    kind: "list",
    columns: ["survival_tallies.steam_id"],
    read: readOwnTallies,
  },
  survival_scores: {
    kind: "list",
    columns: ["survival_scores.steam_id"],
    read: readOwnScores,
  },
  survival_npc_kills: {
    kind: "list",
    columns: ["survival_npc_kills.steam_id"],
    read: readOwnNpcKills,
  },
  survival_participations: {
    kind: "list",
    columns: ["survival_participations.members"],
    read: readOwnParticipations,
  },
  survival_kits: {
    kind: "list",
    columns: ["survival_entitlements.steam_id"],
    read: readAllOwnKits,
  },
  survival_reports: {
    kind: "list",
    columns: ["survival_reports.reporter_steam_id"],
    read: readOwnReports,
  },
  survival_chat: {
    kind: "pages",
    columns: ["survival_events.payload"],
    read: pageOwnChat,
  },
} as const satisfies Readonly<Record<string, ExportPart>>;
