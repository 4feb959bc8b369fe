import type { Association } from "./association.ts";
import type { Models } from "./definitions.ts";
import { tieByKeys } from "./keyed-associations.ts";
import { readingColumnsOnce } from "./reading-columns-once.ts";
import { ofSurvivalParts } from "./survival-parts.ts";

/** Ties the models together as the foreign keys of the schema do. */
export function associate(models: Models): void {
  const parts = [
    ofUsers,
    ofSignIns,
    ofAppeals,
    ofPlugins,
    ofOthers,
    ofEvents,
    ofWiki,
    ofSurvivalParts,
  ];
  const associations = parts.flatMap((part) => part(models));
  readingColumnsOnce(Object.values(models), () => {
    for (const association of associations) tie(association);
    tieByKeys(models);
  });
}

function tie(association: Association): void {
  const { owner, rows, row, as, foreignKey, onDelete, isOne, isUnconstrained } = association;
  const key = { foreignKey, onDelete, onUpdate: "NO ACTION", constraints: !isUnconstrained };
  if (isOne) owner.hasOne(row, { as: rows, ...key });
  else owner.hasMany(row, { as: rows, ...key });
  row.belongsTo(owner, { as, ...key });
}

/** What goes with an account. */
function ofUsers(models: Models): Association[] {
  const { User, ApiToken, AuthChallenge, Identity, MobileFamily, MobileSsoCode } = models;
  const { EventParticipation, PasswordReset, PendingTotp, RecoveryCode, RevokedToken } = models;
  const { Push, PushDevice, PushSubscription, ShardLink, SsoTransaction } = models;
  const { MarketSearch, TotpUse, TrustedDevice } = models;
  const own = { owner: User, as: "user", foreignKey: "userId", onDelete: "CASCADE" } as const;
  return [
    { ...own, row: ApiToken, rows: "apiTokens", as: "creator", foreignKey: "createdBy" },
    { ...own, row: AuthChallenge, rows: "challenges" },
    { ...own, row: EventParticipation, rows: "participations" },
    { ...own, row: Identity, rows: "identities" },
    { ...own, row: MarketSearch, rows: "marketSearches" },
    { ...own, row: MobileFamily, rows: "mobileFamilies" },
    { ...own, row: MobileSsoCode, rows: "mobileSsoCodes" },
    { ...own, row: PasswordReset, rows: "passwordResets" },
    { ...own, row: PendingTotp, rows: "pendingTotp", isOne: true },
    { ...own, row: Push, rows: "pushes" },
    { ...own, row: PushDevice, rows: "pushDevices" },
    { ...own, row: PushSubscription, rows: "pushSubscriptions" },
    { ...own, row: RecoveryCode, rows: "recoveryCodes" },
    { ...own, row: RevokedToken, rows: "revokedTokens" },
    { ...own, row: ShardLink, rows: "shardLinks" },
    { ...own, row: SsoTransaction, rows: "ssoTransactions" },
    { ...own, row: TotpUse, rows: "totpUses" },
    { ...own, row: TrustedDevice, rows: "trustedDevices" },
    ...byUsers(models),
  ];
}

/** What names an account, and outlives it. */
function byUsers(models: Models): Association[] {
  const { User, ActivityEntry, ChatBot, Invite, PausedQueue, Setting, SidecarLink } = models;
  const { Post, WikiPage, WikiRevision } = models;
  const by = { owner: User, onDelete: "SET NULL" } as const;
  const kept = { owner: User, onDelete: "NO ACTION", isUnconstrained: true } as const;
  return [
    { ...kept, row: ActivityEntry, rows: "actions", as: "actor", foreignKey: "actorId" },
    { ...kept, row: Post, rows: "posts", as: "author", foreignKey: "authorId" },
    { ...kept, row: WikiPage, rows: "wikiPages", as: "updater", foreignKey: "updatedBy" },
    { ...kept, row: WikiRevision, rows: "wikiRevisions", as: "author", foreignKey: "authorId" },
    ...ofStaffOfEvents(models),
    { ...by, row: Invite, rows: "invites", as: "creator", foreignKey: "createdBy" },
    { ...by, row: Invite, rows: "acceptedInvites", as: "accepter", foreignKey: "acceptedUserId" },
    { ...by, row: PausedQueue, rows: "pausedQueues", as: "pauser", foreignKey: "pausedBy" },
    { ...by, row: Setting, rows: "changedSettings", as: "changer", foreignKey: "changedBy" },
    { ...by, row: SidecarLink, rows: "changedLinks", as: "changer", foreignKey: "changedBy" },
    { ...by, row: ChatBot, rows: "changedBots", as: "updater", foreignKey: "updatedBy" },
  ];
}

/** What belongs to a sign-in at a provider. */
function ofSignIns(models: Models): Association[] {
  const { AuthChallenge, AuthProvider, Identity, MobileFamily, MobileSsoCode } = models;
  const { SsoTransaction } = models;
  const at = { owner: AuthProvider, as: "provider", foreignKey: "providerId" } as const;
  const ended = { onDelete: "NO ACTION", isUnconstrained: true } as const;
  const by = { owner: Identity, as: "identity", foreignKey: "identityId" } as const;
  const begun = { owner: SsoTransaction, as: "ssoTransaction" } as const;
  const got = { owner: MobileFamily, as: "family", foreignKey: "familyId" } as const;
  return [
    { ...at, row: Identity, rows: "identities", ...ended },
    { ...at, row: SsoTransaction, rows: "transactions", ...ended },
    { ...by, row: AuthChallenge, rows: "challenges", onDelete: "CASCADE" },
    { ...by, row: MobileSsoCode, rows: "mobileSsoCodes", onDelete: "CASCADE" },
    {
      ...begun,
      row: AuthChallenge,
      rows: "challenges",
      foreignKey: "ssoTransactionId",
      onDelete: "CASCADE",
    },
    { ...got, row: MobileSsoCode, rows: "ssoCodes", onDelete: "SET NULL" },
  ];
}

function ofAppeals({ Appeal, AppealMessage, Punishment, User }: Models): Association[] {
  const by = { owner: User, onDelete: "SET NULL" } as const;
  const punished = { owner: Punishment, as: "punishment", foreignKey: "punishmentId" } as const;
  const said = { owner: Appeal, as: "appeal", foreignKey: "appealId" } as const;
  return [
    { ...by, row: Appeal, rows: "appeals", as: "user", foreignKey: "userId", onDelete: "CASCADE" },
    { ...by, row: Appeal, rows: "assignedAppeals", as: "assignee", foreignKey: "assigneeId" },
    { ...by, row: Appeal, rows: "decidedAppeals", as: "decider", foreignKey: "decidedBy" },
    { ...by, row: AppealMessage, rows: "appealMessages", as: "writer", foreignKey: "authorId" },
    { ...by, row: Punishment, rows: "issuedPunishments", as: "issuer", foreignKey: "issuedBy" },
    { ...punished, row: Appeal, rows: "appeals", onDelete: "NO ACTION" },
    { ...said, row: AppealMessage, rows: "messages", onDelete: "CASCADE" },
  ];
}

/** What goes with a game server that a plugin links, and the keys of its plugin. */
function ofPlugins(models: Models): Association[] {
  const { IngestSource, PluginBatch, PluginCommand, PluginKey, PluginSession, User } = models;
  const of = { owner: IngestSource, as: "gameServer", foreignKey: "source" } as const;
  const by = { owner: User, as: "creator", foreignKey: "createdBy" } as const;
  return [
    { ...of, row: PluginBatch, rows: "pluginBatches", onDelete: "CASCADE" },
    { ...of, row: PluginCommand, rows: "pluginCommands", onDelete: "CASCADE" },
    { ...of, row: PluginSession, rows: "pluginSession", onDelete: "CASCADE", isOne: true },
    { ...by, row: PluginKey, rows: "pluginKeys", onDelete: "SET NULL" },
  ];
}

function ofOthers(models: Models): Association[] {
  const { ActivityEntry, ApiToken, Asset, AssetImage, MobileFamily, MobileSession, Place, Vendor } =
    models;
  const { Push, PushDelivery, PushDevice, Webhook, WebhookDelivery } = models;
  const delivery = { row: PushDelivery, rows: "deliveries", onDelete: "CASCADE" } as const;
  const toHook = { row: WebhookDelivery, rows: "hookDeliveries", onDelete: "CASCADE" } as const;
  return [
    { ...delivery, owner: Push, as: "push", foreignKey: "pushId" },
    { ...delivery, owner: PushDevice, as: "device", foreignKey: "deviceId" },
    { ...toHook, owner: Push, as: "push", foreignKey: "pushId" },
    { ...toHook, owner: Webhook, as: "webhook", foreignKey: "webhookId" },
    {
      owner: ApiToken,
      rows: "actions",
      row: ActivityEntry,
      as: "token",
      foreignKey: "tokenId",
      onDelete: "NO ACTION",
      isUnconstrained: true,
    },
    {
      owner: MobileFamily,
      rows: "sessions",
      row: MobileSession,
      as: "family",
      foreignKey: "familyId",
      onDelete: "CASCADE",
    },
    {
      owner: AssetImage,
      rows: "assets",
      row: Asset,
      as: "picture",
      foreignKey: "image",
      onDelete: "NO ACTION",
    },
    {
      owner: Place,
      rows: "vendors",
      row: Vendor,
      as: "place",
      foreignKey: "placeId",
      onDelete: "NO ACTION",
    },
  ];
}

/** What staff did in the event module. */
function ofStaffOfEvents(models: Models): Association[] {
  const { User, EventActionSetting: Setting, EventRun: Run, EventVersion: Version } = models;
  const byToken = { as: "starterToken", foreignKey: "startedToken" } as const;
  const by = { owner: User, onDelete: "SET NULL" } as const;
  const published = { rows: "publishedVersions", as: "publisher", foreignKey: "publishedBy" };
  return [
    { ...by, row: Setting, rows: "actionSettings", as: "updater", foreignKey: "updatedBy" },
    { ...by, row: Run, rows: "startedRuns", as: "starter", foreignKey: "startedBy" },
    { ...by, ...byToken, owner: models.ApiToken, row: Run, rows: "startedRuns" },
    { ...by, ...published, row: Version },
    { ...by, row: Version, rows: "verifiedVersions", as: "verifier", foreignKey: "verifiedBy" },
  ];
}

function ofEvents(models: Models): Association[] {
  const { EventDefinition: Definition, EventSeries, EventRun: Run, EventVersion: Version } = models;
  const { EventStep: Step, EventLogLine, EventSpend } = models;
  const ofDefinition = { owner: Definition, as: "definition", foreignKey: "definitionId" } as const;
  const ofVersion = { owner: Version, as: "version", foreignKey: "versionId" } as const;
  const ofStep = { owner: Step, as: "step", foreignKey: "stepId", onDelete: "CASCADE" } as const;
  const ofSeries = { owner: EventSeries, as: "series", foreignKey: "seriesId" } as const;
  const pointedTo = { owner: Version, as: "currentVersion", foreignKey: "currentVersionId" };
  return [
    { ...ofSeries, row: Definition, rows: "definitions", onDelete: "SET NULL" },
    { ...ofDefinition, row: Version, rows: "versions", onDelete: "NO ACTION" },
    { ...ofDefinition, row: Run, rows: "runs", onDelete: "NO ACTION" },
    { ...ofVersion, row: Run, rows: "runs", onDelete: "NO ACTION" },
    { ...ofStep, row: EventLogLine, rows: "logLines" },
    { ...ofStep, row: EventSpend, rows: "spends" },
    ...ofEventRuns(models),
    {
      ...pointedTo,
      row: Definition,
      rows: "currentOf",
      onDelete: "NO ACTION",
      isUnconstrained: true,
    },
  ];
}

/** What belongs to a run and goes with it. */
function ofEventRuns(models: Models): Association[] {
  const { EventBudget, EventLogLine, EventParticipation, EventStep, EventTriggerHit } = models;
  const ofRun = {
    owner: models.EventRun,
    as: "run",
    foreignKey: "runId",
    onDelete: "CASCADE",
  } as const;
  return [
    { ...ofRun, row: EventStep, rows: "steps" },
    { ...ofRun, row: EventLogLine, rows: "logLines" },
    { ...ofRun, row: EventBudget, rows: "budgets" },
    { ...ofRun, row: EventTriggerHit, rows: "triggerHits" },
    { ...ofRun, row: EventParticipation, rows: "participations" },
  ];
}

function ofWiki({ WikiCategory, WikiPage, WikiRedirect, WikiRevision }: Models): Association[] {
  const ofPage = {
    owner: WikiPage,
    as: "page",
    foreignKey: "pageId",
    onDelete: "CASCADE",
  } as const;
  return [
    { ...ofPage, row: WikiRedirect, rows: "redirects" },
    { ...ofPage, row: WikiRevision, rows: "revisions" },
    {
      owner: WikiCategory,
      rows: "pages",
      row: WikiPage,
      as: "category",
      foreignKey: "categoryId",
      onDelete: "SET NULL",
    },
  ];
}
