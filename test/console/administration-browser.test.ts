import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { ageSessionCookie } from "../support/accounts/aged-session.ts";
import { waitUntil } from "../support/clock/wait.ts";
import { buildActivity } from "../support/factories/site.ts";
import { buildWebhookDelivery } from "../support/factories/webhooks.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type ConsoleSite,
  startConsoleSite,
  waitUntilPageLoaded,
  violationsOf,
} from "../support/http/console-site.ts";
import { overflowOf } from "../support/http/page-checks.ts";

let site: ConsoleSite;
let receiver: Server;
let receiverUrl: string;
const received: string[] = [];

beforeAll(async () => {
  receiver = createServer((request, response) => {
    request.resume();
    received.push(String(request.url));
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  receiverUrl = `${origin}/hook`;
  site = await startConsoleSite(undefined, { WEBHOOK_ALLOWED_ORIGINS: origin });
});
afterAll(async () => {
  await site?.stop();
  receiver?.close();
});
afterEach(() => site.closePages());

/** Calls the API of the web process, whose configuration differs from that of the test's own server. */
async function as<Body = Record<string, unknown>>(route: string, body?: object): Promise<Body> {
  const { headers } = site.admin;
  const answer = await callRoute(site.web, route, { headers, ...(body && { body }) });
  expect([route, answer.status < 300 ? "" : answer.text]).toEqual([route, ""]);
  return answer.body as Body;
}

/** Holds the answers to requests until the returned function is called. */
async function hold(page: Page, method: string, address: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/api/v1${address}`, async (route) => {
    if (route.request().method() === method) await promise;
    await route.continue();
  });
  return resolve;
}

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const save = (page: Page, form: string) =>
  page.getByRole("form", { name: form }).getByRole("button", { name: "Save" }).click();

describe("the page of settings", () => {
  interface Answer {
    readonly settings: Readonly<Record<string, boolean>>;
  }

  it("changes only the settings that the administrator changed", async () => {
    const { page } = await site.open("admin", "/console/settings");
    await page.getByLabel("Appeals").uncheck();
    await as("PUT /admin/settings", { registration_enabled: true });
    await save(page, "Settings");
    await page.getByText("The settings have been saved.").waitFor();
    const { settings } = await as<Answer>("GET /admin/settings");
    expect([settings["appeals_enabled"], settings["registration_enabled"]]).toEqual([false, true]);
    expect(await page.getByLabel("Registration").isChecked()).toBe(true);
    await as("PUT /admin/settings", { appeals_enabled: true, registration_enabled: false });
  });

  it("says why a second factor cannot be required yet", async () => {
    const { page } = await site.open("admin", "/console/settings");
    await page.getByLabel("Second factor for staff").check();
    await save(page, "Settings");
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Second factor for staff").isChecked()).toBe(true);
    const { settings } = await as<Answer>("GET /admin/settings");
    expect(settings["staff_second_factor_required"]).toBe(false);
  });

  it("switches the site to maintenance after a confirmation, with a message, and back to live", async () => {
    const { page } = await site.open("admin", "/console/settings");
    const mode = page.getByRole("form", { name: "Site mode" });
    await mode.getByLabel("Site mode").selectOption("maintenance");
    await mode.getByLabel("Message to everybody else").fill("Back at noon");
    await mode.getByRole("button", { name: "Change the mode" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change the mode" }).click();
    await page.getByText("The mode has been changed.").waitFor();
    const status = await as("GET /public/status");
    expect([status["site_mode"], status["status_message"]]).toEqual([
      "maintenance",
      "Back at noon",
    ]);
    await mode.getByLabel("Site mode").selectOption("live");
    await mode.getByRole("button", { name: "Change the mode" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Change the mode" }).click();
    await waitUntil(
      "the site is live",
      async () => (await as("GET /public/status"))["site_mode"] === "live",
    );
  });
});

describe("the site mode that another administrator changed meanwhile", () => {
  it("is shown in the confirmation dialog, and a cancellation keeps both the mode and the typed message", async () => {
    const { page } = await site.open("admin", "/console/settings");
    const mode = page.getByRole("form", { name: "Site mode" });
    await mode.getByLabel("Message to everybody else").fill("Back at noon");
    await as("PUT /admin/site-mode", { site_mode: "closed", status_message: "We move" });
    await mode.getByRole("button", { name: "Change the mode" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByText("It is now: Closed").waitFor();
    await dialog.getByText("The message is now: We move").waitFor();
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator("button:focus", { hasText: "Change the mode" }).waitFor();
    expect((await as("GET /public/status"))["site_mode"]).toBe("closed");
    expect(await mode.getByLabel("Message to everybody else").inputValue()).toBe("Back at noon");
    await as("PUT /admin/site-mode", { site_mode: "live" });
  });
});

describe("the page of visibility", () => {
  interface Config {
    readonly features: Readonly<
      Record<string, { audience: string; enabled: boolean; fieldRules: Record<string, string> }>
    >;
  }

  it("changes an audience and a field rule of the shard", async () => {
    const { page } = await site.open("admin", "/console/visibility");
    const market = page.getByRole("group", { name: "Market" });
    await market.getByLabel("Who sees it").selectOption("player");
    await market.getByLabel("Who sees the field: location").selectOption("staff");
    await save(page, "Shard");
    await page.getByText("The audiences have been saved.").waitFor();
    const { features } = await as<Config>("GET /admin/shard/visibility");
    expect([features["market"]?.audience, features["market"]?.fieldRules["location"]]).toEqual([
      "player",
      "staff",
    ]);
    await as("PUT /admin/shard/visibility", { features: { market: null } });
  });

  it("shows both versions if two administrators change audiences, and saves the changes of both", async () => {
    const { page } = await site.open("admin", "/console/visibility");
    await page
      .getByRole("group", { name: "Atlas" })
      .getByLabel("Who sees it")
      .selectOption("staff");
    await as("PUT /admin/shard/visibility", { features: { guilds: { audience: "admin" } } });
    await save(page, "Shard");
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.waitFor();
    expect(await versions.locator("td.added").allTextContents()).toEqual([
      "Atlas · Who sees it: Staff",
    ]);
    await page.getByRole("button", { name: "Keep my version and go on" }).click();
    await save(page, "Shard");
    await page.getByText("The audiences have been saved.").waitFor();
    const { features } = await as<Config>("GET /admin/shard/visibility");
    expect([features["atlas"]?.audience, features["guilds"]?.audience]).toEqual(["staff", "admin"]);
    await as("PUT /admin/shard/visibility", { features: { atlas: null, guilds: null } });
  });

  it("changes audiences of survival servers, and offers only staff and admins as audiences of positions", async () => {
    const { page } = await site.open("admin", "/console/visibility");
    const form = page.getByRole("form", { name: "Survival servers" });
    await form.getByLabel("Who is on a server").selectOption("logged_in");
    await form.getByLabel("Layer of the map: monuments").selectOption("player");
    const positions = form.getByLabel("Layer of the map: positions of players");
    expect(
      await positions
        .locator("option")
        .evaluateAll((all: readonly { value: string }[]) => all.map(({ value }) => value)),
    ).toEqual(["staff", "admin"]);
    await save(page, "Survival servers");
    await page.getByText("The audiences have been saved.").waitFor();
    const { presence, layers } = await as<{ presence: string; layers: { world: string } }>(
      "GET /admin/survival/visibility",
    );
    expect([presence, layers.world]).toEqual(["logged_in", "player"]);
  });
});

describe("the pages of sign-in providers", () => {
  interface Provider {
    readonly id: string;
    readonly name: string;
    readonly enabled: boolean;
    readonly hasSecret: boolean;
    readonly scopes: readonly string[];
  }
  const stored = async (id: string): Promise<Provider | undefined> =>
    (await as<Provider[]>("GET /admin/auth/providers")).find((one) => one.id === id);

  it("add a provider, show its health, check it again, change it and delete it", async () => {
    const { page } = await site.open("admin", "/console/providers");
    await page.getByRole("link", { name: "Add a provider" }).click();
    await page.getByLabel("Id", { exact: true }).fill("club");
    await page.getByLabel("Name").fill("Club ID");
    await page.getByLabel("Issuer").fill("https://issuer.invalid");
    await page.getByLabel("Client id").fill("guildhall");
    await page.getByLabel("Client secret").fill("a-secret");
    await page.getByRole("button", { name: "Add a provider" }).click();
    await heading(page, "Club ID").waitFor();
    const health = page.getByRole("region", { name: "Health" });
    await health.getByText("Not reachable, or not checked yet").waitFor();
    await health.getByText("/api/v1/auth/sso/club/callback").waitFor();
    await health.getByRole("button", { name: "Check again" }).click();
    await health.getByRole("button", { name: "Check again" }).waitFor();
    expect((await stored("club"))?.hasSecret).toBe(true);

    await page.getByLabel("People can sign in with this provider").uncheck();
    await page.getByLabel("Further scopes").fill("email profile");
    await save(page, "Change the provider");
    await page.getByText("The provider has been saved and checked.").waitFor();
    await health.getByText("Turned off").waitFor();
    const changed = await stored("club");
    expect([changed?.enabled, changed?.scopes, changed?.hasSecret]).toEqual([
      false,
      ["email", "profile"],
      true,
    ]);

    await page.getByRole("button", { name: "Delete the provider" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the provider" }).click();
    await heading(page, "Sign-in providers").waitFor();
    expect(await stored("club")).toBeUndefined();
  });

  it("do not open a new provider if the response to its creation arrives after the user left the form", async () => {
    const { page } = await site.open("admin", "/console/providers/new");
    await page.getByLabel("Id", { exact: true }).fill("late");
    await page.getByLabel("Name").fill("Late ID");
    await page.getByLabel("Issuer").fill("https://issuer.invalid");
    await page.getByLabel("Client id").fill("guildhall");
    const release = await hold(page, "POST", "/admin/auth/providers");
    const opened: string[] = [];
    page.on("framenavigated", (frame) => opened.push(new URL(frame.url()).pathname));
    await page.getByRole("button", { name: "Add a provider" }).click();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.getByRole("link", { name: "All sign-in providers" }).click();
    await heading(page, "Sign-in providers").waitFor();
    const answered = page.waitForResponse((answer) => answer.request().method() === "POST");
    release();
    await (await answered).finished();
    await page.getByRole("link", { name: "Webhooks" }).click();
    await heading(page, "Webhooks").waitFor();
    expect(opened).toEqual(["/console/providers", "/console/webhooks"]);
    await as("DELETE /admin/auth/providers/late");
  });

  it("do not offer to delete a built-in provider or to change its issuer", async () => {
    const { page } = await site.open("admin", "/console/providers/discord");
    await page.getByLabel("Client id").waitFor();
    expect(await page.getByLabel("Issuer").count()).toBe(0);
    expect(await page.getByRole("button", { name: "Delete the provider" }).count()).toBe(0);
  });
});

describe("the page of API tokens", () => {
  interface Tokens {
    readonly tokens: readonly { name: string; role: string; scopes: string[] }[];
  }

  it("creates a token, shows its secret once, and revokes the token", async () => {
    const { page } = await site.open("admin", "/console/tokens");
    await page.getByLabel("Name").fill("Town crier");
    await page.getByLabel("Role").selectOption("moderator");
    await page.getByLabel("Shard: read", { exact: true }).check();
    await page.getByLabel("Shard, for staff: change").check();
    await page.getByRole("form").getByRole("button", { name: "Create a token" }).click();
    const secret = await page.locator("code.secret").textContent();
    const headers = { authorization: `Bearer ${secret}` };
    expect((await callRoute(site.web, "GET /public/shard/features", { headers })).status).toBe(200);
    const { tokens } = await as<Tokens>("GET /admin/tokens");
    expect(tokens.find(({ name }) => name === "Town crier")).toMatchObject({
      role: "moderator",
      scopes: ["shard:read", "shard-staff:write"],
    });
    expect(await page.getByLabel("Name").inputValue()).toBe("");
    await page.reload();
    await page.getByRole("rowheader", { name: "Town crier" }).waitFor();
    expect(await page.locator("code.secret").count()).toBe(0);

    await page
      .getByRole("row", { name: /Town crier/ })
      .getByRole("button", { name: "Revoke the token" })
      .click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke the token" }).click();
    await page.getByRole("rowheader", { name: "Town crier" }).waitFor({ state: "detached" });
    expect((await as<Tokens>("GET /admin/tokens")).tokens).toEqual([]);
  });

  it("marks the scopes as missing if none is selected, and keeps the typed name", async () => {
    const { page } = await site.open("admin", "/console/tokens");
    await page.getByLabel("Name").fill("Nothing");
    await page.getByRole("form").getByRole("button", { name: "Create a token" }).click();
    await page.getByRole("group", { name: "Scopes" }).locator("p.bad").waitFor();
    expect(await page.getByLabel("Name").inputValue()).toBe("Nothing");
  });

  it("asks for the password if the sign-in is too old, and then creates the token", async () => {
    const { page, context, password } = await site.open("admin", "/console/tokens");
    const cookies = await context.cookies();
    const session = cookies.find(({ name }) => name === "session");
    const { cookie } = await ageSessionCookie(site.server, `session=${session?.value}`, 3_600);
    const value = cookie.slice("session=".length);
    await context.addCookies([{ name: "session", value, url: site.web.url }]);
    await page.getByLabel("Name").fill("Late");
    await page.getByLabel("Site: read").check();
    await page.getByRole("form").getByRole("button", { name: "Create a token" }).click();
    const dialog = page.getByRole("dialog", { name: "Confirm that it is you" });
    await dialog.getByLabel("Your password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("The token Late has been created.").waitFor();
    const { tokens } = await as<Tokens>("GET /admin/tokens");
    expect(tokens.map(({ name }) => name)).toEqual(["Late"]);
  });
});

describe("the pages of webhooks", () => {
  interface Webhooks {
    readonly webhooks: readonly { id: number; streams: string[]; enabled: boolean }[];
  }
  const create = async (): Promise<number> => {
    const body = { url: receiverUrl, streams: ["news.post"] };
    const made = await as<{ webhook: { id: number } }>("POST /admin/webhooks", body);
    return made.webhook.id;
  };
  const stored = async (id: number) =>
    (await as<Webhooks>("GET /admin/webhooks")).webhooks.find((one) => one.id === id);

  it("create a webhook with its secret, test it, change it and delete it", async () => {
    const { page } = await site.open("admin", "/console/webhooks");
    await page.getByRole("link", { name: "Create a webhook" }).click();
    await page.getByLabel("Address").fill(receiverUrl);
    await page.getByLabel("News posts").check();
    await page.getByRole("button", { name: "Create a webhook" }).click();
    expect(await page.locator("code.secret").textContent()).toMatch(/^whsec_/);
    await page.getByRole("link", { name: "Open the webhook" }).click();
    await heading(page, receiverUrl).waitFor();
    const id = Number(page.url().split("/").at(-1));

    await page.getByRole("button", { name: "Send a test message" }).click();
    await page.getByText("Delivered: the receiver answered 204.").waitFor();
    await page.getByRole("region", { name: "Deliveries" }).getByText("test").waitFor();
    expect(received).toContain("/hook");

    await page.getByLabel("Elections").check();
    await page.getByLabel("Turned on").uncheck();
    await save(page, "Change the webhook");
    await page.getByText("The webhook has been saved.").waitFor();
    expect(await stored(id)).toMatchObject({
      enabled: false,
      streams: ["news.post", "governor.election"],
    });

    await page.getByRole("button", { name: "Replace the secret" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Replace the secret" }).click();
    await page.getByText("The secret has been replaced.").waitFor();

    await page.getByRole("button", { name: "Delete the webhook" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the webhook" }).click();
    await heading(page, "Webhooks").waitFor();
    expect(await stored(id)).toBeUndefined();
  });

  it("keep an address that is typed during a save, even if somebody then deletes the webhook", async () => {
    const id = await create();
    const { page } = await site.open("admin", `/console/webhooks/${id}`);
    const address = page.getByLabel("Address");
    await page.getByLabel("Elections").check();
    const release = await hold(page, "PUT", `/admin/webhooks/${id}`);
    await save(page, "Change the webhook");
    await address.fill("https://typed.example/hook");
    release();
    await page.getByRole("button", { name: "Save" }).waitFor();
    expect((await stored(id))?.streams).toEqual(["news.post", "governor.election"]);
    expect(await address.inputValue()).toBe("https://typed.example/hook");
    expect(await page.getByText("The webhook has been saved.").count()).toBe(0);
    await as(`DELETE /admin/webhooks/${id}`);
    await save(page, "Change the webhook");
    await page.getByRole("form").getByText("Somebody may have deleted this.").waitFor();
    expect(await address.inputValue()).toBe("https://typed.example/hook");
  });

  it("show the log of deliveries and send failed ones again", async () => {
    const webhookId = await create();
    const failed = { webhookId, status: "failed" as const, attempts: 9, code: 503 };
    await buildWebhookDelivery(site.server, { ...failed, answer: "Out of order" });
    await buildWebhookDelivery(site.server, failed);
    const { page } = await site.open("admin", `/console/webhooks/${webhookId}`);
    const log = page.getByRole("region", { name: "Deliveries" });
    await log.getByText("Out of order").waitFor();
    await log.getByRole("button", { name: "Send again" }).first().click();
    await log.getByText("waiting").first().waitFor();
    await page.getByRole("button", { name: "Send all failed again" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Send all failed again" }).click();
    await log.getByText("failed").waitFor({ state: "detached" });
    const { deliveries } = await as<{ deliveries: { status: string }[] }>(
      `GET /admin/webhooks/${webhookId}/deliveries`,
    );
    expect(deliveries.map(({ status }) => status)).toEqual(["waiting", "waiting"]);
    await as(`DELETE /admin/webhooks/${webhookId}`);
  });
});

describe("the activity log in the console", () => {
  it("is filtered by action and user, and continues with older entries", async () => {
    const { userId } = site.admin;
    for (let at = 0; at < 55; at += 1) {
      await buildActivity(site.server, { action: "test.filtered", detail: { at } });
    }
    await buildActivity(site.server, { action: "test.other", actorId: userId });
    const { page } = await site.open("admin", "/console/activity?action=test.");
    await page.getByText("test.other").waitFor();
    await page.getByRole("button", { name: site.admin.username }).first().click();
    await page.getByText("test.filtered").first().waitFor({ state: "detached" });
    expect(page.url()).toContain(`actor=${userId}`);
    await page.goto(`${site.web.url}/console/activity?action=test.filtered`);
    await page.getByRole("row").nth(50).waitFor();
    expect(await page.getByRole("row").count()).toBe(51);
    await page.getByRole("button", { name: "Show more" }).click();
    await page.getByRole("row").nth(55).waitFor();
    expect(await page.getByRole("button", { name: "Show more" }).count()).toBe(0);
  });
});

describe("the activity log that cannot be read", () => {
  it("offers to try again", async () => {
    const { page } = await site.open("admin", "/console/settings");
    await page.route("**/api/v1/admin/activity*", (route) => route.fulfill({ status: 503 }), {
      times: 1,
    });
    await page.getByRole("link", { name: "Activity log" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByRole("table").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
  });
});

describe("the pages for administrators", () => {
  it.each(["en-GB", "de-DE"])(
    "meet the rules of accessibility and fit 360 pixels in the language %s",
    async (locale) => {
      const made = await as<{ webhook: { id: number } }>("POST /admin/webhooks", {
        url: `${receiverUrl}/${"verylongword".repeat(12)}`,
        streams: ["news.post", "server.status", "idoc.warning"],
      });
      const { id } = made.webhook;
      await buildWebhookDelivery(site.server, { webhookId: id, answer: "x".repeat(300) });
      const { page, complaints } = await site.open("admin", "/console/account", locale);
      await page.setViewportSize({ width: 360, height: 700 });
      const addresses = [
        "settings",
        "visibility",
        "providers",
        "providers/new",
        "providers/discord",
        "tokens",
        "webhooks",
        "webhooks/new",
        `webhooks/${id}`,
        "activity",
      ];
      for (const address of addresses) {
        await page.goto(`${site.web.url}/console/${address}`);
        await page.getByRole("heading", { level: 1 }).waitFor();
        await waitUntilPageLoaded(page);
        expect([address, await violationsOf(page), await overflowOf(page)]).toEqual([
          address,
          [],
          0,
        ]);
      }
      expect(complaints).toEqual([]);
      await as(`DELETE /admin/webhooks/${id}`);
    },
  );

  it.each(["settings", "visibility", "providers", "tokens", "webhooks", "activity"])(
    "are not shown to an editor: %s",
    async (name) => {
      const { page } = await site.open("editor", `/console/${name}`);
      await page.getByText("Your role does not include this page.").waitFor();
      const link = page.getByRole("navigation").locator(`a[href="/console/${name}"]`);
      expect(await link.count()).toBe(0);
    },
  );
});
