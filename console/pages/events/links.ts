import type { VNode } from "preact";

import type { OperationName } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { Tabs } from "../../parts/tabs.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

const pages = [
  { href: "/console/events", name: "events", needs: "GET /admin/events" },
  { href: "/console/events/calendar", name: "eventCalendar", needs: "GET /admin/events/calendar" },
  { href: "/console/events/series", name: "eventSeries", needs: "GET /admin/events/series" },
  { href: "/console/events/actions", name: "eventActions", needs: "GET /admin/events/actions" },
  { href: "/console/runs", name: "runs", needs: "GET /admin/events/runs" },
] as const satisfies readonly { href: string; name: string; needs: OperationName }[];

/** Links to the pages about events that the person may open. */
export function EventLinks(): VNode {
  const may = useAccessCheck();
  const tabs = pages
    .filter(({ needs }) => may(needs))
    .map(({ href, name }) => ({ href, text: words.pages[name] }));
  return html`<${Tabs} label=${words.events.pages} tabs=${tabs} />`;
}
