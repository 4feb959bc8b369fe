import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Locator, Page } from "playwright-core";

import type { Role } from "../../../models/auth/user.ts";
import { type SignedIn, signIn } from "../accounts/sign-in.ts";
import { unlimited } from "../accounts/unlimited.ts";
import { type ApiProcess, startApiProcess } from "../service/processes.ts";
import { startTestServer, type TestServer } from "../service/server.ts";
import { startBrowser } from "./browser.ts";
import { type ApiAnswer, callRoute } from "./call.ts";
import { collectPageErrors, overflowOf } from "./page-checks.ts";

export interface ConsolePage extends SignedIn {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
}

/** A site with a web process, and a browser that opens its console. */
export interface ConsoleSite {
  readonly server: TestServer;
  readonly web: ApiProcess;
  /** An administrator who calls the API without the console. */
  readonly admin: SignedIn;
  /** Opens a page of the console as a new user with this role. */
  open(role: Role, path: string, locale?: string): Promise<ConsolePage>;
  /** Opens a page of the console with a user's session. */
  openAs(user: SignedIn, path: string, locale?: string): Promise<ConsolePage>;
  /** Calls the API as the administrator. */
  as(route: string, body?: object): Promise<ApiAnswer>;
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * @param given a server that the caller stops
 * @param environment further variables of the web process
 */
export async function startConsoleSite(
  given?: TestServer,
  environment: NodeJS.ProcessEnv = {},
): Promise<ConsoleSite> {
  const server = given ?? (await startTestServer());
  const web = await startApiProcess(server.database, { ...unlimited, ...environment });
  const browser = await startBrowser();
  const admin = await signIn(server, { role: "admin" });
  const openAs = (user: SignedIn, path: string, locale = "en-GB") =>
    openPage(browser, { url: web.url, user, path, locale });
  return {
    server,
    web,
    admin,
    openAs,
    open: async (role, path, locale) => openAs(await signIn(server, { role }), path, locale),
    as: (route, body) =>
      callRoute(server, route, { headers: admin.headers, ...(body && { body }) }),
    closePages: async () => {
      for (const context of browser.contexts()) await context.close();
    },
    stop: async () => {
      await browser.close();
      await web.stop();
      if (!given) await server.stop();
    },
  };
}

interface Opening {
  readonly url: string;
  readonly user: SignedIn;
  readonly path: string;
  readonly locale: string;
}

async function openPage(
  browser: Browser,
  { url, user, path, locale }: Opening,
): Promise<ConsolePage> {
  const context = await browser.newContext({ locale });
  const [name = "", value = ""] = user.cookie.split("=");
  await context.addCookies([{ name, value, url }]);
  const page = await context.newPage();
  const complaints = await collectPageErrors(page);
  await page.goto(url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { ...user, page, context, complaints };
}

/** Returns the button with this name. A text must be the whole name. */
export const findButton = (within: Page | Locator, name: string | RegExp): Locator =>
  within.getByRole("button", { name, exact: true });

/** Waits until every part of the page has its data. */
export const waitUntilPageLoaded = (page: Page) =>
  page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });

/** Returns the violations of accessibility rules on the page, each with its elements. */
export const violationsOf = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ target }) => String(target)),
  ]);

export interface PageFaults {
  readonly path: string;
  readonly violations: unknown;
  /** Pixels by which the page is wider than a window of 360 pixels. */
  readonly overflow: number;
}

/**
 * Opens each address on a screen 360 pixels wide.
 * @returns the faults of the pages; empty if there are none
 */
export async function faultsOf(
  { page }: Pick<ConsolePage, "page">,
  url: string,
  paths: readonly string[],
): Promise<PageFaults[]> {
  const faults: PageFaults[] = [];
  await page.setViewportSize({ width: 360, height: 740 });
  for (const path of paths) {
    await page.goto(url + path);
    await page.getByRole("heading", { level: 1 }).waitFor();
    await waitUntilPageLoaded(page);
    const [violations, overflow] = [await violationsOf(page), await overflowOf(page)];
    if (violations.length > 0 || overflow > 0) faults.push({ path, violations, overflow });
  }
  return faults;
}
