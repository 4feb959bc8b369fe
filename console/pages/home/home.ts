import type { ComponentChildren, VNode } from "preact";

import type { AnswerOf, OperationName } from "../../api/call.ts";
import { formatAgo, formatDuration, formatNumber } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { findPage } from "../catalog.ts";
import { LinkStatus } from "../servers/link-status.ts";

const everyMs = 15_000;

type Dashboard = AnswerOf<"GET /admin/dashboard">;

/** The state of the site, and the number of tasks that wait for staff. */
export function Home(): VNode {
  const dashboard = useApiRead("GET /admin/dashboard", {}, everyMs);
  const status = useApiRead("GET /public/status", {}, everyMs);
  const may = useAccessCheck();
  const jobs = useApiRead("GET /admin/jobs", may("GET /admin/jobs") ? {} : null, everyMs);
  return html`<h1>${words.pages.home}</h1>
    <${ReadStateView} read=${status}>
      ${({ site_mode: mode }: AnswerOf<"GET /public/status">) =>
        mode !== "live" && html`<p class="notice bad">${words.home.modes[mode]}</p>`}
    <//>
    <${ReadStateView} read=${dashboard}>
      ${(data: Dashboard) =>
        html`<h2>${words.home.waiting}</h2>
          <${Waiting} dashboard=${data} jobs=${jobs} />
          <div class="cards">
            <${ShardCard} shard=${data.shard} />
            ${may("GET /admin/survival/servers") && html`<${ServersCard} />`}
            ${may("GET /admin/jobs") && html`<${QueuesCard} jobs=${jobs} />`}
            <${PeopleCard} users=${data.users} />
          </div>`}
    <//>`;
}

type Jobs = ReadState<AnswerOf<"GET /admin/jobs">>;

/** Links to the tasks that wait for the person, or a sentence if there are none. */
function Waiting({
  dashboard,
  jobs,
}: {
  readonly dashboard: Dashboard;
  readonly jobs: Jobs;
}): VNode {
  const may = useAccessCheck();
  const mayReadRuns = may("GET /admin/events/runs");
  const paused = useApiRead(
    "GET /admin/events/runs",
    mayReadRuns ? { query: { status: "paused" } } : null,
    everyMs,
  );
  const reviews = jobs.data && "reviews" in jobs.data ? jobs.data.reviews.length : 0;
  const counts = [
    { count: dashboard.appeals.open, text: words.home.appeals, to: "/console/appeals" },
    { count: dashboard.reports.open, text: words.home.reports, to: "/console/reports" },
    { count: dashboard.pages.open ?? 0, text: words.home.helpPages, to: "/console/moderation" },
    { count: dashboard.jobs.failed, text: words.home.failedJobs, to: "/api/queues" },
    { count: reviews, text: words.home.reviews, to: "/console/imports" },
    { count: paused.data?.runs.length ?? 0, text: words.home.runs, to: "/console/runs" },
  ].filter(({ count, to }) => count > 0 && mayOpen(to, may));
  const isRead = (!mayReadRuns || paused.data) && (!may("GET /admin/jobs") || jobs.data);
  return html`<${ProblemView} problem=${paused.problem} />
    ${
      counts.length > 0
        ? html`<ul>
            ${counts.map(
              ({ count, text, to }) => html`<li key=${to}><a href=${to}>${text(count)}</a></li>`,
            )}
          </ul>`
        : isRead && html`<p class="soft">${words.home.nothingWaits}</p>`
    }`;
}

function mayOpen(to: string, may: (name: OperationName) => boolean): boolean {
  const found = findPage(to);
  return found !== null && may(found.page.needs);
}

function Card({
  title,
  children,
}: {
  readonly title: string;
  readonly children?: ComponentChildren;
}): VNode {
  return html`<section class="card" aria-label=${title}>
    <h2>${title}</h2>
    ${children}
  </section>`;
}

function ShardCard({ shard }: { readonly shard: Dashboard["shard"] }): VNode {
  return html`<${Card} title=${words.home.shard}>
    <dl>
      <dt>${words.home.link}</dt>
      <dd><${LinkStatus} status=${shard.status} /></dd>
      <dt>${words.home.game}</dt>
      <dd>${shard.pluginConnected ? words.home.running : words.home.notRunning}</dd>
      <dt>${words.home.online}</dt>
      <dd>${formatNumber(shard.onlineCount)}</dd>
      <dt>${words.home.lastEvent}</dt>
      <dd>${formatAgo(shard.lastEventAt)}</dd>
    </dl>
  <//>`;
}

function ServersCard(): VNode {
  const servers = useApiRead("GET /admin/survival/servers", {}, everyMs);
  return html`<${Card} title=${words.home.servers}>
    <${ReadStateView} read=${servers}>
      ${({ servers: list }: AnswerOf<"GET /admin/survival/servers">) =>
        list.length === 0
          ? html`<p class="soft">${words.home.noServers}</p>`
          : html`<dl>
              ${list.map(
                ({ id, name, link, players, maxPlayers }) => html`<dt key=${id}>${name}</dt>
                  <dd>
                    <${LinkStatus} status=${link.status} />
                    ${players !== null && ` · ${words.home.players(players, maxPlayers)}`}
                  </dd>`,
              )}
            </dl>`}
    <//>
  <//>`;
}

function QueuesCard({ jobs }: { readonly jobs: Jobs }): VNode {
  return html`<${Card} title=${words.home.queues}>
    <${ReadStateView} read=${jobs}>
      ${(data: AnswerOf<"GET /admin/jobs">) => "queues" in data && html`<${QueueSums} data=${data} />`}
    <//>
    <p><a href="/api/queues">${words.home.openQueues}</a></p>
  <//>`;
}

type QueueStates = Extract<AnswerOf<"GET /admin/jobs">, { readonly queues: unknown }>;

function QueueSums({ data: { queues, workers } }: { readonly data: QueueStates }): VNode {
  const sum = (key: "depth" | "active" | "failed") =>
    formatNumber(queues.reduce((total, queue) => total + queue[key], 0));
  const oldest = Math.max(0, ...queues.map(({ oldestSeconds }) => oldestSeconds ?? 0));
  return html`<dl>
    <dt>${words.home.waitingJobs}</dt>
    <dd>${sum("depth")}</dd>
    <dt>${words.home.activeJobs}</dt>
    <dd>${sum("active")}</dd>
    <dt>${words.home.failed}</dt>
    <dd>${sum("failed")}</dd>
    <dt>${words.home.oldest}</dt>
    <dd class=${oldest > 60 ? "bad" : ""}>${formatDuration(oldest)}</dd>
    <dt>${words.home.processes}</dt>
    <dd>${formatNumber(workers.length)}</dd>
  </dl>`;
}

function PeopleCard({ users }: { readonly users: Dashboard["users"] }): VNode {
  return html`<${Card} title=${words.home.people}>
    <dl>
      <dt>${words.home.total}</dt>
      <dd>${formatNumber(users.total)}</dd>
      <dt>${words.home.active7d}</dt>
      <dd>${formatNumber(users.active7d)}</dd>
      <dt>${words.home.new7d}</dt>
      <dd>${formatNumber(users.new7d)}</dd>
    </dl>
  <//>`;
}
