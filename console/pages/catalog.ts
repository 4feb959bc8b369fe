import type { ComponentType } from "preact";

import type { OperationName } from "../api/call.ts";
import type { PageProps } from "../shell/frame.ts";
import type { Words } from "../words/words.ts";
import { survivalPages } from "./survival/pages.ts";

export interface Page {
  /** The address, with parameters such as `:id`. */
  readonly path: string;
  /** The address of the entry of the menu that the page belongs to. */
  readonly section: string;
  readonly name: keyof Words["pages"];
  /** The page is shown to those who may call this operation. */
  readonly needs: OperationName;
  readonly isInMenu: boolean;
  readonly load: () => Promise<ComponentType<PageProps>>;
}

export interface Declared extends Pick<Page, "path" | "name" | "needs" | "load"> {
  /** For a page that is not in the menu: the entry that it belongs to. */
  readonly within?: string;
}

const declared: readonly Declared[] = [
  {
    path: "/console",
    name: "home",
    needs: "GET /admin/dashboard",
    load: async () => (await import("./home/home.ts")).Home,
  },
  ...survivalPages,
  {
    path: "/console/account",
    within: "",
    name: "account",
    needs: "GET /auth/me",
    load: async () => (await import("./account/account.ts")).Account,
  },
];

/** CATALOGUE of the console's pages, in the order of the menu. */
export const pages: readonly Page[] = declared.map(({ within, ...page }) => ({
  ...page,
  section: within ?? page.path,
  isInMenu: within === undefined,
}));

/** Returns true for an address that the console shows. */
export const isConsolePath = (path: string): boolean => /^\/console(?:\/|$)/.test(path);

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
