import type { VNode } from "preact";

import type { OperationName } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { type PageLink, PageLinks } from "../../parts/page-links.ts";
import { useMay } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { useServers } from "./use-servers.ts";

interface Entry extends PageLink {
  readonly needs: OperationName;
}

const base = "/console/survival";

const siteEntries = (): readonly Entry[] => [
  { to: base, text: words.survival.tabs.servers, needs: "GET /admin/survival/servers" },
  {
    to: `${base}/announce`,
    text: words.survival.tabs.announce,
    needs: "POST /admin/survival/announce",
  },
  {
    to: `${base}/permissions`,
    text: words.survival.tabs.permissions,
    needs: "GET /admin/survival/permissions",
  },
  {
    to: `${base}/grants`,
    text: words.survival.tabs.grants,
    needs: "GET /admin/survival/permissions/grants",
  },
  {
    to: `${base}/players`,
    text: words.survival.tabs.player,
    needs: "GET /admin/survival/permissions/users/{steamId}",
  },
  { to: `${base}/zones`, text: words.survival.tabs.zones, needs: "GET /admin/survival/zones" },
  { to: `${base}/npcs`, text: words.survival.tabs.npcs, needs: "GET /admin/survival/npcs" },
  {
    to: `${base}/npcs/factions`,
    text: words.survival.tabs.factions,
    needs: "GET /admin/survival/npcs/factions",
  },
  { to: `${base}/chat`, text: words.survival.tabs.chat, needs: "GET /admin/survival/voice" },
  { to: `${base}/ledger`, text: words.survival.tabs.ledger, needs: "GET /admin/survival/ledger" },
];

/** The heading of a page about all servers, with links to the others. */
export function SiteHead({ title }: { readonly title: string }): VNode {
  const may = useMay();
  const tabs = siteEntries().filter(({ needs }) => may(needs));
  return html`<h1>${title}</h1>
    <${PageLinks} label=${words.survival.subjects} links=${tabs} />`;
}

const serverEntries = (id: string): readonly Entry[] => {
  const to = `${base}/servers/${id}`;
  const { serverTabs: text } = words.survival;
  return [
    { to, text: text.state, needs: "GET /admin/survival/servers/{id}" },
    { to: `${to}/settings`, text: text.settings, needs: "PUT /admin/survival/servers/{id}" },
    { to: `${to}/titles`, text: text.titles, needs: "GET /admin/survival/servers/{id}/titles" },
    {
      to: `${to}/permissions`,
      text: text.permissions,
      needs: "GET /admin/survival/permissions/inventory/{serverId}",
    },
    { to: `${to}/config`, text: text.config, needs: "GET /admin/survival/config/{serverId}" },
    {
      to: `${to}/placements`,
      text: text.placements,
      needs: "GET /admin/survival/npcs/servers/{serverId}/placements",
    },
    // The link of the server has a page of its own.
    { to: `/console/servers/${id}`, text: text.link, needs: "PUT /admin/survival/servers/{id}" },
  ];
};

/** The heading of a page about one server, with links to the others. */
export function ServerHead({ id, title }: { readonly id: string; readonly title: string }): VNode {
  const may = useMay();
  const { nameOf } = useServers();
  const tabs = serverEntries(id).filter(({ needs }) => may(needs));
  return html`<p><a href=${base}>${words.survival.allServers}</a></p>
    <h1>${words.survival.ofServer(title, nameOf(Number(id)))}</h1>
    <${PageLinks} label=${words.survival.pagesOfServer} links=${tabs} />`;
}
