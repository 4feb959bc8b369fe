import type { Statement } from "./statement.ts";

/** The contract's statements on account, authentication and content records. */
export const accountRecords: readonly Statement[] = [
  {
    says: "AccountStatus: `id` integer, `username` string, `role` string, `totp_enabled` boolean.",
    shownBy: [
      "auth/account.test.ts > GET /auth/me/account > answers the caller's account, and 401 without a session",
    ],
  },
  {
    says: "SafeUser: the user without secrets; returned by SSO TOTP completion.",
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes the sign-in of a user with a second factor, who has no session before",
      "auth/canaries.test.ts > passwords, tokens and codes > appear in no log, job queue, table or mailed URL",
    ],
  },
  {
    says: "Full user record, known stored attributes: a TOTP secret and flag.",
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/setup > stores the secret encrypted",
    ],
  },
  {
    says: "Full user record: a password hash that may be null for SSO-only accounts.",
    shownBy: [
      "site/users.test.ts > POST /admin/users > creates a user without a password, and no password can sign in as this user",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > sets a first password for a user without a password",
    ],
  },
  {
    says: "Full user record: a per-user `tokens_valid_after` cutoff.",
    deviation:
      "The user row holds a number, the generation of the user's credentials, in place of a cutoff time. Every token carries the number; only an equal one is accepted.",
    reason:
      "A time in whole seconds cannot tell apart what is issued and what is cut off in the same second, and clocks of processes differ.",
    shownBy: [
      "auth/generations.test.ts > a credential > is valid by its generation number alone, whatever its issue time",
      "auth/clocks.test.ts > processes whose clocks differ > end a session at the same moment, which the database's clock decides",
    ],
  },
  {
    says: "Full user record: a non-unique e-mail.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a separate link for each account of an address",
    ],
  },
  {
    says: "TotpSetup: `otpauthUrl` string (plus the QR material needed to enrol).",
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/setup > answers the secret, the otpauth URL and a QR code",
    ],
  },
  {
    says: "TotpState: `totp_enabled` boolean.",
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/disable > accepts a code, and ends other sessions, recovery codes and trusted devices",
      "auth/account.test.ts > POST /auth/me/account/totp/enable > enables the second factor, answers ten recovery codes and keeps sessions valid",
    ],
  },
  {
    says: "Provider (public discovery): `id`, `name`, `icon`, `loginUrl`, `priority`.",
    shownBy: [
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
    ],
  },
  {
    says: "ProviderConfig (admin): the Provider fields plus `hasSecret` boolean, `builtin` boolean, `health` (ProviderHealth). The client secret is write-only and encrypted at rest.",
    shownBy: [
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
      "ops/rotate-secrets.test.ts > the catalog of encrypted columns > contains every column of the schema that holds an encrypted secret",
    ],
  },
  {
    says: "LinkedIdentity: provider identity of a user, includes `linked_at`.",
    shownBy: [
      "auth/account.test.ts > /auth/me/account/identities > lists the caller's linked identities",
    ],
  },
  {
    says: "MobileTokenResponse: short-lived access token, refresh token, `expiresIn` as a duration string (not an integer).",
    shownBy: [
      "auth/mobile.test.ts > POST /auth/mobile/login > answers a pair of tokens and the user, and sets no cookie",
    ],
  },
  {
    says: "DeviceSession: one row per live mobile device session, never containing a token hash; carries a device label (`device_name`) and a last-used time (`last_used_at`).",
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > lists the active devices, without tokens or hashes",
      "auth/mobile.test.ts > /auth/me/sessions > contains no tokens or hashes, and neither do the answers of /auth/me and /auth/me/account",
    ],
  },
  {
    says: "PushDevice: a registered push endpoint of one device.",
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > registers a browser's subscription, and shows neither its keys nor the whole endpoint",
    ],
  },
  {
    says: "NotificationStreams: catalog of streams.",
    shownBy: [
      "push/devices.test.ts > GET /auth/me/notifications/streams > lists public and personal streams, and the key that devices subscribe with",
    ],
  },
  {
    says: "Post: includes `excerpt`, `author_id`, `published_at`.",
    shownBy: [
      "content/posts.test.ts > POST /admin/posts > publishes at once, logs it once, and shows the public all fields except the source",
    ],
  },
  {
    says: "PublicStatus includes `status_message`.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer empty data without an error",
      "site/settings.test.ts > PUT /admin/site-mode > answers the new mode, and the status route shows it",
    ],
  },
  {
    says: "Trusted device: server-side row: token stored as a sha256 hash, unique-indexed; per-user cap 10.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the limit without using up the code, which then works without trusting the browser",
      "auth/mobile.test.ts > POST /auth/mobile/login > requires the second factor even with a trusted browser's cookie",
      "auth/canaries.test.ts > passwords, tokens and codes > appear in no log, job queue, table or mailed URL",
      "models/schema.test.ts > models and the migrated schema > a model has the table's primary and unique keys",
    ],
  },
  {
    says: "Recovery code: bcrypt-hashed, single use.",
    shownBy: [
      "auth/second-factor.test.ts > a recovery code > is stored as a bcrypt hash",
      "auth/second-factor.test.ts > a recovery code > signs in once, in any case, with spaces for dashes and with look-alike letters",
    ],
  },
  {
    says: "Password reset: opaque 32-byte token stored only as a sha256 hash; single use; about 1 hour TTL.",
    shownBy: [
      "auth/tokens.test.ts > an opaque token > has 256 random bits, is safe in a URL and is unique",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > stores no token in plain text",
      "auth/password-reset.test.ts > POST /auth/password/forgot > keeps older links valid until one of them is used",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link with a valid token",
    ],
  },
  {
    says: "Invite: token stored as sha256 hash; single use; expiring; carries a preset role.",
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > answers the link once if mail is not configured",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > works once, and then answers 404",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > rejects an expired invitation",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > gives the invitation's role and ignores a role in the body",
    ],
  },
  {
    says: "Mutation responses are not one envelope: deletes answer `{ id }` or `{ slug }`.",
    shownBy: [
      "content/posts.test.ts > DELETE /admin/posts/:id > answers the id and deletes the post, but keeps its lines in the activity log",
      "auth/invites.test.ts > DELETE /admin/invites/:id > revokes the invitation at once",
      "content/visibility.test.ts > a page > is created with its navigation place and audience, changed in part, and deleted",
    ],
  },
  {
    says: "Toggles answer `{ deleted }`, `{ unlinked }`, `{ totp_enabled }`.",
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > ends one device of the caller, and answers deleted: false for any other id",
      "auth/account.test.ts > /auth/me/account/identities > unlinks an identity, and answers 404 for one that the caller does not have",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > accepts a code, and ends other sessions, recovery codes and trusted devices",
    ],
  },
  {
    says: "Unban answers `{ ip, removed }`.",
    routes: ["DELETE /admin/bans/:ip"],
    shownBy: [
      "auth/bot-guard.test.ts > DELETE /admin/bans/:ip > lifts the ban at once and resets the score",
      "auth/bot-guard.test.ts > DELETE /admin/bans/:ip > answers removed: false if there is no ban",
    ],
  },
  {
    says: "`PUT` site mode answers `{ site_mode, changed_at, changed_by }`.",
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > answers the new mode, and the status route shows it",
    ],
  },
];
