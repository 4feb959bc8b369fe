import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { Tabs } from "../../parts/tabs.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

/** Links to the reports of players and to the bans of the survival servers. */
export function ReportTabs(): VNode | null {
  const may = useAccessCheck();
  if (!may("GET /admin/survival/servers/{id}/bans")) return null;
  const tabs = [
    { href: "/console/reports", text: words.pages.reports },
    { href: "/console/reports/bans", text: words.pages.serverBans },
  ];
  return html`<${Tabs} label=${words.reports.tabs} tabs=${tabs} />`;
}
