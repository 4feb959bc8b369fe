import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import type { Role } from "../../models/auth/user.ts";
import { codeOf, createEnrolledUser, forgetSteps } from "../support/accounts/second-factor.ts";
import { createTestUser, signIn, type TestUser } from "../support/accounts/sign-in.ts";
import { startBrowser } from "../support/http/browser.ts";
import { callRoute } from "../support/http/call.ts";
import { faultsOf, violationsOf } from "../support/http/console-site.ts";
import { collectPageErrors, overflowOf } from "../support/http/page-checks.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let server: TestServer;
let web: ApiProcess;
let browser: Browser;

beforeAll(async () => {
  server = await startTestServer();
  web = await startApiProcess(server.database);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await web?.stop();
  await server?.stop();
});

const closePages = async () => {
  for (const context of browser.contexts()) await context.close();
};

interface Opened extends TestUser {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
  /** The URLs of requests to other sites than the console's own. */
  readonly foreign: readonly string[];
}

/** Collects the requests of a page to other origins. Data within the page, such as a QR code, needs no request. */
function listenForForeign(page: Page): readonly string[] {
  const foreign: string[] = [];
  page.on("request", (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== "data:" && origin !== new URL(web.url).origin) foreign.push(request.url());
  });
  return foreign;
}

/** Opens a page of the console without a session, for a new user with this role. */
async function openSignedOut(role: Role, path = "/console", locale = "en-GB"): Promise<Opened> {
  const context = await browser.newContext({ locale });
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  const foreign = listenForForeign(page);
  const user = await createTestUser(server, { role });
  await page.goto(web.url + path);
  await page.getByRole("main").waitFor();
  return { page, context, complaints, foreign, ...user };
}

async function fillSignIn({
  page,
  username,
  password,
}: Pick<Opened, "page" | "username" | "password">): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password").fill(password);
  await page.keyboard.press("Enter");
}

async function open(role: Role, path?: string): Promise<Opened> {
  const opened = await openSignedOut(role, path);
  await fillSignIn(opened);
  await opened.page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
  return opened;
}

const headingOf = (page: Page) => page.getByRole("heading", { level: 1 });

describe("the sign-in of the console", () => {
  afterEach(closePages);

  it("leads to the requested page, and can be done with the keyboard alone", async () => {
    const opened = await openSignedOut("editor", "/console/account");
    await fillSignIn(opened);
    await opened.page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
    expect(await headingOf(opened.page).textContent()).toBe("Your account");
  });

  it("shows why a wrong password is refused, and keeps the username", async () => {
    const opened = await openSignedOut("editor");
    await fillSignIn({ ...opened, password: "wrong-password" });
    expect(await opened.page.getByRole("alert").textContent()).toContain("Invalid");
    expect(await opened.page.getByLabel("Username").inputValue()).toBe(opened.username);
  });

  it("asks for the second factor of an account that has one", async () => {
    const { page } = await openSignedOut("admin");
    const { userId, username, password, secret } = await createEnrolledUser(server, {
      role: "admin",
    });
    await forgetSteps(server, userId);
    await fillSignIn({ page, username, password });
    await page.getByLabel("Code of your authenticator app").waitFor();
    // The field has the focus, so that the keyboard alone suffices.
    await page.keyboard.type(codeOf(secret));
    await page.keyboard.press("Enter");
    await page.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
    expect(await headingOf(page).textContent()).toBe("Home");
  });

  it("tells a player that the console is for staff", async () => {
    const opened = await openSignedOut("player");
    await fillSignIn(opened);
    await opened.page.getByText("The console is for administrators").waitFor();
    expect(await opened.page.getByRole("navigation").count()).toBe(0);
  });
});

describe("the console", () => {
  afterEach(closePages);

  it("shows its sign-in page in German to a German browser, without accessibility violations", async () => {
    const { page } = await openSignedOut("player", "/console", "de-DE");
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
    expect(await overflowOf(page)).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  it("asks to sign in again after the session has ended, and then sends what was typed", async () => {
    const opened = await open("editor", "/console/account");
    const { page, userId, username, password } = opened;
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill(`${password}-new`);
    const { headers } = await signIn(server, { role: "admin" });
    const revoked = await callRoute(server, `POST /admin/users/${userId}/sessions/revoke`, {
      headers,
    });
    expect(revoked.status).toBe(200);
    await page.getByRole("button", { name: "Change the password" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    expect(await dialog.getByLabel("Username").inputValue()).toBe(username);
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Your password has been changed.").waitFor();
  });

  it("does not send what was typed if another user signs in after the session has ended", async () => {
    const { page, userId, username, password } = await open("editor", "/console/account");
    const other = await createTestUser(server, { role: "editor" });
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill(`${password}-new`);
    const { headers } = await signIn(server, { role: "admin" });
    await callRoute(server, `POST /admin/users/${userId}/sessions/revoke`, { headers });
    await page.getByRole("button", { name: "Change the password" }).click();
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    const sent: string[] = [];
    page.on("request", (request) => {
      if (request.method() === "PATCH") sent.push(request.url());
    });
    await dialog.getByLabel("Username").fill(other.username);
    await dialog.getByLabel("Password").fill(other.password);
    const reloaded = page.waitForEvent("load");
    await page.keyboard.press("Enter");
    await reloaded;
    await page.getByRole("link", { name: other.username }).waitFor();
    expect(sent).toEqual([]);
    expect(await page.getByText(username).count()).toBe(0);
  });

  it("notices a sign-in in another tab after the session has ended", async () => {
    const opened = await open("editor", "/console/account");
    const { page, context, userId, password } = opened;
    await page.getByLabel("Current password").fill(password);
    await page.getByLabel("New password").fill(`${password}-new`);
    const { headers } = await signIn(server, { role: "admin" });
    await callRoute(server, `POST /admin/users/${userId}/sessions/revoke`, { headers });
    await page.getByRole("button", { name: "Change the password" }).click();
    await page.getByRole("dialog", { name: "Sign in again" }).waitFor();
    const tab = await context.newPage();
    await tab.goto(`${web.url}/console`);
    await fillSignIn({ ...opened, page: tab });
    await tab.getByRole("navigation", { name: "Pages", exact: true }).waitFor();
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    await page.getByText("Your password has been changed.").waitFor();
    expect(await page.getByRole("dialog").count()).toBe(0);
  });

  it("keeps a typed text if the user presses Back and then cancels leaving the page", async () => {
    const { page } = await open("admin", "/console/people");
    await page.getByRole("link", { name: "Create an account" }).click();
    await page.getByLabel("Username").fill("typed-name");
    page.once("dialog", (question) => void question.dismiss());
    await page.goBack();
    expect(await page.getByLabel("Username").inputValue()).toBe("typed-name");
    await page.waitForURL("**/console/people/new");
    page.once("dialog", (question) => void question.accept());
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "People" }).waitFor();
  });

  it("keeps a typed text if the service fails while the console reads the role again", async () => {
    const { page } = await open("editor", "/console/account");
    await page.getByLabel("Current password").fill("wrong-password");
    await page.getByLabel("New password").fill("a typed new password");
    await page.route("**/api/v1/auth/me", (route) => route.fulfill({ status: 500, body: "" }));
    const read = page.waitForResponse("**/api/v1/auth/me");
    await page.getByRole("button", { name: "Change the password" }).click();
    await read;
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("New password").inputValue()).toBe("a typed new password");
  });

  it("shows an error if the sign-out fails", async () => {
    const { page } = await open("editor", "/console/account");
    await page.route("**/api/v1/auth/logout", (route) => route.fulfill({ status: 502, body: "" }));
    await page.getByRole("button", { name: "Sign out" }).click();
    expect(await page.getByRole("alert").textContent()).toContain("(status 502)");
  });

  it("sends no further poll while the last poll is unanswered", async () => {
    const { page } = await open("editor", "/console/account");
    let requests = 0;
    // Leave the requests of the dashboard unanswered.
    await page.route("**/api/v1/admin/dashboard", () => {
      requests += 1;
    });
    await page.clock.install();
    const asked = page.waitForRequest("**/api/v1/admin/dashboard");
    await page.getByRole("link", { name: "Home" }).click();
    await asked;
    await page.clock.runFor(60_000);
    expect(requests).toBe(1);
  });

  it("tells a user whose role became player that the console is for staff", async () => {
    const { page, userId, password } = await open("admin", "/console/account");
    const { headers } = await signIn(server, { role: "admin" });
    const body = { role: "player" };
    expect(
      (await callRoute(server, `PATCH /admin/users/${userId}`, { headers, body })).status,
    ).toBe(200);
    await page.getByRole("link", { name: "Home" }).click();
    // The change of the user's role has ended the user's sessions.
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The console is for administrators").waitFor();
  });
});

describe("the pages of the menu", () => {
  afterEach(closePages);

  it.each([
    ["admin", "en-GB"],
    ["admin", "de-DE"],
    ["editor", "de-DE"],
    ["moderator", "en-GB"],
  ] as const)(
    "keep the rules of accessibility and fit 360 pixels for the role %s in the language %s",
    async (role, locale) => {
      const opened = await openSignedOut(role, "/console", locale);
      const { page, username, password } = opened;
      await page.locator("input[name=username]").fill(username);
      await page.locator("input[name=password]").fill(password);
      await page.keyboard.press("Enter");
      const menu = page.locator("header nav a, header .who a");
      await menu.first().waitFor();
      const links = await menu.evaluateAll((found: readonly { href: string }[]) =>
        found.map(({ href }) => new URL(href).pathname),
      );
      expect(links).toContain("/console/account");
      expect(await faultsOf(opened, web.url, links)).toEqual([]);
      // Two requests fail as expected: the console's session check before the sign-in, and the read of help
      // pages from a shard that is not linked.
      const expected = /401 .*\/api\/v1\/auth\/me$|503 .*\/api\/v1\/admin\/shard\/pages$/;
      expect(opened.complaints.filter((text) => !expected.test(text))).toEqual([]);
      expect(opened.foreign).toEqual([]);
    },
  );

  it("are hidden on a narrow screen until the button Menu is used, and again after a page is chosen", async () => {
    const { page } = await open("admin", "/console/account");
    await page.setViewportSize({ width: 360, height: 740 });
    const button = page.getByRole("button", { name: "Menu" });
    const link = page.getByRole("link", { name: "Settings" });
    expect(await link.count()).toBe(0);
    await button.press("Enter");
    await link.waitFor();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    expect([await violationsOf(page), await overflowOf(page)]).toEqual([[], 0]);
    await link.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Settings" }).waitFor();
    await link.waitFor({ state: "detached" });
    expect(await button.getAttribute("aria-expanded")).toBe("false");
  });
});
