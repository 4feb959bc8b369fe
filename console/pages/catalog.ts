import type { ComponentType } from "preact";

import type { OperationName } from "../api/call.ts";
import type { PageProps } from "../shell/frame.ts";
import type { Words } from "../words/words.ts";

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

interface Declared extends Pick<Page, "path" | "name" | "needs" | "load"> {
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
  {
    path: "/console/posts",
    name: "posts",
    needs: "GET /admin/posts",
    load: async () => (await import("./posts/list.ts")).Posts,
  },
  {
    path: "/console/posts/new",
    within: "/console/posts",
    name: "newPost",
    needs: "POST /admin/posts",
    load: async () => (await import("./posts/detail.ts")).NewPost,
  },
  {
    path: "/console/posts/:id",
    within: "/console/posts",
    name: "post",
    needs: "GET /admin/posts/{id}",
    load: async () => (await import("./posts/detail.ts")).PostDetail,
  },
  {
    path: "/console/wiki",
    name: "wiki",
    needs: "GET /admin/wiki",
    load: async () => (await import("./wiki/list.ts")).Wiki,
  },
  {
    path: "/console/wiki/new",
    within: "/console/wiki",
    name: "newWikiPage",
    needs: "POST /admin/wiki",
    load: async () => (await import("./wiki/detail.ts")).NewWikiPage,
  },
  {
    path: "/console/wiki/:slug",
    within: "/console/wiki",
    name: "wikiPage",
    needs: "GET /admin/wiki/{slug}",
    load: async () => (await import("./wiki/detail.ts")).WikiDetail,
  },
  {
    path: "/console/wiki/:slug/revisions",
    within: "/console/wiki",
    name: "wikiRevisions",
    needs: "GET /admin/wiki/{slug}/revisions",
    load: async () => (await import("./wiki/revisions.ts")).WikiRevisions,
  },
  {
    path: "/console/pages",
    name: "sitePages",
    needs: "GET /admin/pages",
    load: async () => (await import("./site-pages/list.ts")).SitePages,
  },
  {
    path: "/console/pages/new",
    within: "/console/pages",
    name: "newSitePage",
    needs: "POST /admin/pages",
    load: async () => (await import("./site-pages/detail.ts")).NewSitePage,
  },
  {
    path: "/console/pages/:slug",
    within: "/console/pages",
    name: "sitePage",
    needs: "GET /admin/pages/{slug}",
    load: async () => (await import("./site-pages/detail.ts")).SitePageDetail,
  },
  {
    path: "/console/settings",
    name: "settings",
    needs: "GET /admin/settings",
    load: async () => (await import("./settings/settings.ts")).Settings,
  },
  {
    path: "/console/visibility",
    name: "visibility",
    needs: "GET /admin/shard/visibility",
    load: async () => (await import("./visibility/visibility.ts")).Visibility,
  },
  {
    path: "/console/providers",
    name: "providers",
    needs: "GET /admin/auth/providers",
    load: async () => (await import("./providers/list.ts")).Providers,
  },
  {
    path: "/console/providers/new",
    within: "/console/providers",
    name: "newProvider",
    needs: "POST /admin/auth/providers",
    load: async () => (await import("./providers/detail.ts")).NewProvider,
  },
  {
    path: "/console/providers/:id",
    within: "/console/providers",
    name: "provider",
    needs: "PUT /admin/auth/providers/{id}",
    load: async () => (await import("./providers/detail.ts")).ProviderDetail,
  },
  {
    path: "/console/tokens",
    name: "tokens",
    needs: "GET /admin/tokens",
    load: async () => (await import("./tokens/tokens.ts")).Tokens,
  },
  {
    path: "/console/webhooks",
    name: "webhooks",
    needs: "GET /admin/webhooks",
    load: async () => (await import("./webhooks/list.ts")).Webhooks,
  },
  {
    path: "/console/webhooks/new",
    within: "/console/webhooks",
    name: "newWebhook",
    needs: "POST /admin/webhooks",
    load: async () => (await import("./webhooks/create.ts")).NewWebhook,
  },
  {
    path: "/console/webhooks/:id",
    within: "/console/webhooks",
    name: "webhook",
    needs: "PUT /admin/webhooks/{id}",
    load: async () => (await import("./webhooks/detail.ts")).WebhookDetail,
  },
  {
    path: "/console/activity",
    name: "activity",
    needs: "GET /admin/activity",
    load: async () => (await import("./activity/activity.ts")).Activity,
  },
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
