import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { addProvider } from "../provider/add-provider.ts";
import { IdentityProvider } from "../provider/identity-provider.ts";
import { codeOf, createEnrolledUser, forgetSteps } from "../support/accounts/second-factor.ts";
import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { startBrowser } from "../support/http/browser.ts";
import { callRoute } from "../support/http/call.ts";
import { findLowContrastTexts, overflowOf } from "../support/http/page-checks.ts";
import { takeFreePort } from "../support/network/ports.ts";
import { ChildProgram } from "../support/service/own-process.ts";
import { type ApiProcess, startApiProcess } from "../support/service/processes.ts";
import { startTestServer, type TestServer } from "../support/service/server.ts";

let provider: IdentityProvider;
let server: TestServer;
let api: ApiProcess;
let pages: ChildProgram;
let browser: Browser;
let admin: SignedIn;
/** The address at which the demo serves the pages and forwards API calls. */
let site: string;

beforeAll(async () => {
  const port = await takeFreePort();
  site = `http://localhost:${port}`;
  const callbackUrls = [`${site}/api/v1/auth/sso/harbour/callback`];
  provider = await IdentityProvider.start({ callbackUrls, accounts: ["robin", "maple"] });
  const environment = { OIDC_ALLOW_INSECURE: "true", PUBLIC_BASE_URL: site };
  server = await startTestServer({ environment });
  api = await startApiProcess(server.database, environment);
  pages = new ChildProgram({
    name: "page",
    file: "test/demo/serve-page.ts",
    arguments: ["--host=127.0.0.1", `--port=${port}`, `--api=${api.url}`],
    environment: {},
    readyAt: `${site}/`,
  });
  await pages.start();
  admin = await signIn(server, { role: "admin" });
  await addProvider(server, admin, "harbour", provider);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await pages?.stop();
  await api?.stop();
  await server?.stop();
  await provider?.stop();
});

/** Links an account at the provider to the user. */
async function linkIdentityTo(user: SignedIn, subject: string): Promise<SignedIn> {
  const { Identity } = server.context.models;
  await Identity.destroy({ where: { providerId: "harbour", subject } });
  await Identity.create({
    userId: user.userId,
    providerId: "harbour",
    providerName: "Harbour",
    issuer: provider.issuer,
    subject,
  });
  return user;
}

async function visit(context: BrowserContext, path = "/account"): Promise<Page> {
  const page = await context.newPage();
  await page.goto(site + path);
  await page.locator("#ways li, #code:not([hidden])").first().waitFor();
  return page;
}

/** Goes to the provider, chooses the account and returns. */
async function signInAs(page: Page, account: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
  await page.getByRole("link", { name: `Sign in as ${account}` }).click();
  await page.waitForURL(`${site}/**`);
  await page.locator("#ways li, #code:not([hidden])").first().waitFor();
}

const readSignedInUser = (page: Page) => page.locator("#who").textContent();
const readMessage = (page: Page) => page.locator("#told").textContent();

/** Saves a screenshot to the folder of SCREENSHOTS, if it is set. */
async function saveScreenshot(page: Page, name: string): Promise<void> {
  const folder = process.env["SCREENSHOTS"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

describe("a browser that signs in at a provider", () => {
  it("goes to the provider and comes back signed in, with a session cookie that scripts cannot read", async () => {
    const user = await linkIdentityTo(await signIn(server), "robin");
    const context = await browser.newContext();
    const page = await visit(context);
    await saveScreenshot(page, "1-signed-out");
    await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    await page.getByRole("heading", { name: "Harbour ID" }).waitFor();
    expect(new URL(page.url()).origin).toBe(provider.issuer);
    await saveScreenshot(page, "2-provider");
    await page.getByRole("link", { name: "Sign in as robin" }).click();
    await page.waitForURL(`${site}/account`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    await saveScreenshot(page, "3-signed-in");
    expect(await readSignedInUser(page)).toBe(`Signed in as ${user.username} (player).`);
    expect(await page.evaluate("document.cookie")).toBe("");
    const cookies = await context.cookies(site);
    expect(cookies.find(({ name }) => name === "session")).toMatchObject({
      httpOnly: true,
      sameSite: "Lax",
      path: "/",
    });
    await context.close();
  });

  it("sees an error page if it opens the callback of a completed sign-in, and stays signed in", async () => {
    const user = await linkIdentityTo(await signIn(server), "robin");
    const context = await browser.newContext();
    const page = await visit(context);
    let callback = "";
    page.on("request", (request) => {
      if (request.url().includes("/callback?")) callback = request.url();
    });
    await signInAs(page, "robin");
    await page.goBack();
    await page.goForward();
    const answer = await page.goto(callback);
    expect(answer?.status()).toBe(400);
    await page.getByRole("heading", { name: "The sign-in ends here" }).waitFor();
    await saveScreenshot(page, "4-over");
    expect(await page.locator("main p").first().textContent()).toBe(
      "This sign-in has ended: it was already completed, took too long, or began in another browser.",
    );
    const again = await visit(context);
    expect(await readSignedInUser(again)).toBe(`Signed in as ${user.username} (player).`);
    await context.close();
  });

  it("finishes the sign-ins of two tabs in either order", async () => {
    const user = await linkIdentityTo(await signIn(server), "robin");
    for (const isReversed of [false, true]) {
      const context = await browser.newContext();
      const tabs = [await visit(context), await visit(context)];
      for (const tab of tabs) {
        await tab.getByRole("link", { name: "Sign in with Provider harbour" }).click();
        await tab.getByRole("heading", { name: "Harbour ID" }).waitFor();
      }
      for (const tab of isReversed ? tabs.toReversed() : tabs) {
        await tab.getByRole("link", { name: "Sign in as robin" }).click();
        await tab.waitForURL(`${site}/account`);
        await tab.getByRole("button", { name: "Sign out" }).waitFor();
        expect(await readSignedInUser(tab)).toBe(`Signed in as ${user.username} (player).`);
      }
      await context.close();
    }
  });

  it("links an account at the user's click, and then signs in with it", async () => {
    const user = await signIn(server);
    await server.context.models.Identity.destroy({ where: { subject: "maple" } });
    const context = await browser.newContext();
    const value = user.cookie.slice("session=".length);
    await context.addCookies([{ name: "session", value, url: site }]);
    const page = await visit(context);
    await page.getByRole("button", { name: "Link Provider harbour" }).click();
    await page.getByRole("link", { name: "Sign in as maple" }).click();
    await page.waitForURL(`${site}/account?linked=harbour`);
    await page.getByRole("button", { name: "Unlink Provider harbour" }).waitFor();
    await saveScreenshot(page, "5-linked");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Nobody is signed in.").waitFor();
    // The provider still has the user's session, as on a shared computer.
    await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    await page.waitForURL(`${site}/account`);
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await readSignedInUser(page)).toBe(`Signed in as ${user.username} (player).`);
    await context.close();
  });

  it("asks for the second factor if the user has one", async () => {
    const user = await createEnrolledUser(server);
    await linkIdentityTo(user, "robin");
    await forgetSteps(server, user.userId);
    const context = await browser.newContext();
    const page = await visit(context);
    await signInAs(page, "robin");
    expect(page.url()).toBe(`${site}/login?sso=totp&returnTo=%2Faccount`);
    await saveScreenshot(page, "6-second-factor");
    await page.getByLabel("Code of your authenticator app").fill(codeOf(user.secret));
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await readSignedInUser(page)).toBe(`Signed in as ${user.username} (player).`);
    await context.close();
  });

  it("is redirected neither to another site nor to a javascript: URL by the second factor's page", async () => {
    const user = await createEnrolledUser(server);
    await linkIdentityTo(user, "robin");
    for (const returnTo of [
      "https://evil.example/",
      "//evil.example/",
      "/\\evil.example/",
      "javascript:document.body.remove()",
    ]) {
      await forgetSteps(server, user.userId);
      const context = await browser.newContext();
      await signInAs(await visit(context), "robin");
      const page = await visit(context, `/login?sso=totp&returnTo=${encodeURIComponent(returnTo)}`);
      await page.getByLabel("Code of your authenticator app").fill(codeOf(user.secret));
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByRole("button", { name: "Sign out" }).waitFor();
      expect([returnTo, page.url()]).toEqual([returnTo, `${site}/account`]);
      await context.close();
    }
  });

  it("shows a message for a declined sign-in and for an account that is not linked", async () => {
    await server.context.models.Identity.destroy({ where: { subject: "maple" } });
    const context = await browser.newContext();
    const page = await visit(context);
    await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    await page.getByRole("link", { name: "Decline" }).click();
    await page.waitForURL(`${site}/login?error=sso_denied`);
    await page.getByText("You declined at the provider.").waitFor();
    await signInAs(page, "maple");
    expect(page.url()).toBe(`${site}/login?error=sso_not_linked`);
    expect(await readMessage(page)).toMatch(/^That account is linked to nobody here/);
    await saveScreenshot(page, "7-not-linked");
    await context.close();
  });

  it("shows a message if the provider is disabled or fails, and can sign in afterward", async () => {
    const user = await linkIdentityTo(await signIn(server), "robin");
    const change = (body: object) =>
      callRoute(server, "PUT /admin/auth/providers/harbour", { headers: admin.headers, body });
    const { clientSecret } = provider;
    const finalMessage = async (page: Page) => {
      await page.getByRole("heading", { name: "The sign-in ends here" }).waitFor();
      return page.locator("main p").first().textContent();
    };
    const context = await browser.newContext();
    const away = await visit(context);
    await away.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    await change({ enabled: false });
    await away.getByRole("link", { name: "Sign in as robin" }).click();
    expect(await finalMessage(away)).toBe("This sign-in provider is not available at the moment.");
    await change({ enabled: true, issuer: "http://127.0.0.1:1", clientSecret });
    const page = await visit(context);
    await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    expect(await finalMessage(page)).toBe(
      "The sign-in provider failed. Try again in a moment, or use another way to sign in.",
    );
    await saveScreenshot(page, "8-failed");
    await change({ issuer: provider.issuer, clientSecret });
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("link", { name: "Sign in with Provider harbour" }).click();
    await page.getByRole("button", { name: "Sign out" }).waitFor();
    expect(await readSignedInUser(page)).toBe(`Signed in as ${user.username} (player).`);
    await context.close();
  });

  it("lets the next user of a shared computer choose another account", async () => {
    const [one, two] = [
      await linkIdentityTo(await signIn(server), "robin"),
      await linkIdentityTo(await signIn(server), "maple"),
    ];
    const context = await browser.newContext();
    const page = await visit(context);
    await signInAs(page, "robin");
    expect(await readSignedInUser(page)).toBe(`Signed in as ${one.username} (player).`);
    const other = await visit(context);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Nobody is signed in.").waitFor();
    await other.reload();
    await other.getByText("Nobody is signed in.").waitFor();
    // End the first user's session at the provider too.
    await context.clearCookies({ domain: "localhost" });
    await signInAs(page, "maple");
    await other.reload();
    await other.getByRole("button", { name: "Sign out" }).waitFor();
    for (const tab of [page, other]) {
      expect(await readSignedInUser(tab)).toBe(`Signed in as ${two.username} (player).`);
    }
    await context.close();
  });

  it("shows readable pages in light and dark mode and in a narrow window", async () => {
    for (const colorScheme of ["light", "dark"] as const) {
      for (const width of [380, 1_280]) {
        const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } });
        const page = await visit(context);
        const seen = [await findLowContrastTexts(page), await overflowOf(page)];
        await saveScreenshot(page, `account-${colorScheme}-${width}`);
        await page.goto(`${site}/api/v1/auth/sso/nowhere/start`);
        seen.push(await findLowContrastTexts(page), await overflowOf(page));
        await saveScreenshot(page, `ended-${colorScheme}-${width}`);
        expect([colorScheme, width, seen]).toEqual([colorScheme, width, [[], 0, [], 0]]);
        await context.close();
      }
    }
  });
});
