import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, BrowserContext, Page } from "playwright-core";

import type { Role } from "../../../models/auth/user.ts";
import { createTestUser, type SignedIn, signIn, type TestUser } from "../accounts/sign-in.ts";
import { unlimited } from "../accounts/unlimited.ts";
import { type ApiProcess, startApiProcess } from "../service/processes.ts";
import { startTestServer, type TestServer } from "../service/server.ts";
import { startBrowser } from "./browser.ts";
import { type Answered, call } from "./call.ts";
import { listenForComplaints } from "./page-checks.ts";

export interface ConsolePage extends TestUser {
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
  /** Calls the API as the administrator. */
  as(route: string, body?: object): Promise<Answered>;
  closePages(): Promise<void>;
  stop(): Promise<void>;
}

/** @param environment further variables of the web process */
export async function startConsoleSite(environment: NodeJS.ProcessEnv = {}): Promise<ConsoleSite> {
  const server = await startTestServer();
  const web = await startApiProcess(server.database, { ...unlimited, ...environment });
  const browser = await startBrowser();
  const admin = await signIn(server, { role: "admin" });
  return {
    server,
    web,
    admin,
    open: async (role, path, locale = "en-GB") => {
      const user = await createTestUser(server, { role });
      return openPage({ browser, url: web.url, user, path, locale });
    },
    as: (route, body) => call(server, route, { headers: admin.headers, ...(body && { body }) }),
    closePages: async () => {
      for (const context of browser.contexts()) await context.close();
    },
    stop: async () => {
      await browser.close();
      await web.stop();
      await server.stop();
    },
  };
}

async function openPage({
  browser,
  url,
  user,
  path,
  locale,
}: {
  readonly browser: Browser;
  readonly url: string;
  readonly user: TestUser;
  readonly path: string;
  readonly locale: string;
}): Promise<ConsolePage> {
  const context = await browser.newContext({ locale });
  const { username, password } = user;
  const data = { username, password };
  const answer = await context.request.post(`${url}/api/v1/auth/login`, { data });
  if (!answer.ok()) throw new Error(`login answered ${answer.status()}`);
  const page = await context.newPage();
  const complaints = await listenForComplaints(page);
  await page.goto(url + path);
  await page.getByRole("heading", { level: 1 }).waitFor();
  return { ...user, page, context, complaints };
}

/** Waits until every part of the page has its data. */
export const untilLoaded = (page: Page) =>
  page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });

/** Returns the violations of accessibility rules on the page, each with its elements. */
export const violationsOf = async (page: Page) =>
  (await new AxeBuilder({ page }).analyze()).violations.map(({ id, nodes }) => [
    id,
    nodes.map(({ target }) => String(target)),
  ]);
