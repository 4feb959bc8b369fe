import { readOwnAppeals } from "../appeals/owner-view.ts";
import {
  readOwnAccount,
  readOwnIdentities,
  readOwnPasswordResets,
  readOwnRecoveryCodes,
  readOwnSessions,
  readOwnTrustedDevices,
} from "../auth/account/own-data.ts";
import { readOwnApiTokens } from "../auth/administration/api-tokens.ts";
import { readOwnInvites } from "../auth/administration/invites.ts";
import { readOwnPosts, readOwnWikiRevisions } from "../content/own-data.ts";
import { readOwnParticipations } from "../events/own-data.ts";
import { pageOwnActivity } from "../platform/activity/own-activity-lines.ts";
import { readOwnDevices, readOwnSubscriptions } from "../push/devices/devices.ts";
import { readLinksOf } from "../shard/owners/own-links.ts";
import { readOwnCharacters } from "../shard/players/characters.ts";
import { readPlayerOffices } from "../shard/players/offices.ts";
import { pageSalesOf } from "../shard/players/sales.ts";
import { readHousesOf } from "../shard/public/houses.ts";
import { readOwnBans } from "../shard/punishments/reported-bans.ts";
import { readOwnSearches } from "../shard/searches/saved-searches.ts";
import { readOwnSteamLinks } from "../survival/steam-links.ts";
import type { ExportPart } from "./export-part.ts";
import { survivalExportParts } from "./survival-parts.ts";

/** CATALOGUE of the parts of a user's data export. A part contains no secrets, hashes or data of other users. */
export const exportParts = {
  account: { kind: "whole", columns: ["users.id"], read: readOwnAccount },
  sessions: {
    kind: "list",
    columns: ["mobile_families.user_id"],
    read: readOwnSessions,
  },
  trusted_devices: {
    kind: "list",
    columns: ["trusted_devices.user_id"],
    read: readOwnTrustedDevices,
  },
  identities: {
    kind: "list",
    columns: ["identities.user_id"],
    read: readOwnIdentities,
  },
  push_devices: {
    kind: "list",
    columns: ["push_devices.user_id"],
    read: readOwnDevices,
  },
  subscriptions: {
    kind: "list",
    columns: ["push_subscriptions.user_id"],
    read: readOwnSubscriptions,
  },
  market_searches: {
    kind: "list",
    columns: ["market_searches.user_id"],
    read: readOwnSearches,
  },
  recovery_codes: {
    kind: "whole",
    columns: ["recovery_codes.user_id"],
    read: readOwnRecoveryCodes,
  },
  password_resets: {
    kind: "list",
    columns: ["password_resets.user_id"],
    read: readOwnPasswordResets,
  },
  invites: {
    kind: "list",
    columns: ["invites.created_by", "invites.accepted_user_id"],
    read: readOwnInvites,
  },
  api_tokens: {
    kind: "list",
    columns: ["api_tokens.created_by"],
    read: readOwnApiTokens,
  },
  links: {
    kind: "list",
    columns: ["shard_links.user_id", "shard_links.account_key", "shard_links.account"],
    read: readLinksOf,
  },
  steam_links: {
    kind: "list",
    columns: ["steam_links.user_id", "steam_links.steam_id"],
    read: readOwnSteamLinks,
  },
  ...survivalExportParts,
  houses: {
    kind: "list",
    columns: ["houses.owner_account_key"],
    read: readHousesOf,
  },
  offices: {
    kind: "whole",
    columns: ["governors.account_key", "guilds.leader_account_key"],
    read: readPlayerOffices,
  },
  characters_online: {
    kind: "list",
    columns: ["online_characters.account_key"],
    read: readOwnCharacters,
  },
  bans: {
    kind: "list",
    columns: ["punishments.account_key", "punishments.account"],
    read: readOwnBans,
  },
  sales: {
    kind: "pages",
    columns: ["shard_events.payload"],
    read: pageSalesOf,
  },
  event_participations: {
    kind: "list",
    columns: ["event_participations.user_id"],
    read: readOwnParticipations,
  },
  posts: { kind: "list", columns: ["posts.author_id"], read: readOwnPosts },
  wiki_revisions: {
    kind: "list",
    columns: ["wiki_revisions.author_id"],
    read: readOwnWikiRevisions,
  },
  appeals: {
    kind: "list",
    columns: ["appeals.user_id", "appeals.account"],
    read: readOwnAppeals,
  },
  activity: {
    kind: "pages",
    columns: ["activity_log.actor_id"],
    read: pageOwnActivity,
  },
} as const satisfies Readonly<Record<string, ExportPart>>;

const ofTheSite = "work of staff for the site; `activity` has the entry";
const saidByTheLog = "staff member who made the last change; `activity` has the entry";

/** CATALOGUE of the columns that name a user or game account but are not exported, each with its reason. */
export const unexportedColumns: Readonly<Record<string, string>> = {
  "auth_challenges.user_id": "a sign-in that waits some minutes for its second factor",
  "revoked_tokens.user_id":
    "random ids of sessions that were signed out, stored until the sessions would have expired",
  "sso_transactions.user_id": "a sign-in at a provider, stored some minutes until its callback",
  "mobile_sso_codes.user_id": "a code that an app exchanges for its session within minutes",
  "totp_pending.user_id": "a secret that waits some minutes to be confirmed",
  "totp_used.user_id": "time steps whose codes were already used",
  "event_action_settings.updated_by": saidByTheLog,
  "event_runs.started_by": ofTheSite,
  "event_versions.published_by": ofTheSite,
  "event_versions.verified_by": ofTheSite,
  "survival_reports.target_steam_id": "what other players reported about the user to the staff",
  "survival_reports.seen_by": "staff member who read a report; `activity` has the entry",
  "survival_reports.closed_by": "staff member who closed a report; `activity` has the entry",
  "survival_report_keys.created_by": saidByTheLog,
  "survival_standings.steam_id":
    "sums of survival_scores and survival_npc_kills, which are exported in their own parts",
  "pushes.user_id":
    "references of push messages, stored for thirty days; the objects are exported in their own parts",
  "appeal_messages.author_id":
    "messages of an appeal, which are exported to the owner of the appeal",
  "appeals.assignee_id": "staff member who handles an appeal of another user",
  "appeals.decided_by":
    "staff member who decided an appeal of another user; `activity` has the entry",
  "punishments.issued_by": "staff member who banned another user; `activity` has the entry",
  "paused_queues.paused_by": saidByTheLog,
  "plugin_keys.created_by": saidByTheLog,
  "chat_bot.updated_by": saidByTheLog,
  "settings.changed_by": saidByTheLog,
  "shardlink.changed_by": saidByTheLog,
  "survival_config_writes.created_by": saidByTheLog,
  "survival_title_texts.updated_by": saidByTheLog,
  "survival_permission_groups.updated_by": saidByTheLog,
  "survival_grants.created_by": "staff member who changed a grant of another player",
  "survival_grants.revoked_by": "staff member who changed a grant of another player",
  "survival_events.hidden_by": saidByTheLog,
  "survival_link_codes.used_by":
    "used codes, which are stored for minutes; the links are in `steam_links`",
  "survival_link_codes.steam_id":
    "used codes, which are stored for minutes; the links are in `steam_links`",
  "survival_visibility.updated_by": saidByTheLog,
  "survival_voice.updated_by": saidByTheLog,
  "survival_zone_leases.opened_by": saidByTheLog,
  "survival_zone_presets.updated_by": saidByTheLog,
  "survival_faction_table.updated_by": saidByTheLog,
  "survival_npc_profiles.updated_by": saidByTheLog,
  "survival_npc_revisions.updated_by": saidByTheLog,
  "survival_npc_placements.updated_by": saidByTheLog,
  "survival_kill_leaders.steam_id":
    "the player with the most kills; the number is in `survival_scores`",
  "survival_permission_rows.subject": "state of a grant on a server: see `survival_grants`",
  "survival_permission_inventories.users": "one list of all players of a server",
  "vendors.owner_serial": "a character; only the shard knows its account",
  "wiki_pages.updated_by": "last author of the page; the revision is in `wiki_revisions`",
};
