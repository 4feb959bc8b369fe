import type { VNode } from "preact";

import type { OperationName } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { useLocation } from "../../shell/router.ts";
import { useMay } from "../../shell/session.ts";
import { words } from "../../words/words.ts";

const pages = [
  { path: "/console/events", name: "events", needs: "GET /admin/events" },
  { path: "/console/events/calendar", name: "eventCalendar", needs: "GET /admin/events/calendar" },
  { path: "/console/events/series", name: "eventSeries", needs: "GET /admin/events/series" },
  { path: "/console/events/actions", name: "eventActions", needs: "GET /admin/events/actions" },
  { path: "/console/runs", name: "runs", needs: "GET /admin/events/runs" },
] as const satisfies readonly { path: string; name: string; needs: OperationName }[];

/** Links to the pages about events that the person may open. */
export function EventLinks(): VNode {
  const { path } = useLocation();
  const may = useMay();
  return html`<nav class="links" aria-label=${words.events.pages}>
    <ul>
      ${pages
        .filter(({ needs }) => may(needs))
        .map(
          ({ path: to, name }) =>
            html`<li key=${to}>
              <a href=${to} aria-current=${path === to ? "page" : undefined}>${words.pages[name]}</a>
            </li>`,
        )}
    </ul>
  </nav>`;
}
