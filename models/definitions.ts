import type { Sequelize } from "sequelize";

import { defineAppealMessage } from "./appeals/appeal-message.ts";
import { defineAppeal } from "./appeals/appeal.ts";
import { defineAssetImage } from "./assets/asset-image.ts";
import { defineAsset } from "./assets/asset.ts";
import { defineCreatureArt } from "./assets/creature-art.ts";
import { defineItemArt } from "./assets/item-art.ts";
import { defineAtlasCreature } from "./atlas/atlas-creature.ts";
import { defineAtlasEntry } from "./atlas/atlas-entry.ts";
import { defineAtlasFacet } from "./atlas/atlas-facet.ts";
import { defineAtlasRect } from "./atlas/atlas-rect.ts";
import { defineAtlasRegion } from "./atlas/atlas-region.ts";
import { defineAtlasSpawner } from "./atlas/atlas-spawner.ts";
import { defineAtlasState } from "./atlas/atlas-state.ts";
import { defineAddressReputation } from "./auth/address-reputation.ts";
import { defineApiToken } from "./auth/api-token.ts";
import { defineAuthChallenge } from "./auth/auth-challenge.ts";
import { defineAuthProvider } from "./auth/auth-provider.ts";
import { defineDeletedUser } from "./auth/deleted-user.ts";
import { defineIdentity } from "./auth/identity.ts";
import { defineInvite } from "./auth/invite.ts";
import { defineMobileFamily } from "./auth/mobile-family.ts";
import { defineMobileSession } from "./auth/mobile-session.ts";
import { defineMobileSsoCode } from "./auth/mobile-sso-code.ts";
import { definePasswordReset } from "./auth/password-reset.ts";
import { definePendingTotp } from "./auth/pending-totp.ts";
import { defineRecoveryCode } from "./auth/recovery-code.ts";
import { defineRevokedToken } from "./auth/revoked-token.ts";
import { defineSsoTransaction } from "./auth/sso-transaction.ts";
import { defineTotpUse } from "./auth/totp-use.ts";
import { defineTrustedDevice } from "./auth/trusted-device.ts";
import { defineUser } from "./auth/user.ts";
import { definePage } from "./content/page.ts";
import { definePost } from "./content/post.ts";
import { defineSearchEntry } from "./content/search-entry.ts";
import { defineSearchWord } from "./content/search-word.ts";
import { defineWikiCategory } from "./content/wiki-category.ts";
import { defineWikiPage } from "./content/wiki-page.ts";
import { defineWikiRedirect } from "./content/wiki-redirect.ts";
import { defineWikiRevision } from "./content/wiki-revision.ts";
import { defineEventActionSetting } from "./events/event-action-setting.ts";
import { defineEventBudget } from "./events/event-budget.ts";
import { defineEventDefinition } from "./events/event-definition.ts";
import { defineEventEffect } from "./events/event-effect.ts";
import { defineEventInstallation } from "./events/event-installation.ts";
import { defineEventLogLine } from "./events/event-log-line.ts";
import { defineEventNewsSource } from "./events/event-news-source.ts";
import { defineEventNews } from "./events/event-news.ts";
import { defineEventParticipation } from "./events/event-participation.ts";
import { defineEventRun } from "./events/event-run.ts";
import { defineEventSeries } from "./events/event-series.ts";
import { defineEventSpend } from "./events/event-spend.ts";
import { defineEventStep } from "./events/event-step.ts";
import { defineEventTriggerHit } from "./events/event-trigger-hit.ts";
import { defineEventVersion } from "./events/event-version.ts";
import { defineImportRun } from "./imports/import-run.ts";
import { defineImportedSource } from "./imports/imported-source.ts";
import { defineListingLabel } from "./market/listing-label.ts";
import { defineListingName } from "./market/listing-name.ts";
import { defineListing } from "./market/listing.ts";
import { defineMarketMeta } from "./market/market-meta.ts";
import { defineMarketSearch } from "./market/market-search.ts";
import { definePlace } from "./market/place.ts";
import { defineVendor } from "./market/vendor.ts";
import { defineNpcs } from "./npc-definitions.ts";
import { defineAccountChange } from "./ops/account-change.ts";
import { defineJobProgress } from "./ops/job-progress.ts";
import { definePausedQueue } from "./ops/paused-queue.ts";
import { defineServiceProcess } from "./ops/service-process.ts";
import { defineUnreadAddress } from "./ops/unread-address.ts";
import { definePluginBatch } from "./plugin/plugin-batch.ts";
import { definePluginCommand } from "./plugin/plugin-command.ts";
import { definePluginKey } from "./plugin/plugin-key.ts";
import { definePluginSession } from "./plugin/plugin-session.ts";
import { definePushDelivery } from "./push/push-delivery.ts";
import { definePushDevice } from "./push/push-device.ts";
import { definePushSubscription } from "./push/push-subscription.ts";
import { definePush } from "./push/push.ts";
import { defineCliloc } from "./shard/cliloc.ts";
import { defineFeatureVisibility } from "./shard/feature-visibility.ts";
import { defineGovernor } from "./shard/governor.ts";
import { defineGuild } from "./shard/guild.ts";
import { defineHouse } from "./shard/house.ts";
import { defineIngestSource } from "./shard/ingest-source.ts";
import { defineOnlineCharacter } from "./shard/online-character.ts";
import { definePointsBoard } from "./shard/points-board.ts";
import { definePunishment } from "./shard/punishment.ts";
import { defineRejectedFrame } from "./shard/rejected-frame.ts";
import { defineShardEvent } from "./shard/shard-event.ts";
import { defineShardFact } from "./shard/shard-fact.ts";
import { defineShardLink } from "./shard/shard-link.ts";
import { defineSidecarLink } from "./shard/sidecar-link.ts";
import { defineSnapshot } from "./shard/snapshot.ts";
import { defineActivityEntry } from "./site/activity-entry.ts";
import { defineChatBot } from "./site/chat-bot.ts";
import { defineSetting } from "./site/setting.ts";
import { defineSurvival } from "./survival-definitions.ts";
import { defineWebhookDelivery } from "./webhooks/webhook-delivery.ts";
import { defineWebhook } from "./webhooks/webhook.ts";

/** Every model on one connection, without what ties them together. */
export const defineEach = (sequelize: Sequelize) => ({
  ...defineAuth(sequelize),
  ...defineSite(sequelize),
  ...definePlugins(sequelize),
  ...definePushes(sequelize),
  ...defineContent(sequelize),
  ...defineAppeals(sequelize),
  ...defineOps(sequelize),
  ...defineImports(sequelize),
  ...defineShard(sequelize),
  ...defineMarket(sequelize),
  ...defineAtlas(sequelize),
  ...defineAssets(sequelize),
  ...defineEvents(sequelize),
  ...defineSurvival(sequelize),
  ...defineNpcs(sequelize),
});

export type Models = ReturnType<typeof defineEach>;

const defineAuth = (sequelize: Sequelize) => ({
  User: defineUser(sequelize),
  DeletedUser: defineDeletedUser(sequelize),
  RevokedToken: defineRevokedToken(sequelize),
  AuthChallenge: defineAuthChallenge(sequelize),
  TotpUse: defineTotpUse(sequelize),
  PendingTotp: definePendingTotp(sequelize),
  RecoveryCode: defineRecoveryCode(sequelize),
  TrustedDevice: defineTrustedDevice(sequelize),
  MobileFamily: defineMobileFamily(sequelize),
  MobileSession: defineMobileSession(sequelize),
  AuthProvider: defineAuthProvider(sequelize),
  Identity: defineIdentity(sequelize),
  SsoTransaction: defineSsoTransaction(sequelize),
  MobileSsoCode: defineMobileSsoCode(sequelize),
  PasswordReset: definePasswordReset(sequelize),
  Invite: defineInvite(sequelize),
  ApiToken: defineApiToken(sequelize),
  AddressReputation: defineAddressReputation(sequelize),
});

const defineSite = (sequelize: Sequelize) => ({
  ActivityEntry: defineActivityEntry(sequelize),
  Setting: defineSetting(sequelize),
  ChatBot: defineChatBot(sequelize),
});

const definePlugins = (sequelize: Sequelize) => ({
  PluginKey: definePluginKey(sequelize),
  PluginSession: definePluginSession(sequelize),
  PluginBatch: definePluginBatch(sequelize),
  PluginCommand: definePluginCommand(sequelize),
});

const definePushes = (sequelize: Sequelize) => ({
  PushDevice: definePushDevice(sequelize),
  PushSubscription: definePushSubscription(sequelize),
  Push: definePush(sequelize),
  PushDelivery: definePushDelivery(sequelize),
  Webhook: defineWebhook(sequelize),
  WebhookDelivery: defineWebhookDelivery(sequelize),
});

const defineContent = (sequelize: Sequelize) => ({
  Post: definePost(sequelize),
  WikiCategory: defineWikiCategory(sequelize),
  WikiPage: defineWikiPage(sequelize),
  WikiRevision: defineWikiRevision(sequelize),
  WikiRedirect: defineWikiRedirect(sequelize),
  Page: definePage(sequelize),
  SearchEntry: defineSearchEntry(sequelize),
  SearchWord: defineSearchWord(sequelize),
});

const defineAppeals = (sequelize: Sequelize) => ({
  Appeal: defineAppeal(sequelize),
  AppealMessage: defineAppealMessage(sequelize),
});

const defineOps = (sequelize: Sequelize) => ({
  ServiceProcess: defineServiceProcess(sequelize),
  UnreadAddress: defineUnreadAddress(sequelize),
  JobProgress: defineJobProgress(sequelize),
  PausedQueue: definePausedQueue(sequelize),
  AccountChange: defineAccountChange(sequelize),
});

const defineImports = (sequelize: Sequelize) => ({
  ImportRun: defineImportRun(sequelize),
  ImportedSource: defineImportedSource(sequelize),
});

const defineShard = (sequelize: Sequelize) => ({
  SidecarLink: defineSidecarLink(sequelize),
  FeatureVisibility: defineFeatureVisibility(sequelize),
  IngestSource: defineIngestSource(sequelize),
  ShardEvent: defineShardEvent(sequelize),
  RejectedFrame: defineRejectedFrame(sequelize),
  ShardFact: defineShardFact(sequelize),
  ShardLink: defineShardLink(sequelize),
  OnlineCharacter: defineOnlineCharacter(sequelize),
  House: defineHouse(sequelize),
  PointsBoard: definePointsBoard(sequelize),
  Guild: defineGuild(sequelize),
  Governor: defineGovernor(sequelize),
  Snapshot: defineSnapshot(sequelize),
  Cliloc: defineCliloc(sequelize),
  Punishment: definePunishment(sequelize),
});

const defineMarket = (sequelize: Sequelize) => ({
  Vendor: defineVendor(sequelize),
  Listing: defineListing(sequelize),
  ListingLabel: defineListingLabel(sequelize),
  ListingName: defineListingName(sequelize),
  Place: definePlace(sequelize),
  MarketMeta: defineMarketMeta(sequelize),
  MarketSearch: defineMarketSearch(sequelize),
});

const defineAtlas = (sequelize: Sequelize) => ({
  AtlasState: defineAtlasState(sequelize),
  AtlasFacet: defineAtlasFacet(sequelize),
  AtlasRegion: defineAtlasRegion(sequelize),
  AtlasRect: defineAtlasRect(sequelize),
  AtlasSpawner: defineAtlasSpawner(sequelize),
  AtlasEntry: defineAtlasEntry(sequelize),
  AtlasCreature: defineAtlasCreature(sequelize),
});

const defineAssets = (sequelize: Sequelize) => ({
  Asset: defineAsset(sequelize),
  AssetImage: defineAssetImage(sequelize),
  ItemArt: defineItemArt(sequelize),
  CreatureArt: defineCreatureArt(sequelize),
});

const defineEvents = (sequelize: Sequelize) => ({
  EventActionSetting: defineEventActionSetting(sequelize),
  EventBudget: defineEventBudget(sequelize),
  EventDefinition: defineEventDefinition(sequelize),
  EventEffect: defineEventEffect(sequelize),
  EventInstallation: defineEventInstallation(sequelize),
  EventLogLine: defineEventLogLine(sequelize),
  EventNews: defineEventNews(sequelize),
  EventNewsSource: defineEventNewsSource(sequelize),
  EventParticipation: defineEventParticipation(sequelize),
  EventRun: defineEventRun(sequelize),
  EventSeries: defineEventSeries(sequelize),
  EventSpend: defineEventSpend(sequelize),
  EventStep: defineEventStep(sequelize),
  EventTriggerHit: defineEventTriggerHit(sequelize),
  EventVersion: defineEventVersion(sequelize),
});
