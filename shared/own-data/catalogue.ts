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
import { readOffices } from "../shard/players/offices.ts";
import { pageSalesOf } from "../shard/players/sales.ts";
import { readHousesOf } from "../shard/public/houses.ts";
import { readOwnBans } from "../shard/punishments/reported-bans.ts";
import { readOwnSearches } from "../shard/searches/saved-searches.ts";
import { readOwnSteamLinks } from "../survival/steam-links.ts";
import type { ExportPart } from "./export-part.ts";
import { survivalParts } from "./survival-parts.ts";

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
  ...survivalParts,
  houses: {
    kind: "list",
    columns: ["houses.owner_account_key"],
    read: readHousesOf,
  },
  offices: {
    kind: "whole",
    columns: ["governors.account_key", "guilds.leader_account_key"],
    read: readOffices,
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

const ofTheSite = "a deed of staff for the site; its line is in `activity`";
const saidByTheLog = "who changed it last; the line of the change is in `activity`";

/** CATALOGUE of the columns that name a user or game account but are not exported, each with its reason. */
export const unexportedColumns: Readonly<Record<string, string>> = {
  "auth_challenges.user_id": "a sign-in of minutes that waits for its second factor",
  "revoked_tokens.user_id": "random ids of sessions that were signed out, until they would end",
  "sso_transactions.user_id": "a sign-in at a provider of minutes, until its callback",
  "mobile_sso_codes.user_id": "a code of minutes that an app exchanges for its session",
  "totp_pending.user_id": "a secret that waits for minutes to be confirmed",
  "totp_used.user_id": "the time steps whose codes are spent",
  "event_action_settings.updated_by": saidByTheLog,
  "event_runs.started_by": ofTheSite,
  "event_versions.published_by": ofTheSite,
  "event_versions.verified_by": ofTheSite,
  "survival_standings.steam_id":
    "sums of survival_scores and survival_npc_kills, which stand in their own parts",
  "pushes.user_id": "what a message named, for thirty days; what it told of stands in its own part",
  "appeal_messages.author_id": "words of an appeal, which its owner takes along",
  "appeals.assignee_id": "staff, of an appeal that is another's",
  "appeals.decided_by": "staff, of an appeal that is another's; the line is in `activity`",
  "punishments.issued_by": "staff, of a ban that is another's; the line is in `activity`",
  "paused_queues.paused_by": saidByTheLog,
  "plugin_keys.created_by": saidByTheLog,
  "chat_bot.updated_by": saidByTheLog,
  "settings.changed_by": saidByTheLog,
  "shardlink.changed_by": saidByTheLog,
  "survival_config_writes.created_by": saidByTheLog,
  "survival_title_texts.updated_by": saidByTheLog,
  "survival_permission_groups.updated_by": saidByTheLog,
  "survival_grants.created_by": "staff, of what another player was given",
  "survival_grants.revoked_by": "staff, of what another player was given",
  "survival_events.hidden_by": saidByTheLog,
  "survival_link_codes.used_by":
    "codes of minutes that were used; what they linked is in `steam_links`",
  "survival_link_codes.steam_id":
    "codes of minutes that were used; what they linked is in `steam_links`",
  "survival_visibility.updated_by": saidByTheLog,
  "survival_voice.updated_by": saidByTheLog,
  "survival_zone_leases.opened_by": saidByTheLog,
  "survival_zone_presets.updated_by": saidByTheLog,
  "survival_faction_table.updated_by": saidByTheLog,
  "survival_npc_profiles.updated_by": saidByTheLog,
  "survival_npc_revisions.updated_by": saidByTheLog,
  "survival_npc_placements.updated_by": saidByTheLog,
  "survival_kill_leaders.steam_id": "who leads in kills; the figure is in `survival_scores`",
  "survival_permission_rows.subject": "how far a grant has come on a server: see `survival_grants`",
  "survival_permission_inventories.users": "what a server says of all its players at once",
  "vendors.owner_serial": "a character, whose account the shard alone knows",
  "wiki_pages.updated_by": "who wrote the page last; the revision is in `wiki_revisions`",
};
