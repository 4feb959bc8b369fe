import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";

import {
  type ConsoleSite,
  startConsoleSite,
  waitUntilPageLoaded,
  violationsOf,
} from "../support/http/console-site.ts";
import { overflowOf } from "../support/http/page-checks.ts";

let site: ConsoleSite;
beforeAll(async () => {
  site = await startConsoleSite();
});
afterAll(() => site?.stop());
afterEach(() => site.closePages());

interface Stored {
  readonly id: number;
  readonly slug: string;
  readonly title: string;
  readonly body: string;
  readonly status: string;
  readonly revision: number;
  readonly tags: readonly string[];
  readonly published_at: string | null;
  readonly category: { readonly name: string } | null;
  readonly audience: string;
  readonly nav_order: number | null;
}

async function as(route: string, body?: object): Promise<Stored> {
  const answer = await site.as(route, body);
  expect([route, answer.status, answer.status < 300 ? "" : answer.text]).toEqual([
    route,
    answer.status,
    "",
  ]);
  return answer.body as Stored;
}

/** The heading of the page. A text that is shown in it may have headings of the same level. */
const heading = (page: Page) => page.getByRole("main").locator("h1").first();
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const preview = (page: Page) => page.getByRole("region", { name: "Preview" });
const bodyField = (page: Page) => page.getByLabel("Text in Markdown");

let named = 0;
const newName = (): string => `Fair ${(named += 1)} of ${Date.now()}`;

describe("a post in the console", () => {
  it("is written by an editor, published after a confirmation, withdrawn and deleted", async () => {
    const { page } = await site.open("editor", "/console/posts");
    await page.getByRole("link", { name: "Write a post" }).click();
    const title = newName();
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Tags").fill("Market, fair, market");
    await bodyField(page).fill("On **Saturday**.");
    await save(page);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const id = Number(page.url().split("/").at(-1));
    const draft = await as(`GET /admin/posts/${id}`);
    expect([draft.status, draft.tags, draft.body]).toEqual([
      "draft",
      ["market", "fair"],
      "On **Saturday**.",
    ]);

    await page.getByLabel("Status").selectOption("published");
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Publish the post?" });
    await dialog.getByRole("button", { name: "Cancel" }).click();
    expect((await as(`GET /admin/posts/${id}`)).status).toBe("draft");
    await save(page);
    await dialog.getByRole("button", { name: "Publish the post" }).click();
    await page.getByText("Saved as revision 2.").waitFor();
    expect((await as(`GET /admin/posts/${id}`)).status).toBe("published");

    await page.getByLabel("Status").selectOption("draft");
    await save(page);
    await page.getByText("Saved as revision 3.").waitFor();
    expect((await as(`GET /admin/posts/${id}`)).status).toBe("draft");

    await page.getByRole("button", { name: "Delete the post" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the post" }).click();
    await page.getByRole("heading", { level: 1, name: "Posts" }).waitFor();
    expect((await site.as(`GET /admin/posts/${id}`)).status).toBe(404);
  });

  it("is scheduled for a time in the time zone of the browser", async () => {
    const { id } = await as("POST /admin/posts", { title: newName(), body: "Soon." });
    const { page } = await site.open("editor", `/console/posts/${id}`);
    await page.getByLabel("Status").selectOption("scheduled");
    await page.getByLabel("Becomes public at").fill("2040-05-06T20:00");
    await save(page);
    await page.getByRole("dialog").getByRole("button", { name: "Schedule the post" }).click();
    await page.getByText("Saved as revision 2.").waitFor();
    const stored = await as(`GET /admin/posts/${id}`);
    const instant = await page.evaluate("new Date('2040-05-06T20:00').toISOString()");
    expect([stored.status, stored.published_at]).toEqual(["scheduled", instant]);
    await page.reload();
    expect(await page.getByLabel("Becomes public at").inputValue()).toBe("2040-05-06T20:00");
  });

  it("is found by a part of its title and by its status, and the address keeps the filter", async () => {
    const title = newName();
    await as("POST /admin/posts", { title, body: "x" });
    const { page } = await site.open("editor", "/console/posts");
    await page.getByLabel("Title contains").fill(title);
    await page.keyboard.press("Enter");
    await page.getByRole("link", { name: title }).waitFor();
    await page.getByLabel("Status").selectOption("published");
    await page.getByText("There is no such post.").waitFor();
    await page.reload();
    await page.getByText("There is no such post.").waitFor();
    expect(await page.getByLabel("Title contains").inputValue()).toBe(title);
  });

  it("shows both versions if another editor saved first, and saves the version that the editor keeps", async () => {
    const { id } = await as("POST /admin/posts", { title: newName(), body: "On Saturday.\nFree." });
    const { page } = await site.open("editor", `/console/posts/${id}`);
    await bodyField(page).fill("On Sunday.\nFree.");
    await as(`PUT /admin/posts/${id}`, { title: "Another title", body: "On Monday.\nFree." });
    await save(page);
    const versions = page.getByRole("region", { name: "Two versions" });
    await versions.waitFor();
    const [removed, added] = [versions.locator("td.removed"), versions.locator("td.added")];
    expect(await removed.allTextContents()).toEqual(["On Monday."]);
    expect(await added.allTextContents()).toEqual(["On Sunday."]);
    expect(await bodyField(page).inputValue()).toBe("On Sunday.\nFree.");
    expect(await violationsOf(page)).toEqual([]);

    await page.getByRole("button", { name: "Keep my version and go on" }).click();
    expect(await page.getByLabel("Title").inputValue()).toBe("Another title");
    await save(page);
    await page.getByText("Saved as revision 3.").waitFor();
    await bodyField(page).fill("On Sunday.");
    await save(page);
    await page.getByText("Saved as revision 4.").waitFor();
    const stored = await as(`GET /admin/posts/${id}`);
    expect([stored.title, stored.body]).toEqual(["Another title", "On Sunday."]);
  });

  it("keeps a text that is typed while the new post is stored, and saves it next", async () => {
    const { page } = await site.open("editor", "/console/posts/new");
    await page.getByLabel("Title").fill(newName());
    await bodyField(page).fill("On Saturday.");
    await page.route("**/api/v1/admin/posts", async (route) => {
      await bodyField(page).fill("On Saturday at eight.");
      await route.continue();
    });
    const created = page.waitForResponse("**/api/v1/admin/posts");
    await save(page);
    await (await created).finished();
    const saved = page.waitForResponse("**/api/v1/admin/posts/*");
    // Wait until the button shows "Save" again: while its request is in flight, a click on the button sends
    // nothing.
    await page.getByRole("button", { name: "Save", exact: true }).waitFor();
    await save(page);
    const { id } = (await (await saved).json()) as Stored;
    await page.waitForURL(`**/console/posts/${id}`);
    expect((await as(`GET /admin/posts/${id}`)).body).toBe("On Saturday at eight.");
  });

  it("is not deleted if somebody else changed it since the editor read it", async () => {
    const { id } = await as("POST /admin/posts", { title: newName(), body: "One." });
    const { page } = await site.open("editor", `/console/posts/${id}`);
    await bodyField(page).waitFor();
    await as(`PUT /admin/posts/${id}`, { body: "Two." });
    await page.getByRole("button", { name: "Delete the post" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Delete the post" }).click();
    await dialog.getByText("Somebody else changed this text").waitFor();
    expect((await as(`GET /admin/posts/${id}`)).body).toBe("Two.");
  });

  it("shows the stored text if the editor discards their own version", async () => {
    const { id } = await as("POST /admin/posts", { title: newName(), body: "One." });
    const { page } = await site.open("editor", `/console/posts/${id}`);
    await bodyField(page).fill("Mine.");
    await as(`PUT /admin/posts/${id}`, { body: "Theirs." });
    await save(page);
    await page.getByRole("button", { name: "Discard my version" }).click();
    expect(await bodyField(page).inputValue()).toBe("Theirs.");
    await preview(page).getByText("Theirs.").waitFor();
  });

  it("keeps the typed text when the session ends, and is saved after the sign-in", async () => {
    const { id } = await as("POST /admin/posts", { title: newName(), body: "One." });
    const { page, userId, password } = await site.open("editor", `/console/posts/${id}`);
    await bodyField(page).fill("Typed before the session ended.");
    await preview(page).getByText("Typed before").waitFor();
    await as(`POST /admin/users/${userId}/sessions/revoke`);
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Sign in again" });
    await dialog.getByLabel("Password").fill(password);
    await page.keyboard.press("Enter");
    await page.getByText("Saved as revision 2.").waitFor();
    expect((await as(`GET /admin/posts/${id}`)).body).toBe("Typed before the session ended.");
  });

  it.each(["player", "moderator"])(
    "keeps the typed text when the editor becomes a %s, and says that it cannot be saved",
    async (role) => {
      const { id } = await as("POST /admin/posts", { title: newName(), body: "One." });
      const { page, userId, password } = await site.open("editor", `/console/posts/${id}`);
      await bodyField(page).fill("Typed before the role was taken away.");
      // Wait for the request of the preview, so that the next request is that of the button.
      await preview(page).getByText("Typed before the role").waitFor();
      // The change also ends the sessions of the user.
      await as(`PATCH /admin/users/${userId}`, { role });
      await save(page);
      const dialog = page.getByRole("dialog", { name: "Sign in again" });
      await dialog.getByLabel("Password").fill(password);
      await page.keyboard.press("Enter");
      await page.getByText("Your role no longer includes this page").waitFor();
      expect(await bodyField(page).inputValue()).toBe("Typed before the role was taken away.");
      expect((await as(`GET /admin/posts/${id}`)).body).toBe("One.");
    },
  );

  it("marks a field with an invalid slug, and says if the slug is taken", async () => {
    const { slug } = await as("POST /admin/posts", { title: newName(), body: "x" });
    const { page } = await site.open("editor", "/console/posts/new");
    await page.getByLabel("Title").fill("A title");
    await bodyField(page).fill("x");
    await page.getByLabel("Slug").fill("Not a slug");
    await save(page);
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("Slug").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Slug").fill(slug);
    await save(page);
    await page.getByRole("alert").getByText("This slug is taken").waitFor();
    expect(await bodyField(page).inputValue()).toBe("x");
  });

  it("asks before unsaved texts are lost", async () => {
    const { page } = await site.open("editor", "/console/posts/new");
    await bodyField(page).fill("Unsaved.");
    const questions: string[] = [];
    page.on("dialog", (dialog) => {
      questions.push(dialog.message());
      void dialog.dismiss();
    });
    await page.getByRole("link", { name: "All posts" }).click();
    expect(questions).toHaveLength(1);
    expect(await bodyField(page).inputValue()).toBe("Unsaved.");
  });
});

/** The properties of a text field from which the test computes the selected text. */
interface Selected {
  readonly value: string;
  readonly selectionStart: number;
  readonly selectionEnd: number;
}

describe("the preview of a text", () => {
  it("follows the typed text, names the parts that readers will not see, and links to their lines", async () => {
    const { page, complaints } = await site.open("editor", "/console/posts/new");
    const text =
      "First\n\n[our files](ftp://files.example.org/)\n\n## Prices\n\n![Map](https://other.example/map.png)";
    await bodyField(page).fill(text);
    await preview(page).getByText("Readers will not see one part").waitFor();
    await preview(page).getByRole("button", { name: "Line 3" }).click();
    const selected = await bodyField(page).evaluate(
      ({ value, selectionStart, selectionEnd }: Selected) =>
        value.slice(selectionStart, selectionEnd),
    );
    expect(selected).toBe("[our files](ftp://files.example.org/)");
    await preview(page).getByText("[picture: Map, https://other.example/map.png]").waitFor();
    expect(await violationsOf(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe("a wiki page in the console", () => {
  it("gets a category and tags, moves to a new slug, and is restored from a revision", async () => {
    const { page } = await site.open("editor", "/console/wiki/new");
    const title = newName();
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Category").fill("Trade");
    await page.getByLabel("Tags").fill("bank");
    await page.getByLabel("Status").selectOption("published");
    await bodyField(page).fill("First text.");
    await save(page);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();

    const slug = `moved-${Date.now()}`;
    await page.getByLabel("Slug").fill(slug);
    await bodyField(page).fill("Second text.");
    await page.getByLabel("Note about this change").fill("Shorter");
    await save(page);
    await page.waitForURL(`**/console/wiki/${slug}`);
    await page.getByText("Readers also find the page by its former slugs").waitFor();
    const stored = await as(`GET /admin/wiki/${slug}`);
    expect([stored.category?.name, stored.tags, stored.body]).toEqual([
      "Trade",
      ["bank"],
      "Second text.",
    ]);

    await page.getByRole("link", { name: "Revisions" }).click();
    await page.getByText("Shorter").waitFor();
    await page.getByRole("button", { name: "Compare revision 1" }).click();
    const comparison = page.getByRole("region", { name: "Revision 1 and the current text" });
    expect(await comparison.locator("td.removed").first().textContent()).toBe("First text.");
    expect(await comparison.locator("td.added").first().textContent()).toBe("Second text.");
    expect(await violationsOf(page)).toEqual([]);
    await page.getByRole("button", { name: "Restore this revision" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Restore this revision" }).click();
    await page.waitForURL(`**/console/wiki/${slug}`);
    await bodyField(page).waitFor();
    expect(await bodyField(page).inputValue()).toBe("First text.");
    expect((await as(`GET /admin/wiki/${slug}`)).revision).toBe(3);
  });

  it("can have the slug `new`, which is the address of the form for a new page", async () => {
    await as("POST /admin/wiki", { title: "New", slug: "new", body: "News of the wiki." });
    const { page } = await site.open("editor", "/console/wiki?q=New");
    await page.getByRole("link", { name: "New", exact: true }).click();
    await bodyField(page).waitFor();
    expect(await bodyField(page).inputValue()).toBe("News of the wiki.");
    await page.getByRole("button", { name: "Delete the wiki page" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the wiki page" }).click();
    await page.getByRole("heading", { level: 1, name: "Wiki", exact: true }).waitFor();
    expect((await site.as("GET /admin/wiki/new")).status).toBe(404);
  });

  it("stores a note with the change for which it was typed, and not with the next change", async () => {
    const { slug } = await as("POST /admin/wiki", { title: newName(), body: "One." });
    const { page } = await site.open("editor", `/console/wiki/${slug}`);
    await bodyField(page).fill("Two.");
    await page.getByLabel("Note about this change").fill("Second");
    await save(page);
    await page.getByText("Saved as revision 2.").waitFor();
    await bodyField(page).fill("Three.");
    await save(page);
    await page.getByText("Saved as revision 3.").waitFor();
    const { body } = await site.as(`GET /admin/wiki/${slug}/revisions`);
    const { revisions } = body as { revisions: { note: string | null }[] };
    expect(revisions.map(({ note }) => note)).toEqual([null, "Second", null]);
  });
});

describe("a page of the site in the console", () => {
  it("gets an audience and a position, and is published and deleted", async () => {
    const { page } = await site.open("editor", "/console/pages");
    await page.getByRole("link", { name: "Write a page" }).click();
    const title = newName();
    await page.getByLabel("Title").fill(title);
    await page.getByLabel("Position").fill("7");
    await page.getByLabel("Readers").selectOption("staff");
    await page.getByLabel("Status").selectOption("published");
    await bodyField(page).fill("Be kind.");
    await save(page);
    await page.getByRole("heading", { level: 1, name: title }).waitFor();
    const slug = page.url().split("/").at(-1);
    const stored = await as(`GET /admin/pages/${slug}`);
    expect([stored.audience, stored.nav_order, stored.status]).toEqual(["staff", 7, "published"]);
    await page.getByRole("button", { name: "Delete the page" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete the page" }).click();
    await page.getByRole("heading", { level: 1, name: "Pages" }).waitFor();
    expect((await site.as(`GET /admin/pages/${slug}`)).status).toBe(404);
  });
});

describe("the pages for content", () => {
  const addresses = async (): Promise<string[]> => {
    const table = "\n\n| a | b |\n|---|--:|\n| 1 | 2 |\n\n# Top";
    const title = `${newName()} ${"verylongword".repeat(8)}`;
    const post = await as("POST /admin/posts", { title, body: title + table });
    const wiki = await as("POST /admin/wiki", { title, body: title + table });
    const page = await as("POST /admin/pages", { title, body: title + table });
    return [
      "/console/posts",
      "/console/posts/new",
      `/console/posts/${post.id}`,
      "/console/wiki",
      "/console/wiki/new",
      `/console/wiki/${wiki.slug}`,
      `/console/wiki/${wiki.slug}/revisions`,
      "/console/pages",
      "/console/pages/new",
      `/console/pages/${page.slug}`,
    ];
  };

  it.each([
    ["editor", "en-GB"],
    ["admin", "de-DE"],
  ] as const)(
    "meet the rules of accessibility and fit 360 pixels for the role %s in the language %s",
    async (role, locale) => {
      const { page, complaints } = await site.open(role, "/console/account", locale);
      await page.setViewportSize({ width: 360, height: 700 });
      for (const address of await addresses()) {
        await page.goto(site.web.url + address);
        await heading(page).waitFor();
        await waitUntilPageLoaded(page);
        expect([address, await violationsOf(page), await overflowOf(page)]).toEqual([
          address,
          [],
          0,
        ]);
      }
      expect(complaints).toEqual([]);
    },
  );

  it("are not shown to a moderator", async () => {
    const { page } = await site.open("moderator", "/console/posts");
    await page.getByText("Your role does not include this page.").waitFor();
    expect(await page.getByRole("navigation").getByText("Wiki").count()).toBe(0);
  });
});
