import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { Tabs } from "../../parts/tabs.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

/** Links to the pages about people that the person may open. */
export function PeopleTabs(): VNode {
  const may = useAccessCheck();
  const tabs = [
    { href: "/console/people", text: words.pages.people },
    ...(may("GET /admin/invites")
      ? [{ href: "/console/people/invitations", text: words.pages.invitations }]
      : []),
    ...(may("GET /admin/bans")
      ? [{ href: "/console/people/bans", text: words.pages.addressBans }]
      : []),
  ];
  return html`<${Tabs} label=${words.people.tabs} tabs=${tabs} />`;
}
