import type { VNode } from "preact";

import type { OperationName } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { type Tab, Tabs } from "../../parts/tabs.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { useServers } from "./use-servers.ts";

interface Entry extends Tab {
  readonly needs: OperationName;
}

const base = "/console/survival";

const siteEntries = (): readonly Entry[] => [
  { href: base, text: words.survival.tabs.servers, needs: "GET /admin/survival/servers" },
  {
    href: `${base}/announce`,
    text: words.survival.tabs.announce,
    needs: "POST /admin/survival/announce",
  },
  {
    href: `${base}/permissions`,
    text: words.survival.tabs.permissions,
    needs: "GET /admin/survival/permissions",
  },
  {
    href: `${base}/grants`,
    text: words.survival.tabs.grants,
    needs: "GET /admin/survival/permissions/grants",
  },
  {
    href: `${base}/players`,
    text: words.survival.tabs.player,
    needs: "GET /admin/survival/permissions/users/{steamId}",
  },
  { href: `${base}/zones`, text: words.survival.tabs.zones, needs: "GET /admin/survival/zones" },
  { href: `${base}/npcs`, text: words.survival.tabs.npcs, needs: "GET /admin/survival/npcs" },
  {
    href: `${base}/npcs/factions`,
    text: words.survival.tabs.factions,
    needs: "GET /admin/survival/npcs/factions",
  },
  { href: `${base}/chat`, text: words.survival.tabs.chat, needs: "GET /admin/survival/voice" },
  { href: `${base}/ledger`, text: words.survival.tabs.ledger, needs: "GET /admin/survival/ledger" },
];

/** The heading of a page about all servers, with links to the others. */
export function SitePageHeading({ title }: { readonly title: string }): VNode {
  const may = useAccessCheck();
  const tabs = siteEntries().filter(({ needs }) => may(needs));
  return html`<h1>${title}</h1>
    <${Tabs} label=${words.survival.subjects} tabs=${tabs} />`;
}

const serverEntries = (id: string): readonly Entry[] => {
  const href = `${base}/servers/${id}`;
  const { serverTabs: text } = words.survival;
  return [
    { href, text: text.state, needs: "GET /admin/survival/servers/{id}" },
    { href: `${href}/settings`, text: text.settings, needs: "PUT /admin/survival/servers/{id}" },
    { href: `${href}/titles`, text: text.titles, needs: "GET /admin/survival/servers/{id}/titles" },
    {
      href: `${href}/permissions`,
      text: text.permissions,
      needs: "GET /admin/survival/permissions/inventory/{serverId}",
    },
    { href: `${href}/config`, text: text.config, needs: "GET /admin/survival/config/{serverId}" },
    {
      href: `${href}/placements`,
      text: text.placements,
      needs: "GET /admin/survival/npcs/servers/{serverId}/placements",
    },
    // The link of the server has a page of its own.
    { href: `/console/servers/${id}`, text: text.link, needs: "PUT /admin/survival/servers/{id}" },
  ];
};

/** The heading of a page about one server, with links to the others. */
export function ServerPageHeading({
  id,
  title,
}: {
  readonly id: string;
  readonly title: string;
}): VNode {
  const may = useAccessCheck();
  const { nameOf } = useServers();
  const tabs = serverEntries(id).filter(({ needs }) => may(needs));
  return html`<p><a href=${base}>${words.survival.allServers}</a></p>
    <h1>${words.survival.ofServer(title, nameOf(Number(id)))}</h1>
    <${Tabs} label=${words.survival.pagesOfServer} tabs=${tabs} />`;
}
