import type { SignedIn } from "../support/accounts/sign-in.ts";
import { buildPluginKey } from "../support/plugin/plugin-key.ts";
import type { TestServer } from "../support/service/server.ts";

/** The context from which the request to a confirming route is built. */
export interface ConfirmingContext {
  readonly server: TestServer;
  /** A text that no other request uses. */
  readonly unique: string;
  /** The user who sends the request. Each request has its own. */
  readonly caller: SignedIn;
  /** The id of another user, whom the caller administers. */
  readonly other: number;
}

/** The path and body of a request. The test adds the confirmation. */
interface ConfirmingRequest {
  readonly path: string;
  readonly body?: object;
}

type Ask = (confirmed: ConfirmingContext) => ConfirmingRequest | Promise<ConfirmingRequest>;

const at =
  (path: string, body?: object): Ask =>
  () => ({ path, ...(body && { body }) });

const unlink =
  (path: string): Ask =>
  async ({ server, caller, unique }) => {
    const { Identity } = server.context.models;
    const identity = { userId: caller.userId, providerId: "discord", providerName: "Discord" };
    await Identity.create({ ...identity, issuer: "https://id.example", subject: unique });
    return { path: `${path}/discord` };
  };

/**
 * Links the shard to a plugin that has a key.
 * @returns the request that deletes or renews the key
 */
const keyOfShard: Ask = async ({ server }) => {
  await server.context.models.SidecarLink.update({ kind: "plugin" }, { where: {} });
  await buildPluginKey(server, "shard");
  return { path: "/admin/shardlink/plugin-key" };
};

const keyOfServer: Ask = async ({ server }) => {
  const made = await server.context.models.SurvivalServer.findOne({ rejectOnEmpty: true });
  await made.update({ kind: "plugin" });
  await buildPluginKey(server, `survival:${made.id}`);
  return { path: `/admin/survival/servers/${made.id}/plugin-key` };
};

const reportKeyOfServer: Ask = async ({ server }) => {
  const { id: serverId } = await server.context.models.SurvivalServer.findOne({
    rejectOnEmpty: true,
  });
  const { SurvivalReportKey: Key } = server.context.models;
  await Key.destroy({ where: { serverId } });
  await Key.create({
    serverId,
    digest: Buffer.alloc(32, serverId),
    createdBy: null,
    lastUsedAt: null,
  });
  return { path: `/admin/survival/servers/${serverId}/report-key` };
};

const beginSetup =
  (path: string): Ask =>
  async ({ server, caller }) => {
    await server.context.models.User.update(
      { totpEnabled: false },
      { where: { id: caller.userId } },
    );
    return { path };
  };

/**
 * Requests by route, for routes that need a password, a code of the second factor, or a recent
 * sign-in.
 */
export const confirmed: Readonly<Record<string, Ask>> = {
  "DELETE /auth/me/account": at("/auth/me/account"),
  "PATCH /auth/me/account/email": ({ unique }) => ({
    path: "/auth/me/account/email",
    body: { email: `${unique}@x.example` },
  }),
  "DELETE /auth/me/account/identities/:provider": unlink("/auth/me/account/identities"),
  "DELETE /player/account/identities/:provider": unlink("/player/account/identities"),
  "DELETE /admin/account/identities/:provider": unlink("/admin/account/identities"),
  "POST /auth/me/recovery-codes": async ({ server, caller: { userId } }) => {
    await server.context.models.RecoveryCode.destroy({ where: { userId } });
    return { path: "/auth/me/recovery-codes" };
  },
  "POST /auth/me/recovery-codes/regenerate": at("/auth/me/recovery-codes/regenerate"),
  "POST /auth/sso/:provider/link": at("/auth/sso/discord/link"),

  "POST /admin/users": ({ unique }) => ({
    path: "/admin/users",
    body: { username: unique, role: "admin", password: "a password of theirs" },
  }),
  "PATCH /admin/users/:id": ({ other }) => ({
    path: `/admin/users/${other}`,
    body: { role: "moderator" },
  }),
  "DELETE /admin/users/:id": ({ other }) => ({ path: `/admin/users/${other}` }),
  "POST /admin/users/:id/mfa/reset": ({ other }) => ({ path: `/admin/users/${other}/mfa/reset` }),
  "POST /admin/invites": at("/admin/invites", { role: "admin" }),
  "POST /admin/tokens": at("/admin/tokens", {
    name: "crier",
    role: "player",
    scopes: ["shard:read"],
  }),
  "POST /admin/auth/providers": ({ unique }) => ({
    path: "/admin/auth/providers",
    body: { id: unique, name: "Planted", issuer: "http://127.0.0.1:9", clientId: "planted" },
  }),
  "PUT /admin/auth/providers/:id": at("/admin/auth/providers/google", { name: "Google" }),
  "PUT /admin/settings": at("/admin/settings", { staff_second_factor_required: false }),
  "POST /admin/webhooks": at("/admin/webhooks", {
    url: "http://127.0.0.1:9/hook",
    streams: ["news.post"],
  }),
  "PUT /admin/webhooks/:id": async ({ server }) => {
    const hook = await server.context.models.Webhook.findOne({ rejectOnEmpty: true });
    return { path: `/admin/webhooks/${hook.id}`, body: { rotateSecret: true } };
  },
  "PUT /admin/discord-bot/config": at("/admin/discord-bot/config", {
    token: "a-bot-token-of-long",
  }),
  "PUT /admin/shardlink/config": at("/admin/shardlink/config", {
    kind: "sidecar",
    token: "a-link-token-of-long",
  }),
  "POST /admin/shardlink/plugin-key": keyOfShard,
  "DELETE /admin/shardlink/plugin-key": keyOfShard,
  "POST /admin/survival/servers/:id/plugin-key": keyOfServer,
  "DELETE /admin/survival/servers/:id/plugin-key": keyOfServer,
  "POST /admin/survival/servers/:id/report-key": reportKeyOfServer,
  "DELETE /admin/survival/servers/:id/report-key": reportKeyOfServer,
  "POST /admin/survival/servers": ({ unique }) => ({
    path: "/admin/survival/servers",
    body: { name: unique },
  }),
  "PUT /admin/survival/servers/:id": async ({ server }) => {
    const { id } = await server.context.models.SurvivalServer.findOne({ rejectOnEmpty: true });
    return {
      path: `/admin/survival/servers/${id}`,
      body: { kind: "sidecar", token: "a-game-token-of-long" },
    };
  },
};

/**
 * Requests by route, for routes that need a password only. They start the enrollment of a second
 * factor, so their users have none yet.
 */
export const confirmedByPassword: Readonly<Record<string, Ask>> = {
  "POST /auth/me/account/totp/setup": beginSetup("/auth/me/account/totp/setup"),
  "POST /player/account/totp/setup": beginSetup("/player/account/totp/setup"),
  "POST /admin/account/totp/setup": beginSetup("/admin/account/totp/setup"),
};

/**
 * Routes without confirmation, although the names of their paths or fields suggest one. Each has
 * its reason.
 */
export const unconfirmed: Readonly<Record<string, string>> = {
  "DELETE /admin/auth/providers/:id": "it takes ways to sign in away and opens none",
  "DELETE /admin/invites/:id": "it takes an invitation away",
  "DELETE /admin/tokens/:id": "it takes a token away",
  "DELETE /admin/users/:id/trusted-devices/:deviceId": "it takes trust away",
  "POST /admin/users/:id/sessions/revoke": "it takes sessions away",
  "DELETE /admin/users/:id/shard/link/:account": "a game account signs nobody in",
  "DELETE /admin/webhooks/:id": "it takes a secret away",
  "POST /admin/webhooks/:id/test": "it sends to the stored address and shows no secret",
  "POST /admin/webhooks/:id/deliveries/:deliveryId/redeliver": "it sends to the stored address",
  "POST /admin/webhooks/:id/redeliver-failed": "it sends to the stored address",
  "DELETE /auth/me/trusted-devices": "it takes trust away",
  "DELETE /auth/me/trusted-devices/:id": "it takes trust away",
  "DELETE /auth/me/sessions": "it takes sessions away",
  "DELETE /auth/me/sessions/:id": "it takes a session away",
  "POST /auth/me/devices": "push messages have no content",
  "DELETE /auth/me/devices/:id": "it takes a push endpoint away",
  "POST /auth/me/devices/:id/test": "push messages have no content",
  "PATCH /auth/me/account/username": "a name is no credential, and its user is told by mail",
  "PATCH /player/account/username": "a name is no credential, and its user is told by mail",
  "PATCH /admin/account/username": "a name is no credential, and its user is told by mail",
  "POST /player/shard/account": "the game account is new and signs nobody in here",
  "POST /admin/shard/account": "the game account is new and signs nobody in here",
  "POST /player/shard/link": "the code proves the game account, which signs nobody in here",
  "POST /admin/shard/link": "the code proves the game account, which signs nobody in here",
  "POST /player/survival/link": "the code proves the Steam account, which signs nobody in here",
  "DELETE /player/survival/link/:steamId": "a Steam account signs nobody in here",
};

const me = ["/auth/me/account", "/player/account", "/admin/account"];
const onAccount = (method: string, path: string) => me.map((one) => `${method} ${one}${path}`);
const nobody = "written for sign-ins and mailed links, where nobody is signed in";

/**
 * Columns that hold a credential, a stored secret or a role, with the routes by which a caller
 * changes them. The test fails on a new column of this kind until it is listed here.
 */
export const credentialColumns: Readonly<Record<string, readonly string[] | string>> = {
  "users.password_hash": ["POST /admin/users", ...onAccount("PATCH", "/password")],
  "users.role": ["POST /admin/users", "PATCH /admin/users/:id"],
  "users.email": ["POST /admin/users", "PATCH /admin/users/:id", "PATCH /auth/me/account/email"],
  "users.totp_secret_sealed": [
    "POST /admin/users/:id/mfa/reset",
    ...onAccount("POST", "/totp/enable"),
    ...onAccount("POST", "/totp/disable"),
  ],
  "totp_pending.secret_sealed": onAccount("POST", "/totp/setup"),
  "recovery_codes.code_hash": [
    "POST /auth/me/recovery-codes",
    "POST /auth/me/recovery-codes/regenerate",
    ...onAccount("POST", "/totp/enable"),
  ],
  "api_tokens.token_hash": ["POST /admin/tokens"],
  "api_tokens.role": ["POST /admin/tokens"],
  "invites.token_hash": ["POST /admin/invites"],
  "invites.role": ["POST /admin/invites"],
  "invites.email": ["POST /admin/invites"],
  "auth_providers.client_secret_sealed": [
    "POST /admin/auth/providers",
    "PUT /admin/auth/providers/:id",
  ],
  "sso_transactions.state_hash": ["POST /auth/sso/:provider/link"],
  "sso_transactions.browser_hash": ["POST /auth/sso/:provider/link"],
  "webhooks.secret_sealed": ["POST /admin/webhooks", "PUT /admin/webhooks/:id"],
  "webhooks.former_secret_sealed": ["PUT /admin/webhooks/:id"],
  "webhooks.url_sealed": ["POST /admin/webhooks", "PUT /admin/webhooks/:id"],
  "chat_bot.token_sealed": ["PUT /admin/discord-bot/config"],
  "shardlink.token_sealed": ["PUT /admin/shardlink/config"],
  "survival_servers.token_sealed": [
    "POST /admin/survival/servers",
    "PUT /admin/survival/servers/:id",
  ],
  "survival_servers.rcon_password_sealed": [
    "POST /admin/survival/servers",
    "PUT /admin/survival/servers/:id",
  ],
  "mobile_sessions.token_hash": nobody,
  "mobile_sessions.successor_sealed": nobody,
  "mobile_sso_codes.code_hash": nobody,
  "password_resets.token_hash": nobody,
  "trusted_devices.token_hash": nobody,
  "survival_config_writes.before_sealed": "the text of a plugin's file, which no answer unmasks",
  "survival_config_writes.secrets_sealed": "values of a plugin's file, which no answer shows",
};
