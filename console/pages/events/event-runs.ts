import type { VNode } from "preact";
import { useMemo } from "preact/hooks";

import type { AnswerOf } from "../../api/call.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { StartRunForm } from "./start-run.ts";
import type { Definition } from "./types.ts";

const shownDays = 60;
const shown = 5;

/** The next dates of the published version, and the button that starts a run. */
export function EventRuns({ event }: { readonly event: Definition }): VNode {
  const may = useAccessCheck();
  const { events } = words;
  const span = useMemo(() => {
    const now = Date.now();
    const to = new Date(now + shownDays * 86_400_000).toISOString();
    return { from: new Date(now).toISOString(), to };
  }, [event]);
  const read = useApiRead("GET /admin/events/calendar", { query: span });
  const isPublished = event.currentVersion !== null && event.state !== "archived";
  return html`<section class="card">
    <h2>${events.dates}</h2>
    <${ReadStateView} read=${read}>
      ${({ entries }: AnswerOf<"GET /admin/events/calendar">) => {
        const own = entries.filter((entry) => entry.definitionId === event.id).slice(0, shown);
        if (own.length === 0) return html`<p class="soft">${events.noRuns(shownDays)}</p>`;
        return html`<ul>
          ${own.map(
            ({ runId, scheduledFor, status }) =>
              html`<li key=${scheduledFor + String(runId)}>
                ${runId === null ? formatTime(scheduledFor) : runLink(runId, scheduledFor)}
                <span class="soft"> ${words.runs.statuses[status]}</span>
              </li>`,
          )}
        </ul>`;
      }}
    <//>
    <p><a href=${`/console/runs?event=${event.id}`}>${events.allRuns}</a></p>
    ${isPublished && may("POST /admin/events/{id}/runs") && html`<${StartRunForm} event=${event} />`}
  </section>`;
}

const runLink = (runId: number, at: string): VNode =>
  html`<a href=${`/console/runs/${runId}`}>${formatTime(at)}</a>`;
