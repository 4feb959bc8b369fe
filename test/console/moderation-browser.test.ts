import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { signIn } from "../support/accounts/sign-in.ts";
import { callRoute } from "../support/http/call.ts";
import { type ConsoleSite, faultsOf, startConsoleSite } from "../support/http/console-site.ts";
import {
  findReceivedCommands,
  type LinkedShard,
  startLinkedShard,
} from "../support/shard/linked-shard.ts";

let shard: LinkedShard;
let site: ConsoleSite;
beforeAll(async () => {
  shard = await startLinkedShard();
  site = await startConsoleSite(shard.server);
});
afterEach(async () => {
  shard.simulator.faults.clear();
  await site.closePages();
});
afterAll(async () => {
  await site.stop();
  await shard.stop();
});

/** Opens a help page in the game. @returns its id and its sender's name */
function openHelpPage(message: string): { readonly id: string; readonly name: string } {
  const { world } = shard.simulator;
  const asking = new Set(world.pages.values().map(({ sender: one }) => one));
  const sender = world.online.values().find((one) => !asking.has(one));
  if (!sender) throw new Error("every character has a help page");
  const id = `test-${world.pages.size}-${message.length}`;
  const { place, name } = sender;
  const given = { type: "Stuck", sentAt: Date.now(), handler: null, responses: [] } as const;
  world.pages.set(id, { id, sender, message, place, ...given, responses: [] });
  return { id, name };
}

const usedAccounts = new Set<string>();
/** Returns a game account of a player that no other test uses. */
function freshAccount(): string {
  const { accounts } = shard.simulator.world;
  const free = accounts
    .values()
    .find(({ name, access }) => access === "Player" && !usedAccounts.has(name));
  if (!free) throw new Error("the small world has no more accounts");
  usedAccounts.add(free.name);
  return free.name;
}

const path = (tab: string) => `/console/moderation?tab=${tab}`;

describe("the pages of the moderation", () => {
  it.each([
    ["moderator", "en-GB"],
    ["admin", "de-DE"],
  ] as const)(
    "have no accessibility violation and fit a phone for the role %s in the language %s",
    async (role, locale) => {
      openHelpPage("I am stuck in a wall");
      const opened = await site.open(role, "/console", locale);
      const paths = ["/console/moderation", path("players"), path("broadcast"), path("log")];
      expect(await faultsOf(opened, site.web.url, paths)).toEqual([]);
      expect(opened.complaints).toEqual([]);
    },
  );

  it("are refused to editors", async () => {
    const { page } = await site.open("editor", "/console/moderation");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
  });
});

describe("a help page", () => {
  it("is answered and closed", async () => {
    const { id, name } = openHelpPage("My pet vanished");
    const { page } = await site.open("moderator", "/console/moderation");
    const card = page.getByRole("region", { name: `Help page of ${name}` });
    await card.getByLabel("Answer", { exact: true }).fill("I moved you to the gate.");
    await card.getByRole("button", { name: "Send the answer" }).click();
    await page.getByText(`${name} has received your answer.`).waitFor();
    expect(shard.simulator.world.pages.get(id)?.responses.at(-1)?.message).toBe(
      "I moved you to the gate.",
    );
    await card.getByRole("button", { name: "Close the help page without an answer" }).click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: "Close the help page without" })
      .click();
    await page.getByText(`The help page of ${name} is closed.`).waitFor();
    expect(shard.simulator.world.pages.has(id)).toBe(false);
  });

  it("that somebody else closes meanwhile keeps the typed answer", async () => {
    const { id, name } = openHelpPage("Who is online?");
    const { page } = await site.open("moderator", "/console/moderation");
    const card = page.getByRole("region", { name: `Help page of ${name}` });
    await card.getByLabel("Answer", { exact: true }).fill("A typed answer");
    await site.as(`POST /admin/shard/pages/${id}/close`);
    await card.getByRole("button", { name: "Send the answer" }).click();
    await card.getByText("has been closed meanwhile").waitFor();
    expect(await card.getByLabel("Answer", { exact: true }).inputValue()).toBe("A typed answer");
    await card.getByRole("button", { name: "Discard the text" }).click();
    await card.waitFor({ state: "detached" });
  });

  it("keeps its typed answer if another help page with a typed answer is closed, too", async () => {
    const opened = [openHelpPage("A wall"), openHelpPage("A deep pit")];
    const { page } = await site.open("moderator", "/console/moderation");
    for (const { name } of opened) {
      const card = page.getByRole("region", { name: `Help page of ${name}` });
      await card.getByLabel("Answer", { exact: true }).fill(`Answer to ${name}`);
    }
    for (const { id } of opened) await site.as(`POST /admin/shard/pages/${id}/close`);
    const first = page.getByRole("region", { name: `Help page of ${opened[0]?.name}` });
    await first.getByRole("button", { name: "Send the answer" }).click();
    await page.getByText("has been closed meanwhile").nth(1).waitFor();
    for (const { name } of opened) {
      const card = page.getByRole("region", { name: `Help page of ${name}` });
      expect(await card.getByLabel("Answer", { exact: true }).inputValue()).toContain(name);
    }
  });
});

describe("a game account", () => {
  it("is banned with a length and a reason, and the ban is lifted", async () => {
    const account = freshAccount();
    const { page } = await site.open("moderator", path("players"));
    await page.getByLabel("Game account").fill(account);
    await page.getByLabel("Length of the ban").selectOption("3600");
    await page.getByLabel("Reason").fill("Speed hack");
    await page.getByRole("button", { name: "Ban", exact: true }).click();
    await page.getByText(`${account} is banned until`).waitFor();
    expect(shard.account(account).ban?.reason).toContain("Speed hack");
    await page.getByLabel("Command").selectOption("unban");
    await page.getByRole("button", { name: "Lift the ban" }).click();
    await page.getByText(`The ban of ${account} has been lifted.`).waitFor();
    expect(shard.account(account).ban).toBeNull();
  });

  it("is kicked by the serial of a character", async () => {
    const character = shard.simulator.world.online.values()[0];
    if (!character) throw new Error("nobody is online");
    const { page } = await site.open("moderator", path("players"));
    await page.getByLabel("Command").selectOption("kick");
    await page.getByLabel("Serial of a character").fill(character.serial);
    await page.getByRole("button", { name: "Kick" }).click();
    await page.getByText("been disconnected").waitFor();
    expect(shard.simulator.world.online.has(character.serial)).toBe(false);
  });

  it("cannot be banned by the user to whom it is linked, and the page says why", async () => {
    const account = freshAccount();
    const moderator = await signIn(shard.server, { role: "moderator" });
    await shard.link(moderator, account);
    const { page } = await site.openAs(moderator, `${path("players")}&account=${account}`);
    await page.getByRole("button", { name: "Ban", exact: true }).click();
    await page.getByText("another member of staff must do it").waitFor();
    expect(shard.account(account).ban).toBeNull();
  });

  it("is unlinked by an administrator on the page of its user", async () => {
    const account = freshAccount();
    const player = await signIn(shard.server);
    await shard.link(player, account);
    const { page } = await site.open("admin", `/console/people/${player.userId}?tab=game`);
    await page.getByRole("link", { name: account }).waitFor();
    await page.getByRole("button", { name: "Remove the link" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove the link" }).click();
    await page.getByText("No game account is linked.").waitFor();
    expect(shard.simulator.world.links.has(account.toLowerCase())).toBe(false);
  });
});

describe("a message to all players", () => {
  it("is sent once, and the page shows how many characters in the game received it", async () => {
    const { page } = await site.open("moderator", path("broadcast"));
    await page.getByLabel("Text").fill("The arena opens in ten minutes.");
    await page.getByRole("button", { name: "Send to all players" }).click();
    await page.getByText(/The text has been sent to \d+ characters?\./).waitFor();
    expect(findReceivedCommands(shard, "/v1/broadcast")).toHaveLength(1);
    expect(await page.getByLabel("Text").inputValue()).toBe("");
  });

  it("keeps its text if the shard does not answer", async () => {
    shard.simulator.faults.trigger("status", { path: "/v1/broadcast", status: 503, code: "BUSY" });
    const { page } = await site.open("moderator", path("broadcast"));
    await page.getByLabel("Text").fill("A typed text");
    await page.getByRole("button", { name: "Send to all players" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Text").inputValue()).toBe("A typed text");
    await page.getByRole("button", { name: "Send to all players" }).click();
    await page.getByText("The text has been sent").waitFor();
    const keys = findReceivedCommands(shard, "/v1/broadcast").map(({ key }) => key);
    expect(new Set(keys.slice(-2)).size).toBe(1);
  });
});

describe("the log of the game", () => {
  it("is shown to moderators", async () => {
    const { page } = await site.open("moderator", path("log"));
    const { headers } = await signIn(shard.server, { role: "moderator" });
    expect((await callRoute(shard.server, "GET /admin/shard/audit", { headers })).body).toEqual([]);
    await page.getByText("Nothing is recorded.").waitFor();
  });
});
