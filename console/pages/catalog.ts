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
    path: "/console/people",
    name: "people",
    needs: "GET /admin/users",
    load: async () => (await import("./people/list.ts")).People,
  },
  {
    path: "/console/people/new",
    within: "/console/people",
    name: "newPerson",
    needs: "POST /admin/users",
    load: async () => (await import("./people/new-person.ts")).NewPerson,
  },
  {
    path: "/console/people/invitations",
    within: "/console/people",
    name: "invitations",
    needs: "GET /admin/invites",
    load: async () => (await import("./people/invitations.ts")).Invitations,
  },
  {
    path: "/console/people/bans",
    within: "/console/people",
    name: "addressBans",
    needs: "GET /admin/bans",
    load: async () => (await import("./people/address-bans.ts")).AddressBans,
  },
  {
    path: "/console/people/:id",
    within: "/console/people",
    name: "person",
    needs: "GET /admin/users/{id}",
    load: async () => (await import("./people/person.ts")).PersonPage,
  },
  {
    path: "/console/appeals",
    name: "appeals",
    needs: "GET /admin/appeals",
    load: async () => (await import("./appeals/list.ts")).Appeals,
  },
  {
    path: "/console/appeals/:id",
    within: "/console/appeals",
    name: "appeal",
    needs: "GET /admin/appeals/{id}",
    load: async () => (await import("./appeals/appeal.ts")).AppealPage,
  },
  {
    path: "/console/reports",
    name: "reports",
    needs: "GET /admin/survival/reports",
    load: async () => (await import("./reports/list.ts")).Reports,
  },
  {
    path: "/console/reports/bans",
    within: "/console/reports",
    name: "serverBans",
    needs: "GET /admin/survival/servers/{id}/bans",
    load: async () => (await import("./reports/server-bans.ts")).ServerBans,
  },
  {
    path: "/console/reports/:id",
    within: "/console/reports",
    name: "report",
    needs: "GET /admin/survival/reports/{id}",
    load: async () => (await import("./reports/report.ts")).ReportPage,
  },
  {
    path: "/console/moderation",
    name: "moderation",
    needs: "GET /admin/shard/pages",
    load: async () => (await import("./moderation/moderation.ts")).Moderation,
  },
  {
    path: "/console/servers",
    name: "servers",
    needs: "GET /admin/survival/servers",
    load: async () => (await import("./servers/list.ts")).Servers,
  },
  {
    path: "/console/servers/shard",
    within: "/console/servers",
    name: "shardLink",
    needs: "GET /admin/shardlink/config",
    load: async () => (await import("./servers/shard.ts")).Shard,
  },
  {
    path: "/console/servers/new",
    within: "/console/servers",
    name: "newServer",
    needs: "POST /admin/survival/servers",
    load: async () => (await import("./servers/new-server.ts")).NewServer,
  },
  {
    path: "/console/servers/:id",
    within: "/console/servers",
    name: "server",
    needs: "GET /admin/survival/servers/{id}",
    load: async () => (await import("./servers/server.ts")).SurvivalServer,
  },
  {
    path: "/console/imports",
    name: "imports",
    needs: "GET /admin/shard/atlas",
    load: async () => (await import("./imports/imports.ts")).Imports,
  },
  {
    path: "/api/queues",
    name: "queues",
    needs: "GET /admin/jobs",
    load: async () => (await import("./queues/queues.ts")).Queues,
  },
  {
    path: "/console/events",
    name: "events",
    needs: "GET /admin/events",
    load: async () => (await import("./events/list.ts")).EventList,
  },
  {
    path: "/console/events/new",
    within: "/console/events",
    name: "eventNew",
    needs: "POST /admin/events",
    load: async () => (await import("./events/create.ts")).NewEvent,
  },
  {
    path: "/console/events/calendar",
    within: "/console/events",
    name: "eventCalendar",
    needs: "GET /admin/events/calendar",
    load: async () => (await import("./events/calendar.ts")).EventCalendar,
  },
  {
    path: "/console/events/series",
    within: "/console/events",
    name: "eventSeries",
    needs: "GET /admin/events/series",
    load: async () => (await import("./events/series.ts")).EventSeries,
  },
  {
    path: "/console/events/actions",
    within: "/console/events",
    name: "eventActions",
    needs: "GET /admin/events/actions",
    load: async () => (await import("./events/actions.ts")).EventActions,
  },
  {
    path: "/console/events/:id",
    within: "/console/events",
    name: "event",
    needs: "GET /admin/events/{id}",
    load: async () => (await import("./events/detail.ts")).EventPage,
  },
  {
    path: "/console/runs",
    within: "/console/events",
    name: "runs",
    needs: "GET /admin/events/runs",
    load: async () => (await import("./runs/list.ts")).RunList,
  },
  {
    path: "/console/runs/:id",
    within: "/console/events",
    name: "run",
    needs: "GET /admin/events/runs/{runId}",
    load: async () => (await import("./runs/detail.ts")).RunPage,
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
