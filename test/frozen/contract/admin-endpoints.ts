import type { Statement } from "./statement.ts";

/** What the contract says of the endpoints of administration: accounts, settings, invites. */
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
      "auth/providers.test.ts > GET /admin/auth/providers > lists the built-in ones, switched off until they are set up",
      "auth/providers.test.ts > POST /admin/auth/providers > adds a provider, checks it at once and never shows its secret (R104)",
      "auth/providers.test.ts > PUT /admin/auth/providers/:id > changes what is named and keeps the rest, a blank secret too",
      "auth/providers.test.ts > DELETE /admin/auth/providers/:id > deletes an added one, and a built-in one never",
      "http/gates.test.ts > a route behind roles > %s answers 403 to every other role",
    ],
  },
  {
    says: "`/admin/account/identities`: admin; account linking.",
    routes: ["GET /admin/account/identities"],
    shownBy: [
      "auth/account.test.ts > the legacy account paths > lets no player into the one of staff",
      "auth/login.test.ts > a session > has the role its user has now",
    ],
  },
  {
    says: "`GET`/`PUT /admin/discord-bot/config`: admin; chat-bot configuration.",
    routes: ["GET /admin/discord-bot/config", "PUT /admin/discord-bot/config"],
    shownBy: [
      "site/chat-bot.test.ts > the configuration of the chat bot > is stored field by field, its token sealed and never told",
      "site/chat-bot.test.ts > the configuration of the chat bot > is for administrators alone",
    ],
  },
  {
    says: "`PUT /admin/site-mode`: admin; returns `{ site_mode, changed_at, changed_by }`.",
    routes: ["PUT /admin/site-mode"],
    shownBy: [
      "site/settings.test.ts > PUT /admin/site-mode > answers what it set, and status shows it",
      "site/settings.test.ts > settings > are for administrators alone",
    ],
  },
  {
    says: "Settings update: admin; validates booleans.",
    routes: ["PUT /admin/settings"],
    shownBy: [
      "site/settings.test.ts > settings > refuse an unknown name and a value that is no boolean, and change nothing then",
      "site/settings.test.ts > settings > are for administrators alone",
    ],
  },
  {
    says: "Known settings `mobile_app_links_enabled` (default off) and `game_account_signup`; public view carries `mobileAppLinks`.",
    routes: ["GET /public/settings"],
    shownBy: [
      "site/settings.test.ts > settings > are all off at first, but for appeals",
      "site/settings.test.ts > settings > change one by one, are on record, and are seen by everyone on every process",
    ],
  },
  {
    says: "`POST`/`GET /admin/invites`, `DELETE /admin/invites/...`: admin only; creates an invite (mails it; when e-mail is off the accept link is returned), lists, revokes.",
    routes: ["POST /admin/invites", "GET /admin/invites", "DELETE /admin/invites/:id"],
    shownBy: [
      "auth/invites.test.ts > POST /admin/invites > mails a link that opens the invitation",
      "auth/invites.test.ts > POST /admin/invites > answers the link once while mail is off",
      "auth/invites.test.ts > POST /admin/invites > is for administrators alone",
      "auth/invites.test.ts > GET /admin/invites > lists them with what became of them, the newest first",
      "auth/invites.test.ts > DELETE /admin/invites/:id > takes the invitation back at once",
    ],
  },
  {
    says: "`GET /dashboard`: staff; posts and users.",
    routes: ["GET /dashboard"],
    shownBy: [
      "site/dashboard.test.ts > GET %s > counts what there is, for every role of staff, and is kept by no cache",
      "site/dashboard.test.ts > the dashboard > counts posts by how they stand, and names those published last",
    ],
  },
  {
    says: "`GET /admin/users/:id/trusted-devices*`: admin; list and revoke a user's trusted devices.",
    routes: [
      "GET /admin/users/:id/trusted-devices",
      "DELETE /admin/users/:id/trusted-devices/:deviceId",
    ],
    shownBy: [
      "site/user-mfa.test.ts > a user's trusted devices > are listed for an administrator, none as the current one",
      "site/user-mfa.test.ts > a user's trusted devices > are taken back one by one; the browser needs a code again, and it is on record",
    ],
  },
  {
    says: "`/admin/users/:id/mfa/reset`: admin; reset a user's MFA.",
    routes: ["POST /admin/users/:id/mfa/reset"],
    shownBy: [
      "site/user-mfa.test.ts > POST /admin/users/:id/mfa/reset > takes factor, codes, trusted devices and sessions; the password still signs in",
    ],
  },
  {
    says: "`GET /.well-known/assetlinks.json` (web root): anonymous; 404 when `mobile_app_links_enabled` is off or no fingerprint is configured; otherwise the app-link statement for the fixed package and certificate fingerprints.",
    routes: ["GET /.well-known/assetlinks.json"],
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > takes the site's own link back while links open in the app, and the statement says so",
    ],
  },
  {
    says: "The mobile `/start` additionally accepts the site's own `https://<host>/mobile/callback` as `redirect_uri` when app links are enabled; the custom-scheme allowlist is never narrowed.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > takes the site's own link back while links open in the app, and the statement says so",
      "auth/sso.test.ts > the app's sign-in at a provider > begins at the configured addresses alone, each compared as a whole (R89)",
    ],
  },
  {
    says: "Non-https values of `redirect_uri` skip the settings lookup.",
    shownBy: [
      "auth/sso.test.ts > the app's sign-in at a provider > looks no setting up for an address that is not https",
    ],
  },
];
