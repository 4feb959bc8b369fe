import { communityPages } from "./catalog/community.ts";
import { contentPages } from "./catalog/content.ts";
import { eventsPages } from "./catalog/events.ts";
import { gamesPages } from "./catalog/games.ts";
import type { PageDeclaration, MenuGroup, Page } from "./catalog/page.ts";
import { sitePages } from "./catalog/site.ts";

const home: PageDeclaration = {
  path: "/console",
  name: "home",
  needs: "GET /admin/dashboard",
  load: async () => (await import("./home/home.ts")).Home,
};

const account: PageDeclaration = {
  path: "/console/account",
  within: "",
  name: "account",
  needs: "GET /auth/me",
  load: async () => (await import("./account/account.ts")).Account,
};

const toPage =
  (group: MenuGroup | null) =>
  ({ within, ...page }: PageDeclaration): Page => ({
    ...page,
    group,
    section: within ?? page.path,
    isInMenu: within === undefined,
  });

/** CATALOGUE of the console's pages, in the order of the menu. */
export const pages: readonly Page[] = [
  toPage(null)(home),
  ...communityPages.map(toPage("community")),
  ...eventsPages.map(toPage("events")),
  ...contentPages.map(toPage("content")),
  ...gamesPages.map(toPage("games")),
  ...sitePages.map(toPage("site")),
  toPage(null)(account),
];

/** Returns true for an address that the console shows. */
export const isConsolePath = (path: string): boolean =>
  /^\/console(?:\/|$)|^\/api\/queues\/?$/.test(path);

/** Returns the page at an address, with the values of its parameters. */
export function findPage(
  path: string,
): { readonly page: Page; readonly params: Readonly<Record<string, string>> } | null {
  for (const page of pages) {
    const params = matchPath(page.path, path);
    if (params) return { page, params };
  }
  return null;
}

function matchPath(template: string, path: string): Readonly<Record<string, string>> | null {
  const [wanted, given] = [template.split("/"), path.split("/")];
  if (wanted.length !== given.length) return null;
  const params: Record<string, string> = {};
  for (const [at, part] of wanted.entries()) {
    const value = given[at] ?? "";
    if (part.startsWith(":")) params[part.slice(1)] = decode(value);
    else if (part !== value) return null;
  }
  return params;
}

function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
