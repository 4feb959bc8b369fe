import type { Statement } from "./statement.ts";

/** What the contract says of the records of accounts, authentication and content. */
export const accountRecords: readonly Statement[] = [
  {
    says: "AccountStatus: `id` integer, `username` string, `role` string, `totp_enabled` boolean.",
    shownBy: [
      "auth/account.test.ts > GET /auth/me/account > answers the account, and 401 to nobody",
    ],
  },
  {
    says: "SafeUser: the user without secrets; returned by SSO TOTP completion.",
    shownBy: [
      "auth/sso.test.ts > POST /auth/sso/totp > completes a sign-in whose user has a second factor, and no session stands before",
      "auth/canaries.test.ts > what people are let in by > stands in no log, no queue, no table and no mailed address",
    ],
  },
  {
    says: "Full user record, known stored attributes: a TOTP secret and flag.",
    shownBy: ["auth/account.test.ts > POST /auth/me/account/totp/setup > stores the secret sealed"],
  },
  {
    says: "Full user record: a password hash that may be null for SSO-only accounts.",
    shownBy: [
      "site/users.test.ts > POST /admin/users > makes a user without a password, whom nobody can sign in as",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > gives a user without a password their first one",
    ],
  },
  {
    says: "Full user record: a per-user `tokens_valid_after` cutoff.",
    deviation:
      "The user row holds a number, the generation of the user's credentials, in place of a cutoff time. Every token carries the number; only an equal one is accepted.",
    reason:
      "A time in whole seconds cannot tell apart what is issued and what is cut off in the same second, and clocks of processes differ.",
    shownBy: [
      "auth/generations.test.ts > a credential > is told by its number alone, whatever a clock says",
      "auth/clocks.test.ts > processes whose clocks differ > end a session at the same moment, by the database's clock",
    ],
  },
  {
    says: "Full user record: a non-unique e-mail.",
    shownBy: [
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails every account of an address a link of its own",
    ],
  },
  {
    says: "TotpSetup: `otpauthUrl` string (plus the QR material needed to enrol).",
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/setup > answers what an authenticator app needs",
    ],
  },
  {
    says: "TotpState: `totp_enabled` boolean.",
    shownBy: [
      "auth/account.test.ts > POST /auth/me/account/totp/disable > takes a code; other sessions, codes and trust end",
      "auth/account.test.ts > POST /auth/me/account/totp/enable > turns the second factor on and shows the recovery codes once; sessions live on",
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
      "ops/rotate-secrets.test.ts > the catalogue of sealed columns > names every column of the schema that holds a secret",
    ],
  },
  {
    says: "LinkedIdentity: provider identity of a user, includes `linked_at`.",
    shownBy: ["auth/account.test.ts > /auth/me/account/identities > lists the caller's own"],
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
      "auth/mobile.test.ts > /auth/me/sessions > lists the devices that live, without a token or hash",
      "auth/mobile.test.ts > /auth/me/sessions > shows nobody's tokens in anything it answers",
    ],
  },
  {
    says: "PushDevice: a registered push endpoint of one device.",
    shownBy: [
      "push/devices.test.ts > POST /auth/me/devices > registers what a browser's subscription says, and shows neither keys nor the whole endpoint",
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
      "content/posts.test.ts > POST /admin/posts > publishes at once, tells so once, and shows everybody all but the source",
    ],
  },
  {
    says: "PublicStatus includes `status_message`.",
    shownBy: [
      "shard/public-reads.test.ts > the public reads of a shard that was never linked > answer what there is: nothing, and no error",
      "site/settings.test.ts > PUT /admin/site-mode > answers what it set, and status shows it",
    ],
  },
  {
    says: "Trusted device: server-side row: token stored as a sha256 hash, unique-indexed; per-user cap 10.",
    shownBy: [
      "auth/second-factor.test.ts > a trusted device > is refused over the cap with nothing used up, so that the same may be sent without it",
      "auth/mobile.test.ts > POST /auth/mobile/login > is not spared the second factor by a trusted browser",
      "auth/canaries.test.ts > what people are let in by > stands in no log, no queue, no table and no mailed address",
      "models/schema.test.ts > models and the migrated schema > a model has the table's primary and unique keys",
    ],
  },
  {
    says: "Recovery code: bcrypt-hashed, single use.",
    shownBy: [
      "auth/second-factor.test.ts > a recovery code > is stored slowly hashed",
      "auth/second-factor.test.ts > a recovery code > signs in once, however it is written",
    ],
  },
  {
    says: "Password reset: opaque 32-byte token stored only as a sha256 hash; single use; about 1 hour TTL.",
    shownBy: [
      "auth/tokens.test.ts > an opaque token > holds 256 random bits, is safe in a URL and never comes twice",
      "auth/password-reset.test.ts > POST /auth/password/reset/:token > stores of the token no more than its hash",
      "auth/password-reset.test.ts > POST /auth/password/forgot > leaves older links good until one is used",
      "auth/password-reset.test.ts > POST /auth/password/forgot > mails a link whose token opens the page it leads to",
    ],
  },
  {
    says: "Invite: token stored as sha256 hash; single use; expiring; carries a preset role.",
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > answers the link once while mail is off",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > works once",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > refuses an expired invitation at once",
      "auth/invites.test.ts > POST /auth/invite/:token/accept > gives the role of the invitation and no other",
    ],
  },
  {
    says: "Mutation responses are not one envelope: deletes answer `{ id }` or `{ slug }`.",
    shownBy: [
      "content/posts.test.ts > DELETE /admin/posts/:id > answers the id, and nothing of the post is left but its lines in the log",
      "auth/invites.test.ts > DELETE /admin/invites/:id > takes the invitation back at once",
      "content/visibility.test.ts > a page > is made with its place and audience, and changed in part",
    ],
  },
  {
    says: "Toggles answer `{ deleted }`, `{ unlinked }`, `{ totp_enabled }`.",
    shownBy: [
      "auth/mobile.test.ts > /auth/me/sessions > ends one of the caller's own, once, and answers alike for another's and for none",
      "auth/account.test.ts > /auth/me/account/identities > unlinks one; an unknown one and another's are 404",
      "auth/account.test.ts > POST /auth/me/account/totp/disable > takes a code; other sessions, codes and trust end",
    ],
  },
  {
    says: "Unban answers `{ ip, removed }`.",
    routes: ["DELETE /admin/bans/:ip"],
    shownBy: [
      "auth/bot-guard.test.ts > DELETE /admin/bans/:ip > lets the address in at once and forgets what it did",
      "auth/bot-guard.test.ts > DELETE /admin/bans/:ip > says so when there is nothing to lift",
    ],
  },
  {
    says: "`PUT` site mode answers `{ site_mode, changed_at, changed_by }`.",
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > answers what it set, and status shows it",
    ],
  },
];
