import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { type Tab, Tabs } from "../../parts/tabs.ts";
import { useLocation } from "../../shell/router.ts";
import { useMay } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

/** Links to the pages about people that the person may open. */
export function PeopleTabs(): VNode {
  const may = useMay();
  const { path } = useLocation();
  const tab = (href: string, text: string): Tab => ({ href, text, isCurrent: href === path });
  const tabs = [
    tab("/console/people", words.pages.people),
    ...(may("GET /admin/invites")
      ? [tab("/console/people/invitations", words.pages.invitations)]
      : []),
    ...(may("GET /admin/bans") ? [tab("/console/people/bans", words.pages.addressBans)] : []),
  ];
  return html`<${Tabs} label=${words.people.tabs} tabs=${tabs} />`;
}
