import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { clockNowPlus } from "../../models/queries/clock.ts";
import { ageSessionCookie } from "../support/accounts/aged-session.ts";
import { isSignedIn } from "../support/accounts/is-signed-in.ts";
import { createEnrolledUser } from "../support/accounts/second-factor.ts";
import { createTestUser, logIn, signIn } from "../support/accounts/sign-in.ts";
import {
  buildReputation,
  buildTrustedDevice,
  buildUsers,
  reputationOf,
  userOf,
} from "../support/factories/users.ts";
import {
  type ConsoleSite,
  faultsOf,
  startConsoleSite,
  waitUntilPageLoaded,
} from "../support/http/console-site.ts";

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsoleSite();
});
afterEach(() => site.closePages());
afterAll(() => site.stop());

const personPath = (id: number, tab = "") =>
  `/console/people/${id}${tab === "" ? "" : `?tab=${tab}`}`;

describe("the pages about people", () => {
  it.each(["en-GB", "de-DE"])(
    "have no accessibility violation and fit a phone in the language %s",
    async (locale) => {
      const { userId } = await createTestUser(site.server, {
        username: `very-long-${"x".repeat(16)}-${locale.toLowerCase()}`,
        email: `a-very-long-mail-address-of-somebody-${locale.toLowerCase()}@example.org`,
      });
      await buildTrustedDevice(site.server, { userId, label: "Firefox on Linux" });
      await buildReputation(site.server, {
        addressKey: locale === "de-DE" ? "2001:db8:1:2::/64" : "2001:db8:1:3::/64",
        score: 120,
        strikes: 2,
        bannedUntil: clockNowPlus(3_600_000),
      });
      await site.as("POST /admin/invites", { role: "editor" });
      const opened = await site.open("admin", "/console", locale);
      const tabs = ["", "security", "game", "reports", "activity"];
      const paths = [
        "/console/people",
        "/console/people?q=nobody-has-this-name",
        "/console/people/new",
        "/console/people/invitations",
        "/console/people/bans",
        ...tabs.map((tab) => personPath(userId, tab)),
      ];
      expect(await faultsOf(opened, site.web.url, paths)).toEqual([]);
      expect(opened.complaints).toEqual([]);
      expect(await opened.page.locator("html").getAttribute("lang")).toBe(locale.slice(0, 2));
    },
  );

  it.each(["editor", "moderator"] as const)("are refused to the role %s", async (role) => {
    const { page } = await site.open(role, "/console/people");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
    const menu = page.getByRole("navigation", { name: "Pages" });
    expect(await menu.getByRole("link", { name: "People" }).count()).toBe(0);
  });

  it("report that the role no longer includes them, and the requested change is not made", async () => {
    const { userId } = await createTestUser(site.server);
    const { page, userId: own } = await site.open("admin", personPath(userId));
    // The role changes in the database only, so that the session does not end.
    await site.server.context.models.User.update({ role: "editor" }, { where: { id: own } });
    await page.getByRole("button", { name: "Disable the account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable the account" }).click();
    await page.getByText("Your role does not include this page.").waitFor();
    expect((await userOf(site.server, userId)).disabledAt).toBeNull();
  });
});

describe("the list of people", () => {
  it("finds people by name and role, page by page, and keeps the search in the address", async () => {
    const names = Array.from({ length: 55 }, (_, at) => `paged-${String(at).padStart(2, "0")}`);
    await buildUsers(
      site.server,
      names.map((username) => ({ username })),
    );
    await buildUsers(site.server, [{ username: "paged-editor", role: "editor" }]);
    const { page } = await site.open("admin", "/console/people");
    await page.getByLabel("Part of the name").fill("paged-");
    await page.keyboard.press("Enter");
    await page.getByText("56 people").waitFor();
    await page.getByLabel("Role").selectOption("player");
    await page.getByText("55 people").waitFor();
    expect(await page.getByText("1 to 50 of 55").count()).toBe(1);
    await page.getByRole("link", { name: "Next page" }).click();
    await page.getByText("51 to 55 of 55").waitFor();
    expect(new URL(page.url()).search).toBe("?q=paged-&role=player&offset=50");
    await page.reload();
    await page.getByRole("link", { name: "paged-54" }).click();
    await page.getByRole("heading", { level: 1, name: "paged-54" }).waitFor();
    await page.goBack();
    await page.getByText("51 to 55 of 55").waitFor();
    expect(await page.getByLabel("Part of the name").inputValue()).toBe("paged-");
    await page
      .getByRole("navigation", { name: "Pages", exact: true })
      .getByRole("link", { name: "People" })
      .click();
    await page.getByText("51 to 55 of 55").waitFor({ state: "detached" });
    expect(await page.getByLabel("Part of the name").inputValue()).toBe("");
  });
});

describe("the account of a person", () => {
  it("gets another role after a dialog that says that sessions and streams end", async () => {
    const person = await signIn(site.server, { role: "editor" });
    const { page } = await site.open("admin", personPath(person.userId));
    await page.getByLabel("New role").selectOption("player");
    await page.getByRole("button", { name: "Change the role" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("sessions and event streams of the person end").waitFor();
    await dialog.getByRole("button", { name: "Change the role" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await userOf(site.server, person.userId)).role).toBe("player");
    expect(await isSignedIn(site.server, person.headers)).toBe(false);
  });

  it("keeps the typed address if somebody else changes the address meanwhile", async () => {
    const { userId } = await createTestUser(site.server, { email: "first@example.org" });
    const { page } = await site.open("admin", personPath(userId));
    const field = page.getByLabel("New e-mail address");
    await field.fill("typed@example.org");
    await site.as(`PATCH /admin/users/${userId}`, { email: "other@example.org" });
    const send = page.getByRole("button", { name: "Change the e-mail address" });
    await send.click();
    await page.getByText("Somebody else changed this meanwhile.").waitFor();
    expect(await page.getByText("E-mail address: other@example.org").count()).toBe(1);
    expect(await field.inputValue()).toBe("typed@example.org");
    expect((await userOf(site.server, userId)).email).toBe("other@example.org");
    await send.click();
    await page.getByText("Saved.").waitFor();
    expect((await userOf(site.server, userId)).email).toBe("typed@example.org");
  });

  it("keeps the typed address if the session ends meanwhile", async () => {
    const { userId } = await createTestUser(site.server, { email: "old@example.org" });
    const opened = await site.open("admin", personPath(userId));
    const { page, password } = opened;
    await page.getByLabel("New e-mail address").fill("new@example.org");
    await site.as(`POST /admin/users/${opened.userId}/sessions/revoke`);
    await page.getByRole("button", { name: "Change the e-mail address" }).click();
    await page.getByRole("dialog").getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Saved.").waitFor();
    expect((await userOf(site.server, userId)).email).toBe("new@example.org");
  });

  it("is disabled and enabled again", async () => {
    const person = await signIn(site.server);
    const { page } = await site.open("admin", personPath(person.userId));
    await page.getByRole("button", { name: "Disable the account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disable the account" }).click();
    await page.getByRole("heading", { name: "Enable the account" }).waitFor();
    expect(await isSignedIn(site.server, person.headers)).toBe(false);
    await page.getByRole("button", { name: "Enable the account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Enable the account" }).click();
    await page.getByRole("heading", { name: "Disable the account" }).waitFor();
    expect((await userOf(site.server, person.userId)).disabledAt).toBeNull();
  });

  it("is deleted only after the dialog is confirmed", async () => {
    const { userId, username } = await createTestUser(site.server);
    const { page } = await site.open("admin", personPath(userId));
    await page.getByRole("button", { name: "Delete the account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect((await userOf(site.server, userId)).username).toBe(username);
    await page.getByRole("button", { name: "Delete the account" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the account" }).click();
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
    expect(await site.server.context.models.User.findByPk(userId)).toBeNull();
  });

  it("cannot be disabled if it was deleted meanwhile, and the dialog shows the error", async () => {
    const { userId } = await createTestUser(site.server);
    const { page } = await site.open("admin", personPath(userId));
    await page.getByRole("button", { name: "Disable the account" }).click();
    await site.as(`DELETE /admin/users/${userId}`);
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Disable the account" }).click();
    expect(await dialog.getByRole("alert").textContent()).toContain("Unknown user");
  });
});

describe("the security page of a person", () => {
  it("resets the second factor after a confirmation", async () => {
    const person = await createEnrolledUser(site.server);
    const { page } = await site.open("admin", personPath(person.userId, "security"));
    await page.getByText("The second factor is on.").waitFor();
    await page.getByRole("button", { name: "Reset the second factor" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Reset the second factor" }).click();
    await page.getByText("The second factor is off.").waitFor();
    expect((await userOf(site.server, person.userId)).totpEnabled).toBe(false);
  });

  it("signs the person out everywhere", async () => {
    const person = await signIn(site.server);
    const { page } = await site.open("admin", personPath(person.userId, "security"));
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Sign out everywhere" }).click();
    await page.getByText("is signed out everywhere.").waitFor();
    expect(await isSignedIn(site.server, person.headers)).toBe(false);
  });

  it("removes a trusted browser", async () => {
    const { userId } = await createTestUser(site.server);
    await buildTrustedDevice(site.server, { userId, label: "Firefox on Linux" });
    const { page } = await site.open("admin", personPath(userId, "security"));
    await page.getByRole("button", { name: "Stop trusting" }).click();
    await page.getByRole("dialog").getByText("in Firefox on Linux").waitFor();
    await page.getByRole("dialog").getByRole("button", { name: "Stop trusting" }).click();
    await page.getByText("No browser is trusted.").waitFor();
    expect(await site.server.context.models.TrustedDevice.count({ where: { userId } })).toBe(0);
  });
});

describe("the activity of a person", () => {
  it("shows changes of the account by others and the person's own actions", async () => {
    const person = await signIn(site.server, { role: "editor" });
    await site.as(`PATCH /admin/users/${person.userId}`, { role: "admin" });
    const { page } = await site.open("admin", personPath(person.userId, "activity"));
    const about = page.getByRole("region", { name: "About this account" });
    await about.getByRole("row", { name: "user.role_changed" }).waitFor();
    expect(await about.getByText("after: admin").count()).toBe(1);
    const by = page.getByRole("region", { name: "Actions of this person" });
    await by.getByText("auth.login.success").waitFor();
  });
});

describe("a new account", () => {
  it("has the typed password once the administrator has confirmed with their own password", async () => {
    const admin = await signIn(site.server, { role: "admin" });
    const { cookie } = await ageSessionCookie(site.server, admin.cookie, 3_600);
    const { page } = await site.openAs({ ...admin, cookie }, "/console/people/new");
    const [username, password] = ["made-in-console", "an entirely new password"];
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("Role").selectOption("moderator");
    await page.getByLabel("Password of the new person").fill(password);
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("dialog").getByLabel("Your password").fill(admin.password);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: `Open ${username}` }).click();
    await page.getByRole("heading", { level: 1, name: username }).waitFor();
    expect(await logIn(site.server, { username, password })).toContain("=");
  });

  it("keeps what was typed if the name is taken", async () => {
    const { username } = await createTestUser(site.server);
    const { page } = await site.open("admin", "/console/people/new");
    await page.getByLabel("Username").fill(username);
    await page.getByLabel("E-mail address").fill("somebody@example.org");
    await page.getByRole("button", { name: "Create the account" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("E-mail address").inputValue()).toBe("somebody@example.org");
  });
});

describe("an invitation", () => {
  it("shows its link once, and is revoked", async () => {
    const { page } = await site.open("admin", "/console/people/invitations");
    await page.getByLabel("Role").selectOption("moderator");
    await page.getByRole("button", { name: "Create the invitation" }).click();
    const link = await page.getByLabel("Link of the invitation").inputValue();
    const token = link.slice(link.indexOf("=") + 1);
    const found = await site.as(`GET /auth/invite/${token}`);
    expect(found.body).toMatchObject({ role: "moderator" });
    await page.reload();
    await waitUntilPageLoaded(page);
    expect(await page.getByText(token).count()).toBe(0);
    await page.getByRole("button", { name: "Revoke the invitation" }).first().click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the invitation" }).click();
    await page
      .getByText(/^revoked /)
      .first()
      .waitFor();
    expect((await site.as(`GET /auth/invite/${token}`)).status).toBe(404);
  });
});

describe("a banned address", () => {
  it("is listed until its ban is lifted", async () => {
    const addressKey = "203.0.113.9";
    const bannedUntil = clockNowPlus(3_600_000);
    await buildReputation(site.server, { addressKey, score: 200, strikes: 1, bannedUntil });
    const { page } = await site.open("admin", "/console/people/bans");
    const row = page.getByRole("row").filter({ hasText: addressKey });
    await row.getByRole("button", { name: "Lift the ban" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Lift the ban" }).click();
    await page.getByText(`The ban of ${addressKey} has been lifted.`).waitFor();
    expect((await reputationOf(site.server, addressKey))?.bannedUntil ?? null).toBeNull();
  });

  it("is named as not banned if somebody else lifted the ban meanwhile", async () => {
    const { page } = await site.open("admin", "/console/people/bans");
    await page.getByLabel("IP address or network").fill("203.0.113.77");
    await page.keyboard.press("Enter");
    await page.getByText("203.0.113.77 was not banned.").waitFor();
    expect(await reputationOf(site.server, "203.0.113.77")).toBeNull();
  });
});
