import { buildOneStepSpec } from "../events/specs.ts";
import { codeOf } from "../support/accounts/second-factor.ts";
import type { SignedIn } from "../support/accounts/sign-in.ts";
import type { DatabaseHolder } from "../support/database/query.ts";
import { UserAgent } from "../support/push/user-agent.ts";

/** Ids of objects by name, with which requests are built. */
export type Ids = Readonly<Record<string, string | number>>;

/**
 * A valid body, or a function that builds the body from ids. Undefined for a request without a
 * body.
 */
type Body = object | ((ids: Ids) => object) | undefined;

const place = { x: 1, y: 2, z: 3 };
const password = "correct horse battery";

/** Returns the account routes with this prefix. The same routes exist under three prefixes. */
const accountWrites = (prefix: string): Readonly<Record<string, Body>> => ({
  [`PATCH ${prefix}/username`]: { username: "another-name" },
  [`PATCH ${prefix}/password`]: { currentPassword: password, newPassword: "a brand new password" },
  [`POST ${prefix}/totp/setup`]: {},
  [`POST ${prefix}/totp/enable`]: ({ secret }) => ({ code: codeOf(String(secret)) }),
  [`POST ${prefix}/totp/disable`]: { code: "492039" },
  [`DELETE ${prefix}/identities/:provider`]: { password },
});

/** CATALOGUE of the routes by which a signed-in caller writes, with a valid body for each. */
export const writes: Readonly<Record<string, Body>> = {
  ...accountWrites("/auth/me/account"),
  ...accountWrites("/player/account"),
  ...accountWrites("/admin/account"),
  "DELETE /auth/me/account": { password },
  "PATCH /auth/me/account/email": { email: "another@x.example", password },
  "DELETE /auth/me/sessions": undefined,
  "DELETE /auth/me/sessions/:id": undefined,
  "DELETE /auth/me/trusted-devices": undefined,
  "DELETE /auth/me/trusted-devices/:id": undefined,
  "POST /auth/me/recovery-codes": { password },
  "POST /auth/me/recovery-codes/regenerate": { password },
  "POST /auth/me/devices": ({ relay }) => ({
    endpoint: `${relay}/one`,
    keys: new UserAgent().keys,
  }),
  "DELETE /auth/me/devices/:id": undefined,
  "POST /auth/me/devices/:id/test": undefined,
  "PUT /auth/me/notifications/subscriptions": { streams: ["news.post"] },
  "POST /auth/sso/:provider/link": { password },
  "POST /player/appeals": ({ account }) => ({ account, reason: "I was fishing by hand, all day." }),
  "POST /player/appeals/:id/messages": { body: "I can prove it." },
  "POST /player/shard/account": { account: "maple", password: "a long walk" },
  "POST /admin/shard/account": { account: "maple", password: "a long walk" },
  "POST /player/shard/link": { code: "8F3K-22QX" },
  "POST /admin/shard/link": { code: "8F3K-22QX" },
  "POST /player/market/searches": { name: "Katanas", query: { q: "katana" } },
  "PUT /player/market/searches/:id": { enabled: false },
  "DELETE /player/market/searches/:id": undefined,
  "POST /player/survival/link": { code: "KWXRTB" },
  "DELETE /player/survival/link/:steamId": undefined,

  "PUT /admin/settings": { registration_enabled: true },
  "PUT /admin/site-mode": { site_mode: "maintenance" },
  "PUT /admin/discord-bot/config": { enabled: false },
  "DELETE /admin/bans/:ip": undefined,
  "POST /admin/posts": { title: "Planted", body: "Planted" },
  "PUT /admin/posts/:id": { title: "Another", base_revision: 1 },
  "DELETE /admin/posts/:id": undefined,
  "POST /admin/wiki": { title: "Planted", body: "Planted" },
  "PUT /admin/wiki/:slug": { body: "Another", base_revision: 1 },
  "DELETE /admin/wiki/:slug": undefined,
  "POST /admin/wiki/:slug/revisions/:rev/restore": undefined,
  "POST /admin/pages": { title: "Planted", body: "Planted" },
  "PUT /admin/pages/:slug": { nav_order: 20 },
  "DELETE /admin/pages/:slug": undefined,
  "POST /admin/appeals/:id/messages": { body: "Send us the video." },
  "POST /admin/appeals/:id/decision": { outcome: "rejected", note: "No." },

  "POST /admin/auth/providers": {
    id: "planted",
    name: "Planted",
    issuer: "http://127.0.0.1:9",
    clientId: "planted",
  },
  "PUT /admin/auth/providers/:id": { name: "Another" },
  "DELETE /admin/auth/providers/:id": undefined,
  "POST /admin/invites": { role: "admin" },
  "DELETE /admin/invites/:id": undefined,
  "POST /admin/tokens": { name: "planted", role: "player", scopes: ["shard:read"] },
  "DELETE /admin/tokens/:id": undefined,
  "POST /admin/users": { username: "planted", role: "admin" },
  "PATCH /admin/users/:id": { role: "admin" },
  "DELETE /admin/users/:id": undefined,
  "POST /admin/users/:id/sessions/revoke": undefined,
  "POST /admin/users/:id/mfa/reset": undefined,
  "DELETE /admin/users/:id/trusted-devices/:deviceId": undefined,
  "DELETE /admin/users/:id/shard/link/:account": undefined,

  "POST /admin/webhooks": {
    name: "Planted",
    url: "http://127.0.0.1:9/hook",
    streams: ["news.post"],
  },
  "PUT /admin/webhooks/:id": { name: "Another" },
  "DELETE /admin/webhooks/:id": undefined,
  "POST /admin/webhooks/:id/test": undefined,
  "POST /admin/webhooks/:id/deliveries/:deliveryId/redeliver": undefined,
  "POST /admin/webhooks/:id/redeliver-failed": undefined,
  "POST /admin/jobs/:id/retry": undefined,
  "POST /admin/jobs/:id/cancel": undefined,
  "POST /admin/jobs/queues/:queue/pause": undefined,
  "POST /admin/jobs/queues/:queue/resume": undefined,
  "POST /admin/jobs/queues/:queue/retry-failed": undefined,
  "POST /admin/jobs/queues/:queue/discard-failed": undefined,

  "PUT /admin/shard/visibility": { features: { market: { enabled: false } } },
  "PUT /admin/shardlink/config": { enabled: false },
  "POST /admin/shardlink/plugin-key": {},
  "DELETE /admin/shardlink/plugin-key": {},
  "PUT /admin/shardlink/signup-mode": { mode: "disabled" },
  "POST /admin/shardlink/towncrier": { lines: ["The market opens."], durationSec: 60 },
  "DELETE /admin/shardlink/towncrier/:id": undefined,
  "POST /admin/shard/kick": { account: "maple" },
  "POST /admin/shard/ban": { account: "maple", durationSec: 60, reason: "Speed hack" },
  "POST /admin/shard/unban": { account: "maple" },
  "POST /admin/shard/broadcast": { text: "The gates close." },
  "POST /admin/shard/pages/:id/respond": { message: "We come." },
  "POST /admin/shard/pages/:id/close": undefined,
  "POST /admin/shard/assets/import": {},
  "POST /admin/shard/assets/warm": {},
  "PUT /admin/shard/atlas/path": { path: "/nowhere" },
  "POST /admin/shard/atlas/import": {},
  "POST /admin/shard/atlas/approve": undefined,
  "POST /admin/shard/atlas/reject": undefined,
  "PUT /admin/shard/clilocs/path": { path: "/nowhere" },
  "POST /admin/shard/clilocs/import": {},

  "POST /admin/events": { title: "Planted", spec: buildOneStepSpec({}) },
  "PUT /admin/events/:id": { title: "Another" },
  "DELETE /admin/events/:id": undefined,
  "POST /admin/events/:id/publish": undefined,
  "POST /admin/events/:id/verify": { target: "published" },
  "POST /admin/events/:id/runs": { scope: "site" },
  "PUT /admin/events/actions": { actionId: "core.confirm", enabled: false },
  "POST /admin/events/series": { name: "Planted" },
  "PUT /admin/events/series/:seriesId": { name: "Another" },
  "DELETE /admin/events/series/:seriesId": undefined,
  "POST /admin/events/runs/:runId/pause": {},
  "POST /admin/events/runs/:runId/resume": undefined,
  "POST /admin/events/runs/:runId/advance": {},
  "POST /admin/events/runs/:runId/cancel": {},
  "POST /admin/events/runs/:runId/steps/:stepId/confirm": {},
  "POST /admin/events/runs/:runId/steps/:stepId/skip": {},
  "POST /admin/events/runs/:runId/steps/:stepId/retry": undefined,

  "POST /admin/survival/servers": { name: "Planted" },
  "PUT /admin/survival/servers/:id": { name: "Another" },
  "DELETE /admin/survival/servers/:id": undefined,
  "POST /admin/survival/servers/:id/plugin-key": {},
  "DELETE /admin/survival/servers/:id/plugin-key": {},
  "POST /admin/survival/servers/:id/kick": { steamId: "76561198012345678", reason: "Language" },
  "POST /admin/survival/servers/:id/ban": { steamId: "76561198012345678", reason: "Aimbot" },
  "POST /admin/survival/servers/:id/unban": { steamId: "76561198012345678" },
  "POST /admin/survival/servers/:id/report-key": {},
  "DELETE /admin/survival/servers/:id/report-key": {},
  "POST /admin/survival/reports/:id/seen": undefined,
  "POST /admin/survival/reports/:id/close": {},
  "POST /admin/survival/reports/:id/reopen": undefined,
  "POST /admin/survival/servers/:id/map/fetch": undefined,
  "POST /admin/survival/servers/:id/map/render": {},
  "PUT /admin/survival/servers/:id/events/:eventId": { hidden: true },
  "PUT /admin/survival/servers/:id/titles": {
    mode: "upTo",
    max: 2,
    rules: [{ stat: "playersKilled", topN: 3, color: "#ff5533" }],
  },
  "PUT /admin/survival/title-categories/:stat": { title: "The Red Hand" },
  "PUT /admin/survival/visibility": { roster: "staff" },
  "PUT /admin/survival/voice": { name: "Planted" },
  "POST /admin/survival/announce": ({ game }) => ({ message: "Hear ye", serverIds: [game] }),
  "POST /admin/survival/permissions/groups": { name: "planted" },
  "PUT /admin/survival/permissions/groups/:id": { title: "Another" },
  "DELETE /admin/survival/permissions/groups/:id": undefined,
  "POST /admin/survival/permissions/grants": {
    kind: "permission",
    steamId: "76561198012345678",
    value: "kits.vip",
  },
  "PUT /admin/survival/permissions/grants/:id": { note: "Another" },
  "DELETE /admin/survival/permissions/grants/:id": undefined,
  "POST /admin/survival/permissions/sync": ({ game }) => ({ serverIds: [game] }),
  "PUT /admin/survival/config/:serverId/files/:plugin": ({ hash }) => ({
    text: "{}",
    baseHash: hash,
  }),
  "POST /admin/survival/config/:serverId/writes/:writeId/rollback": undefined,
  "POST /admin/survival/zones/presets": {
    key: "planted",
    name: "Planted",
    shape: { kind: "sphere", radius: 75 },
    flags: ["NoBuild"],
  },
  "PUT /admin/survival/zones/presets/:id": { name: "Another" },
  "DELETE /admin/survival/zones/presets/:id": undefined,
  "POST /admin/survival/zones/open": ({ game }) => ({
    serverId: game,
    presetKey: "arena",
    at: "launchsite",
    durationSec: 600,
  }),
  "POST /admin/survival/zones/leases/:leaseId/close": undefined,
  "PUT /admin/survival/npcs/factions": { pairs: [{ a: "bandits", b: "guards", stance: "ally" }] },
  "POST /admin/survival/npcs": { key: "planted", displayName: "Planted" },
  "PUT /admin/survival/npcs/profiles/:id": { revision: 1, displayName: "Another" },
  "DELETE /admin/survival/npcs/profiles/:id": undefined,
  "POST /admin/survival/npcs/profiles/:id/restore": { revision: 1 },
  "POST /admin/survival/npcs/push": ({ game }) => ({ serverIds: [game] }),
  "POST /admin/survival/npcs/servers/:serverId/placements": {
    name: "Planted",
    profileKey: "arena-boss",
    ...place,
  },
  "PUT /admin/survival/npcs/servers/:serverId/placements/:placementId": { count: 2 },
  "DELETE /admin/survival/npcs/servers/:serverId/placements/:placementId": undefined,
  "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/rename": { name: "Another" },
  "POST /admin/survival/npcs/servers/:serverId/placements/:placementId/respawn": undefined,
};

/**
 * CATALOGUE of the routes other than GET with which a signed-in caller writes nothing, each with the reason.
 */
export const writesOfNobody: Readonly<Record<string, string>> = {
  "POST /auth/login": "nobody is signed in: the proof of a moment ago is what counts",
  "POST /auth/login/totp": "nobody is signed in: the challenge is what counts",
  "POST /auth/sso/totp": "nobody is signed in: the challenge is what counts",
  "POST /auth/logout": "it ends the session, and does so for one that was cut off too",
  "POST /auth/register": "nobody is signed in",
  "POST /auth/invite/:token/accept": "nobody is signed in: the invitation is what counts",
  "POST /auth/password/forgot": "nobody is signed in",
  "POST /auth/password/reset/:token": "nobody is signed in: the link is what counts",
  "POST /auth/mobile/login": "nobody is signed in: the proof of a moment ago is what counts",
  "POST /auth/mobile/refresh": "the refresh token is what counts, asked under the lock of its user",
  "POST /auth/mobile/logout": "it ends the session of the refresh token",
  "POST /auth/mobile/sso/exchange": "nobody is signed in: the code is what counts",
  "POST /plugin/hello": "nobody is signed in: the key of the link is what counts",
  "POST /plugin/events": "nobody is signed in: the key of the link is what counts",
  "POST /plugin/commands/:id": "nobody is signed in: the key of the link is what counts",
  "POST /plugin/reports/:key": "nobody is signed in: the key in the path is what counts",
  "POST /admin/content/preview": "it writes nothing",
  "POST /admin/survival/servers/:id/test": "it writes nothing: it asks a game how it is",
};

/** Reads the ids of the user's own objects. @returns these ids together with `others` */
export async function readIds(on: DatabaseHolder, { userId }: SignedIn, others: Ids): Promise<Ids> {
  const { models } = on.context;
  const any = { rejectOnEmpty: true } as const;
  const own = { ...any, where: { userId } };
  const step = await models.EventStep.findOne(any);
  return {
    user: userId,
    device: (await models.PushDevice.findOne(own)).id,
    trusted: (await models.TrustedDevice.findOne(own)).id,
    session: (await models.MobileFamily.findOne(own)).id,
    search: (await models.MarketSearch.findOne(own)).id,
    appeal: (await models.Appeal.findOne(own)).id,
    account: (await models.ShardLink.findOne(own)).account,
    steam: (await models.SteamLink.findOne(own)).steamId,
    post: (await models.Post.findOne(any)).id,
    wiki: (await models.WikiPage.findOne(any)).slug,
    page: (await models.Page.findOne(any)).slug,
    event: (await models.EventDefinition.findOne({ ...any, where: { title: "There" } })).id,
    series: (await models.EventSeries.findOne(any)).id,
    run: step.runId,
    step: step.id,
    webhook: (await models.Webhook.findOne(any)).id,
    report: (await models.SurvivalReport.findOne(any)).id,
    placement: (await models.SurvivalNpcPlacement.findOne(any)).id,
    lease: (await models.SurvivalZoneLease.findOne(any)).leaseId,
    ...others,
  };
}

/** The names of the ids for path parameters, by the beginning of the path. */
const parameters: readonly (readonly [RegExp, string])[] = [
  [/^\/auth\/me\/devices\/:id/, "device"],
  [/^\/auth\/me\/trusted-devices\/:id/, "trusted"],
  [/^\/auth\/me\/sessions\/:id/, "session"],
  [/^\/player\/market\/searches\/:id/, "search"],
  [/^\/(player|admin)\/appeals\/:id/, "appeal"],
  [/^\/player\/survival\/link\/:steamId/, "steam"],
  [/^\/admin\/users\/:id\/shard\/link\/:account/, "account"],
  [/^\/admin\/users\/:id/, "user"],
  [/^\/admin\/posts\/:id/, "post"],
  [/^\/admin\/wiki\/:slug/, "wiki"],
  [/^\/admin\/pages\/:slug/, "page"],
  [/^\/admin\/events\/runs\/:runId/, "run"],
  [/^\/admin\/events\/series\/:seriesId/, "series"],
  [/^\/admin\/events\/:id/, "event"],
  [/^\/admin\/webhooks\/:id/, "webhook"],
  [/^\/admin\/survival\/servers\/:id/, "game"],
  [/^\/admin\/survival\/reports\/:id/, "report"],
  [/^\/admin\/survival\/(config|npcs\/servers)\/:serverId/, "game"],
  [/^\/admin\/jobs\/:id/, "job"],
  [/^\/admin\/auth\/providers\/:id/, "provider"],
];

const fixed: Readonly<Record<string, string>> = {
  provider: "discord",
  id: "1",
  ip: "203.0.113.7",
  queue: "shard.prune-events",
  stat: "playersKilled",
  plugin: "Kits",
  rev: "1",
};

/** Replaces the parameters of a path by ids that exist. */
export function pathOf(pattern: string, ids: Ids): string {
  const own: Record<string, string | number | undefined> = {
    ...fixed,
    placementId: ids["placement"],
    leaseId: ids["lease"],
    writeId: ids["write"],
    stepId: ids["step"],
    eventId: ids["line"],
    account: ids["account"],
    deviceId: ids["trusted"],
  };
  for (const [beginning, name] of parameters) {
    const found = beginning.exec(pattern);
    const parameter = found && /:(\w+)[^:]*$/.exec(found[0])?.[1];
    if (parameter) own[parameter] = ids[name];
  }
  return pattern.replaceAll(/:(\w+)/g, (_all, name: string) =>
    encodeURIComponent(String(own[name] ?? 1)),
  );
}
