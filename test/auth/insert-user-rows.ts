import { randomBytes } from "node:crypto";
import { randomUUID } from "node:crypto";

import { clockNowPlus, clockNow } from "../../models/queries/clock.ts";
import { hashToken } from "../../shared/platform/crypto/tokens.ts";
import type { DatabaseHolder } from "../support/database/query.ts";
import { insertEventRows, insertSurvivalRows } from "./insert-events.ts";
import { type InsertTarget, steamIdOf } from "./inserted.ts";

/**
 * Inserts a row into each table that refers to a user. Every text contains `label`. Texts that must
 * stay secret contain `secret` too, and texts about another person `victim`.
 */
export async function insertUserRows(
  userId: number,
  label: string,
  { context }: DatabaseHolder,
): Promise<void> {
  const planted = { id: userId, label, models: context.models };
  const parts = [
    plantSignIn,
    plantDevices,
    insertCredentials,
    plantLinks,
    plantPushes,
    plantAppeal,
  ];
  for (const plant of [
    ...parts,
    insertEventRows,
    plantContent,
    insertSurvivalRows,
    plantSettings,
    plantLog,
  ]) {
    await plant(planted);
  }
}

const soon = () => clockNowPlus(86_400_000);

async function plantSignIn({ id: userId, label, models }: InsertTarget): Promise<void> {
  const expiresAt = clockNow();
  const challenge = { id: randomUUID(), kind: "totp", issuedAt: 0 } as const;
  await models.AuthChallenge.create({ ...challenge, userId, expiresAt });
  await models.RevokedToken.create({ tokenId: randomUUID(), userId, expiresAt });
  await models.PendingTotp.create({ userId, secretSealed: `${label} secret`, expiresAt });
  await models.TotpUse.create({ userId, purpose: "auth", step: 1 });
  await models.RecoveryCode.create({ userId, slot: "7K", codeHash: `${label} secret` });
}

async function plantDevices({ id: userId, label, models }: InsertTarget): Promise<void> {
  const tokenHash = hashToken(`${label} td secret`);
  await models.TrustedDevice.create({
    userId,
    tokenHash,
    label: `${label} browser`,
    expiresAt: soon(),
  });
  const revoked = { revokedAt: clockNow(), revokeReason: "logout" };
  const family = await models.MobileFamily.create({
    userId,
    signedInAt: 0,
    expiresAt: soon(),
    ...revoked,
  });
  await models.MobileSession.create({
    familyId: family.id,
    tokenHash: hashToken(`${label} rt secret`),
    deviceName: `${label} phone`,
    issuedAt: 0,
    expiresAt: clockNow(),
  });
}

async function insertCredentials({ id: userId, label, models }: InsertTarget): Promise<void> {
  const [expiresAt, secret] = [clockNow(), `${label} secret`];
  const identity = await models.Identity.create({
    userId,
    providerId: "discord",
    providerName: `${label} provider`,
    issuer: `https://${label}.example`,
    subject: `${label} subject`,
  });
  await models.SsoTransaction.create({
    stateHash: hashToken(`${label} st secret`),
    browserHash: Buffer.alloc(0),
    providerId: "google",
    mode: "link",
    userId,
    codeVerifier: secret,
    expiresAt,
  });
  await models.MobileSsoCode.create({
    codeHash: hashToken(`${label} ms secret`),
    userId,
    identityId: identity.id,
    codeChallenge: secret,
    issuedAt: 0,
    expiresAt,
  });
  const resetHash = hashToken(`${label} pr secret`);
  await models.PasswordReset.create({ tokenHash: resetHash, userId, expiresAt: soon() });
  await plantInvites({ id: userId, label, models });
  await models.ApiToken.create({
    name: `${label} bot`,
    tokenHash: hashToken(`${label} api secret`),
    role: "editor",
    scopes: ["shard:read"],
    createdBy: userId,
  });
}

async function plantInvites({ id, label, models }: InsertTarget): Promise<void> {
  await models.Invite.create({
    tokenHash: hashToken(`${label} i secret`),
    email: "victim@invited.example",
    role: "player",
    createdBy: id,
    expiresAt: soon(),
  });
  await models.Invite.create({
    email: `${label}@invited.example`,
    role: "player",
    acceptedUserId: id,
    acceptedAt: clockNow(),
    expiresAt: clockNow(),
  });
}

async function plantLinks({ id: userId, label, models }: InsertTarget): Promise<void> {
  const account = `${label} account`;
  await models.ShardLink.create({ accountKey: account, account, userId, linkedAt: clockNow() });
  await models.SteamLink.create({ steamId: steamIdOf(userId), userId, name: `${label} steam` });
}

async function plantPushes({ id: userId, label, models }: InsertTarget): Promise<void> {
  const secret = `${label} secret`;
  await models.PushDevice.create({
    userId,
    endpoint: `https://push.test/${secret}`,
    origin: "https://push.test",
    p256dh: secret,
    auth: secret,
    deviceName: `${label} device`,
  });
  const query = { q: `${label} wish` };
  const search = { userId, name: `${label} search`, query, term: `name ${label}` };
  await models.MarketSearch.create(search);
  await models.PushSubscription.create({ userId, stream: "news.post" });
  const push = { stream: "vendor.sale", ref: "1", eventKey: `${label} event`, userId };
  await models.Push.create({ ...push, expiresAt: clockNow() });
}

async function plantAppeal({ id, label, models }: InsertTarget): Promise<void> {
  const victim = `${label} victim`;
  const confirmedAt = clockNow();
  const given = { accountKey: victim, account: victim, reason: victim, issuedBy: id };
  await models.Punishment.create({ ...given, confirmedAt });
  const account = `${label} account`;
  const taken = { accountKey: account, account, reason: `${label} ban`, confirmedAt };
  const { id: punishmentId } = await models.Punishment.create(taken);
  const appeal = await models.Appeal.create({
    userId: id,
    punishmentId,
    account,
    reason: `${label} appeal`,
    state: "rejected",
    assigneeId: id,
    decidedBy: id,
  });
  await models.AppealMessage.bulkCreate([
    { appealId: appeal.id, author: "player", authorId: id, body: `${label} message` },
    { appealId: appeal.id, author: "staff", body: `${label} secret`, internal: true },
  ]);
}

async function plantContent({ id, models }: InsertTarget): Promise<void> {
  const text = { body: "", bodyHtml: "", renderer: 1, folded: "", status: "draft" } as const;
  const post = { slug: `post-of-user-${id}`, title: "A post", autoExcerpt: "" };
  await models.Post.create({ ...text, ...post, authorId: id });
  const wiki = { slug: `page-of-user-${id}`, title: "A page", toc: [] };
  const page = await models.WikiPage.create({ ...text, ...wiki, updatedBy: id });
  const revision = { pageId: page.id, revision: 1, title: "A page", body: "" };
  await models.WikiRevision.create({ ...revision, authorId: id });
}

async function plantSettings({ id, models }: InsertTarget): Promise<void> {
  await models.PluginKey.create({
    source: `planted:${id}`,
    digest: randomBytes(32),
    createdBy: id,
    firstUsedAt: null,
    lastUsedAt: null,
    expiresAt: null,
    endedAt: null,
    secondBeganAt: null,
  });
  await models.PausedQueue.create({ queue: `queue of user ${id}`, pausedBy: id });
  await models.Setting.create({ name: `setting of user ${id}`, value: true, changedBy: id });
  await models.SidecarLink.update({ changedBy: id }, { where: {} });
  await models.ChatBot.update({ updatedBy: id }, { where: {} });
}

async function plantLog({ id, label, models }: InsertTarget): Promise<void> {
  const victim = `${label} victim`;
  await models.ActivityEntry.create({
    actorId: id,
    action: "shard.kick",
    targetType: "account",
    targetId: victim,
    address: `${label} address`,
    detail: { reason: victim },
  });
  await models.ActivityEntry.create({
    action: "user.email_changed",
    targetType: "user",
    targetId: String(id),
    address: victim,
    detail: { note: `${label} changed` },
  });
}
