import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import { type SignedIn, signIn } from "../support/accounts/sign-in.ts";
import { buildAppeal } from "../support/factories/site.ts";
import { callRoute } from "../support/http/call.ts";
import {
  type ConsolePage,
  type ConsoleSite,
  faultsOf,
  startConsoleSite,
} from "../support/http/console-site.ts";

let site: ConsoleSite;
let colleague: SignedIn;
beforeAll(async () => {
  site = await startConsoleSite();
  colleague = await signIn(site.server, { role: "moderator" });
});
afterEach(() => site.closePages());
afterAll(() => site.stop());

let made = 0;
/** Inserts an open appeal of a new player. */
async function openAppeal() {
  made += 1;
  const player = await signIn(site.server);
  const { id } = await buildAppeal(site.server, {
    userId: player.userId,
    account: `account-${made}`,
    reason: "I was fishing by hand, and can prove it.",
  });
  return { id, player, path: `/console/appeals/${id}` };
}

interface Stored {
  readonly state: string;
  readonly decision_note: string | null;
  readonly assignee: { readonly id: number } | null;
}

const stateOf = async (id: number) => {
  const { body } = await site.as(`GET /admin/appeals/${id}`);
  return (body as { appeal: Stored }).appeal;
};

const writeAsColleague = (id: number, body: object) =>
  callRoute(site.server, `POST /admin/appeals/${id}/messages`, {
    headers: colleague.headers,
    body,
  });

const decideAsColleague = (id: number) =>
  callRoute(site.server, `POST /admin/appeals/${id}/decision`, {
    headers: colleague.headers,
    body: { outcome: "rejected", note: "The video shows a macro." },
  });

/** Chooses an outcome, types the reason and confirms both. */
async function decide({ page }: Pick<ConsolePage, "page">, outcome: string, reason: string) {
  await page.getByLabel(outcome, { exact: true }).check();
  await page.getByLabel("Reason", { exact: true }).fill(reason);
  await page.getByRole("button", { name: "Decide …" }).click();
}

const confirmDecision = ({ page }: Pick<ConsolePage, "page">) =>
  page.getByRole("dialog").getByRole("button", { name: "Decide finally" }).click();

describe("the pages of appeals", () => {
  it.each([
    ["moderator", "en-GB"],
    ["admin", "de-DE"],
  ] as const)(
    "have no accessibility violation and fit a phone for the role %s in the language %s",
    async (role, locale) => {
      const { id, path } = await openAppeal();
      await writeAsColleague(id, { body: "Seen by two of us.", internal: true });
      const opened = await site.open(role, "/console", locale);
      const paths = ["/console/appeals", "/console/appeals?state=withdrawn", path];
      expect(await faultsOf(opened, site.web.url, paths)).toEqual([]);
      expect(opened.complaints).toEqual([]);
    },
  );

  it("are refused to editors", async () => {
    const { page } = await site.open("editor", "/console/appeals");
    expect(await page.getByRole("heading", { level: 1 }).textContent()).toBe(
      "Your role does not include this page.",
    );
  });
});

describe("the list of appeals", () => {
  it("shows the appeals in one state and those that the person handles", async () => {
    const [mine, other] = [await openAppeal(), await openAppeal()];
    await decideAsColleague(other.id);
    const { page, headers } = await site.open("moderator", "/console/appeals");
    const body = { assign: true };
    await callRoute(site.server, `POST /admin/appeals/${mine.id}/messages`, { headers, body });
    const linkTo = (path: string) => page.locator(`a[href="${path}"]`);
    await page.getByLabel("State").selectOption("rejected");
    await linkTo(other.path).waitFor();
    expect(await linkTo(mine.path).count()).toBe(0);
    await page.getByLabel("State").selectOption("");
    await page.getByLabel("Handled by").selectOption({ label: "Me" });
    await linkTo(mine.path).waitFor();
    await linkTo(other.path).waitFor({ state: "detached" });
    await linkTo(mine.path).click();
    await page.getByText("You handle this appeal.").waitFor();
  });
});

describe("an appeal", () => {
  it("takes a message that the player reads and a note that only staff read", async () => {
    const { id, player, path } = await openAppeal();
    const { page } = await site.open("moderator", path);
    await page.getByLabel("Text").fill("Please send us the video.");
    await page.getByRole("button", { name: "Send the text" }).click();
    await page.getByText("Your text has been added.").waitFor();
    await page.getByLabel("Text").fill("I know this player.");
    await page.getByLabel("Note that only staff can read").check();
    await page.getByRole("button", { name: "Send the text" }).click();
    await page.getByText("Note for staff").waitFor();
    const { headers } = player;
    const { text } = await callRoute(site.server, `GET /player/appeals/${id}`, { headers });
    expect(text).toContain("Please send us the video.");
    expect(text).not.toContain("I know this player.");
  });

  it("is rejected after a dialog that says that the player cannot appeal again", async () => {
    const { id, path } = await openAppeal();
    const opened = await site.open("moderator", path);
    await decide(opened, "Reject", "The video shows a macro.");
    await opened.page.getByRole("dialog").getByText("cannot appeal against it again").waitFor();
    await confirmDecision(opened);
    await opened.page.getByText("Reason for the decision").waitFor();
    expect(await stateOf(id)).toMatchObject({
      state: "rejected",
      decision_note: "The video shows a macro.",
    });
    expect(await opened.page.getByRole("button", { name: "Decide …" }).count()).toBe(0);
  });

  it("is accepted, and the page shows how the unban proceeds", async () => {
    const { id, path } = await openAppeal();
    const opened = await site.open("admin", path);
    await decide(opened, "Accept", "It was a mistake of ours.");
    await opened.page.getByRole("dialog").getByText("the site lifts the ban").waitFor();
    await confirmDecision(opened);
    // No worker runs, so that the unban stays in its queue.
    await opened.page.getByText("The shard has not lifted the ban yet.").waitFor();
    expect((await stateOf(id)).state).toBe("accepted");
  });

  it("is not decided while a new message is unread, and keeps the typed reason", async () => {
    const { id, path } = await openAppeal();
    const opened = await site.open("moderator", path);
    await decide(opened, "Reject", "A typed reason");
    await writeAsColleague(id, { body: "Wait, I found the video.", internal: true });
    await confirmDecision(opened);
    const { page } = opened;
    await page.getByText("Somebody wrote in the appeal after you read it").waitFor();
    await page.getByText("Wait, I found the video.").waitFor();
    expect(await page.getByLabel("Reason", { exact: true }).inputValue()).toBe("A typed reason");
    expect((await stateOf(id)).state).toBe("assigned");
    await page.getByText(`was added (${colleague.username})`).waitFor();
    await page.getByRole("button", { name: "I have read this" }).click();
    await page.getByRole("button", { name: "Decide …" }).click();
    await confirmDecision(opened);
    await page.getByText("Reason for the decision").waitFor();
    expect((await stateOf(id)).state).toBe("rejected");
  });

  it("keeps the typed reason if somebody else decides it meanwhile", async () => {
    const { id, path } = await openAppeal();
    const opened = await site.open("moderator", path);
    const { page } = opened;
    await decide(opened, "Accept", "A typed reason");
    await decideAsColleague(id);
    await confirmDecision(opened);
    await page.getByText("Your text is still here.").waitFor();
    expect(await page.getByLabel("Reason", { exact: true }).inputValue()).toBe("A typed reason");
    expect(await stateOf(id)).toMatchObject({
      state: "rejected",
      decision_note: "The video shows a macro.",
    });
    await page.getByRole("button", { name: "Discard the text" }).click();
    expect(await page.getByLabel("Reason", { exact: true }).count()).toBe(0);
  });

  it("is taken over from another member of staff", async () => {
    const { id, path } = await openAppeal();
    await writeAsColleague(id, { assign: true });
    const { page, userId } = await site.open("moderator", path);
    await page.getByText(`${colleague.username} handles this appeal.`).waitFor();
    await page.getByRole("button", { name: "Take over the appeal" }).click();
    await page.getByText("You handle this appeal.").waitFor();
    expect((await stateOf(id)).assignee?.id).toBe(userId);
  });

  it("is not decided by the moderator who issued the ban", async () => {
    const { id, path } = await openAppeal();
    const issuer = await signIn(site.server, { role: "moderator" });
    const { Appeal, Punishment } = site.server.context.models;
    const { punishmentId } = await Appeal.findByPk(id, { rejectOnEmpty: true });
    await Punishment.update({ issuedBy: issuer.userId }, { where: { id: punishmentId } });
    const { page } = await site.openAs(issuer, path);
    await page.getByText("You issued this ban").waitFor();
    expect(await page.getByRole("button", { name: "Decide …" }).count()).toBe(0);
  });

  it("is not decided by its owner", async () => {
    const owner = await signIn(site.server, { role: "moderator" });
    const { id } = await buildAppeal(site.server, { userId: owner.userId, account: "owned" });
    const { page } = await site.openAs(owner, `/console/appeals/${id}`);
    await page.getByText("You opened this appeal").waitFor();
    expect(await page.getByRole("button", { name: "Decide …" }).count()).toBe(0);
  });
});
