import type { Statement } from "./statement.ts";

/** The contract's statements on endpoints of administration: accounts, settings, invites. */
export const adminEndpoints: readonly Statement[] = [
  {
    says: "`/admin/auth/providers` CRUD: admin; ProviderConfig.",
    routes: [
      "GET /admin/auth/providers",
      "POST /admin/auth/providers",
      "PUT /admin/auth/providers/:id",
      "DELETE /admin/auth/providers/:id",
    ],
    shownBy: [
      "auth/providers.test.ts > GET /admin/auth/providers > lists the built-in providers, disabled until they are set up",
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
      "auth/providers.test.ts > PUT /admin/auth/providers/:id > changes the given fields and keeps the rest, including the secret if it is blank",
      "auth/providers.test.ts > DELETE /admin/auth/providers/:id > deletes an added provider, and answers 409 for a built-in one",
      "http/gates.test.ts > a route that requires a role > %s answers 403 to every other role",
    ],
  },
  {
    says: "`/admin/account/identities`: admin; account linking.",
    routes: ["GET /admin/account/identities"],
    shownBy: [
      "auth/account.test.ts > the legacy account paths > reject a player at /admin/account and admit an administrator",
      "auth/login.test.ts > a session > has the current role of its user",
    ],
  },
  {
    says: "`GET`/`PUT /admin/discord-bot/config`: admin; chat-bot configuration.",
    routes: ["GET /admin/discord-bot/config", "PUT /admin/discord-bot/config"],
    shownBy: [
      "site/chat-bot.test.ts > the configuration of the chat bot > is stored field by field, with an encrypted token that no answer contains",
      "site/chat-bot.test.ts > the configuration of the chat bot > is open to administrators only",
    ],
  },
  {
    says: "`PUT /admin/site-mode`: admin; returns `{ site_mode, changed_at, changed_by }`.",
    routes: ["PUT /admin/site-mode"],
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > answers the new mode, and the status route shows it",
      "site/settings.test.ts > settings > are open to administrators only",
    ],
  },
  {
    says: "Settings update: admin; validates booleans.",
    routes: ["PUT /admin/settings"],
    shownBy: [
      "site/settings.test.ts > settings > refuse an unknown name or a non-boolean value, and change nothing",
      "site/settings.test.ts > settings > are open to administrators only",
    ],
  },
  {
    says: "Known settings `mobile_app_links_enabled` (default off) and `game_account_signup`; public view carries `mobileAppLinks`.",
    routes: ["GET /public/settings"],
    shownBy: [
      "site/settings.test.ts > settings > are all off at first, except appeals",
      "site/settings.test.ts > settings > are changed one by one, logged, and seen by every process",
    ],
  },
  {
    says: "`POST`/`GET /admin/invites`, `DELETE /admin/invites/...`: admin only; creates an invite (mails it; when e-mail is off the accept link is returned), lists, revokes.",
    routes: ["POST /admin/invites", "GET /admin/invites", "DELETE /admin/invites/:id"],
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > mails a link that opens the invitation",
      "auth/invites.test.ts > POST /admin/invites > answers the link once if mail is not configured",
      "auth/invites.test.ts > POST /admin/invites > answers 403 to an editor and 401 without a session",
      "auth/invites.test.ts > GET /admin/invites > lists invitations with their outcome, newest first",
      "auth/invites.test.ts > DELETE /admin/invites/:id > revokes the invitation at once",
    ],
  },
  {
    says: "`GET /dashboard`: staff; posts and users.",
    routes: ["GET /dashboard"],
    shownBy: [
      "site/dashboard.test.ts > GET %s > answers every role of staff the same counts, and forbids caching",
      "site/dashboard.test.ts > the dashboard > counts posts by status, and lists the latest published ones",
    ],
  },
  {
    says: "`GET /admin/users/:id/trusted-devices*`: admin; list and revoke a user's trusted devices.",
    routes: [
      "GET /admin/users/:id/trusted-devices",
      "DELETE /admin/users/:id/trusted-devices/:deviceId",
    ],
    shownBy: [
      "site/user-mfa.test.ts > a user's trusted devices > are listed for an administrator, and no device is marked as the current one",
      "site/user-mfa.test.ts > a user's trusted devices > can be revoked one by one, which is logged and makes the browser need a code",
    ],
  },
  {
    says: "`/admin/users/:id/mfa/reset`: admin; reset a user's MFA.",
    routes: ["POST /admin/users/:id/mfa/reset"],
    shownBy: [
      "site/user-mfa.test.ts > POST /admin/users/:id/mfa/reset > removes the second factor, its codes, the trusted devices and the sessions, and keeps the password",
    ],
  },
  {
    says: "`GET /.well-known/assetlinks.json` (web root): anonymous; 404 when `mobile_app_links_enabled` is off or no fingerprint is configured; otherwise the app-link statement for the fixed package and certificate fingerprints.",
    routes: ["GET /.well-known/assetlinks.json"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > accepts the site's own https link only while app links are enabled, and assetlinks.json then lists the app",
    ],
  },
  {
    says: "The mobile `/start` additionally accepts the site's own `https://<host>/mobile/callback` as `redirect_uri` when app links are enabled; the custom-scheme allowlist is never narrowed.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > accepts the site's own https link only while app links are enabled, and assetlinks.json then lists the app",
      "auth/sso.test.ts > the app's sign-in at a provider > is rejected unless its redirect address equals a configured one (R89)",
    ],
  },
  {
    says: "Non-https values of `redirect_uri` skip the settings lookup.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > does not read the setting for app links if the redirect address is not https",
    ],
  },
];
