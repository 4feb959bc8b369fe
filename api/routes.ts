import { appealsRoutes } from "./appeals/appeals.routes.ts";
import { ownAppealsRoutes } from "./appeals/own-appeals.routes.ts";
import { accountRoutes } from "./auth/account.routes.ts";
import { emailRoutes } from "./auth/email.routes.ts";
import { invitesRoutes } from "./auth/invites.routes.ts";
import { legacyAccountRoutes } from "./auth/legacy-account.routes.ts";
import { loginRoutes } from "./auth/login.routes.ts";
import { mfaRoutes } from "./auth/mfa.routes.ts";
import { mobileSsoRoutes } from "./auth/mobile-sso.routes.ts";
import { mobileRoutes } from "./auth/mobile.routes.ts";
import { ownDataRoutes } from "./auth/own-data.routes.ts";
import { passwordRoutes } from "./auth/password.routes.ts";
import { providersRoutes } from "./auth/providers.routes.ts";
import { sessionsRoutes } from "./auth/sessions.routes.ts";
import { ssoRoutes } from "./auth/sso.routes.ts";
import { tokensRoutes } from "./auth/tokens.routes.ts";
import { bridgeDocsRoutes } from "./bridge/bridge-docs.routes.ts";
import { feedRoutes } from "./content/feed.routes.ts";
import { pagesRoutes } from "./content/pages.routes.ts";
import { postsRoutes } from "./content/posts.routes.ts";
import { searchRoutes } from "./content/search.routes.ts";
import { wikiEditingRoutes } from "./content/wiki-editing.routes.ts";
import { wikiRoutes } from "./content/wiki.routes.ts";
import { actionsRoutes } from "./events/actions.routes.ts";
import { announcedRoutes } from "./events/announced.routes.ts";
import { calendarRoutes } from "./events/calendar.routes.ts";
import { catalogRoutes } from "./events/catalog.routes.ts";
import { definitionsRoutes } from "./events/definitions.routes.ts";
import { runControlsRoutes } from "./events/run-controls.routes.ts";
import { runsRoutes } from "./events/runs.routes.ts";
import { seriesRoutes } from "./events/series.routes.ts";
import { stepControlsRoutes } from "./events/step-controls.routes.ts";
import { eventStreamRoutes } from "./events/stream.routes.ts";
import type { Route } from "./http/route.ts";
import { docsRoutes } from "./ops/docs.routes.ts";
import { jobsRoutes } from "./ops/jobs.routes.ts";
import { queueControlRoutes } from "./ops/queue-control.routes.ts";
import { queuesRoutes } from "./ops/queues.routes.ts";
import { pluginKeyRoutes } from "./plugin/keys.routes.ts";
import { pluginRoutes } from "./plugin/plugin.routes.ts";
import { formReportsRoutes } from "./plugin/reports.routes.ts";
import { pushRoutes } from "./push/push.routes.ts";
import { artRoutes } from "./shard/art.routes.ts";
import { assetsRoutes } from "./shard/assets.routes.ts";
import { atlasImportRoutes } from "./shard/atlas-import.routes.ts";
import { atlasRoutes } from "./shard/atlas.routes.ts";
import { clilocsRoutes } from "./shard/clilocs.routes.ts";
import { gameAccountRoutes } from "./shard/game-account.routes.ts";
import { housesRoutes } from "./shard/houses.routes.ts";
import { linksRoutes } from "./shard/links.routes.ts";
import { marketSearchesRoutes } from "./shard/market-searches.routes.ts";
import { marketRoutes } from "./shard/market.routes.ts";
import { moderationRoutes } from "./shard/moderation.routes.ts";
import { ownRoutes } from "./shard/own.routes.ts";
import { pointsRoutes } from "./shard/points.routes.ts";
import { sidecarRoutes } from "./shard/sidecar.routes.ts";
import { statusRoutes } from "./shard/status.routes.ts";
import { streamRoutes } from "./shard/stream.routes.ts";
import { townCrierRoutes } from "./shard/town-crier.routes.ts";
import { userRoutes } from "./shard/user.routes.ts";
import { visibilityRoutes } from "./shard/visibility.routes.ts";
import { activityRoutes } from "./site/activity.routes.ts";
import { appLinksRoutes } from "./site/app-links.routes.ts";
import { bansRoutes } from "./site/bans.routes.ts";
import { chatBotRoutes } from "./site/chat-bot.routes.ts";
import { dashboardRoutes } from "./site/dashboard.routes.ts";
import { settingsRoutes } from "./site/settings.routes.ts";
import { siteStatusRoutes } from "./site/status.routes.ts";
import { userMfaRoutes } from "./site/user-mfa.routes.ts";
import { usersRoutes } from "./site/users.routes.ts";
import { adminSurvivalServersRoutes } from "./survival/admin-servers.routes.ts";
import { announceRoutes } from "./survival/announce.routes.ts";
import { clansRoutes } from "./survival/clans.routes.ts";
import { configWritesRoutes } from "./survival/config-writes.routes.ts";
import { configRoutes } from "./survival/config.routes.ts";
import { grantsRoutes } from "./survival/grants.routes.ts";
import { integrationsRoutes } from "./survival/integrations.routes.ts";
import { kitsRoutes } from "./survival/kits.routes.ts";
import { ledgerRoutes } from "./survival/ledger.routes.ts";
import { steamLinksRoutes } from "./survival/links.routes.ts";
import { mapRoutes } from "./survival/map.routes.ts";
import { survivalModerationRoutes } from "./survival/moderation.routes.ts";
import { npcFactionsRoutes } from "./survival/npc-factions.routes.ts";
import { npcPlacementsRoutes } from "./survival/npc-placements.routes.ts";
import { npcProfilesRoutes } from "./survival/npc-profiles.routes.ts";
import { permissionsRoutes } from "./survival/permissions.routes.ts";
import { survivalPlayersRoutes } from "./survival/players.routes.ts";
import { rankingsRoutes } from "./survival/rankings.routes.ts";
import { reportsRoutes } from "./survival/reports.routes.ts";
import { survivalServersRoutes } from "./survival/servers.routes.ts";
import { survivalStreamRoutes } from "./survival/stream.routes.ts";
import { titlesRoutes } from "./survival/titles.routes.ts";
import { survivalVisibilityRoutes } from "./survival/visibility.routes.ts";
import { voiceRoutes } from "./survival/voice.routes.ts";
import { zonesRoutes } from "./survival/zones.routes.ts";
import { webhooksRoutes } from "./webhooks/webhooks.routes.ts";

/** THE list of all route tables, in the order in which they are registered. */
export const routes: readonly Route[] = [
  ...docsRoutes,
  ...bridgeDocsRoutes,
  ...loginRoutes,
  ...mobileRoutes,
  ...mobileSsoRoutes,
  ...accountRoutes,
  ...emailRoutes,
  ...legacyAccountRoutes,
  ...ownDataRoutes,
  ...sessionsRoutes,
  ...mfaRoutes,
  ...pluginRoutes,
  ...pluginKeyRoutes,
  ...formReportsRoutes,
  ...pushRoutes,
  ...passwordRoutes,
  ...invitesRoutes,
  ...tokensRoutes,
  ...postsRoutes,
  ...wikiRoutes,
  ...wikiEditingRoutes,
  ...pagesRoutes,
  ...searchRoutes,
  ...feedRoutes,
  ...providersRoutes,
  ...ssoRoutes,
  ...housesRoutes,
  ...marketRoutes,
  ...marketSearchesRoutes,
  ...artRoutes,
  ...pointsRoutes,
  ...statusRoutes,
  ...streamRoutes,
  ...siteStatusRoutes,
  ...appLinksRoutes,
  ...settingsRoutes,
  ...usersRoutes,
  ...activityRoutes,
  ...bansRoutes,
  ...chatBotRoutes,
  ...webhooksRoutes,
  ...dashboardRoutes,
  ...ownAppealsRoutes,
  ...appealsRoutes,
  ...sidecarRoutes,
  ...townCrierRoutes,
  ...linksRoutes,
  ...gameAccountRoutes,
  ...ownRoutes,
  ...moderationRoutes,
  ...userRoutes,
  ...visibilityRoutes,
  ...announceRoutes,
  ...integrationsRoutes,
  ...survivalModerationRoutes,
  ...ledgerRoutes,
  ...assetsRoutes,
  ...atlasRoutes,
  ...atlasImportRoutes,
  ...clilocsRoutes,
  ...jobsRoutes,
  ...queueControlRoutes,
  ...queuesRoutes,
  ...userMfaRoutes,
  ...announcedRoutes,
  ...catalogRoutes,
  ...actionsRoutes,
  ...calendarRoutes,
  ...seriesRoutes,
  ...eventStreamRoutes,
  ...runsRoutes,
  ...runControlsRoutes,
  ...stepControlsRoutes,
  ...definitionsRoutes,
  ...survivalServersRoutes,
  ...survivalStreamRoutes,
  ...clansRoutes,
  ...mapRoutes,
  ...rankingsRoutes,
  ...steamLinksRoutes,
  ...survivalPlayersRoutes,
  ...adminSurvivalServersRoutes,
  ...survivalVisibilityRoutes,
  ...permissionsRoutes,
  ...grantsRoutes,
  ...configRoutes,
  ...configWritesRoutes,
  ...zonesRoutes,
  ...titlesRoutes,
  ...voiceRoutes,
  ...npcProfilesRoutes,
  ...npcFactionsRoutes,
  ...npcPlacementsRoutes,
  ...kitsRoutes,
  ...reportsRoutes,
];
