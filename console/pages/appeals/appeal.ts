import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { CurrentUser } from "../../api/access.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useAccessCheck, useSession } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { ReportTable } from "../reports/report-table.ts";
import { DecisionForm } from "./decision-form.ts";
import { Messages } from "./messages.ts";
import { ReplyForm } from "./reply-form.ts";
import {
  assigneeOf,
  type AppealDetail,
  isUndecided,
  type StaffAppeal,
  type StaffMessage,
} from "./states.ts";

const everyMs = 10_000;

/** One appeal: the ban, the messages, and forms to answer and to decide. */
export function AppealPage({ params }: PageProps): VNode {
  const read = useApiRead(
    "GET /admin/appeals/{id}",
    { path: { id: Number(params["id"]) } },
    everyMs,
  );
  return html`<p><a href="/console/appeals">${words.appeal.back}</a></p>
    <h1>${read.data ? words.appeal.title(read.data.appeal.account) : words.pages.appeal}</h1>
    <${ReadStateView} read=${read}>
      ${(detail: AppealDetail) => html`<${View} detail=${detail} read=${read} />`}
    <//>`;
}

export interface AppealViewProps {
  readonly detail: AppealDetail;
  readonly read: ReadState<AppealDetail>;
}

function View({ detail, read }: AppealViewProps): VNode {
  const { appeal, messages, reports } = detail;
  const { me } = useSession();
  const may = useAccessCheck();
  // The state that the person has read. A decision is based on it.
  const [seen, setSeen] = useState<AppealDetail>(detail);
  const unread = unreadIn(detail, seen, me.username);
  const news = newsOf(detail, seen, me);
  return html`<${Facts} appeal=${appeal} />
    <h2>${words.appeal.messages}</h2>
    <${Messages} messages=${messages} reason=${appeal.reason} user=${appeal.user.username} at=${appeal.created_at} />
    ${
      news.length > 0 &&
      html`<div class="notice" role="status">
        <p>${words.appeal.meanwhile}</p>
        <ul>
          ${news.map((text) => html`<li key=${text}>${text}</li>`)}
        </ul>
        <button type="button" onClick=${() => setSeen(detail)}>${words.appeal.haveRead}</button>
      </div>`
    }
    ${
      may("POST /admin/appeals/{id}/messages") &&
      html`<${ReplyForm} appeal=${appeal} read=${read}/>`
    }
    ${
      may("POST /admin/appeals/{id}/decision") &&
      html`<${DecisionForm}
        appeal=${appeal}
        basedOn=${appeal.messages_count - unread.length}
        read=${read}
        onDecided=${(decided: StaffAppeal) => setSeen({ ...detail, appeal: decided })}
      />`
    }
    <h2>${words.reports.about}</h2>
    <p>${words.reports.aboutCount(reports.count)}</p>
    <${ReportTable} reports=${reports.newest} none=${words.reports.noneAbout} />`;
}

/** Returns the messages that others wrote since the person read the appeal. */
function unreadIn(
  { messages }: AppealDetail,
  seen: AppealDetail,
  ownName: string,
): readonly StaffMessage[] {
  const lastId = seen.messages.at(-1)?.id ?? 0;
  return messages.filter(({ id, author_name: name }) => id > lastId && name !== ownName);
}

/** Describes the changes that others made to the appeal since the person read it, in sentences. */
function newsOf(
  detail: AppealDetail,
  { appeal: seen, ...read }: AppealDetail,
  me: CurrentUser,
): readonly string[] {
  const { appeal } = detail;
  const texts: string[] = [];
  const unread = unreadIn(detail, { appeal: seen, ...read }, me.username);
  const authors = new Set(unread.map(({ author_name: name }) => name ?? words.appeal.deletedUser));
  if (unread.length > 0) texts.push(words.appeal.added(unread.length, [...authors].join(", ")));
  const assignee = assigneeOf(appeal);
  if (assignee && assignee.id !== assigneeOf(seen)?.id && assignee.id !== me.id) {
    texts.push(words.appeal.takenOver(assignee.username));
  }
  if (isUndecided(seen) && !isUndecided(appeal)) {
    texts.push(words.appeal.nowIs(words.appeals.states[appeal.state]));
  }
  return texts;
}

function Facts({ appeal }: { readonly appeal: StaffAppeal }): VNode {
  const { punishment: ban, unban } = appeal;
  const may = useAccessCheck();
  const person = (id: number, name: string): ComponentChildren =>
    may("GET /admin/users/{id}") ? html`<a href=${`/console/people/${id}`}>${name}</a>` : name;
  const issuer = ban.issued_by?.username ?? "–";
  return html`<dl>
    <dt>${words.appeals.state}</dt>
    <dd>${words.appeals.states[appeal.state]}</dd>
    <dt>${words.appeals.player}</dt>
    <dd>${person(appeal.user.id, appeal.user.username)}</dd>
    <dt>${words.appeals.account}</dt>
    <dd>${appeal.account}</dd>
    <dt>${words.appeal.ban}</dt>
    <dd>${words.appeal.banNumber(ban.id)}: ${ban.reason}</dd>
    <dt>${words.appeal.issued}</dt>
    <dd>${words.appeal.issuedBy(formatTime(ban.issued_at), issuer)}</dd>
    <dt>${words.appeal.ends}</dt>
    <dd>${ban.expires_at === null ? words.appeal.noEnd : formatTime(ban.expires_at)}</dd>
    <dt>${words.appeals.assignee}</dt>
    <dd>${assigneeOf(appeal)?.username ?? words.appeals.nobody}</dd>
    ${
      appeal.decided_at !== null &&
      html`<dt>${words.appeal.decidedAt}</dt>
      <dd>${formatTime(appeal.decided_at)}</dd>`
    }
    ${
      appeal.decision_note !== null &&
      html`<dt>${words.appeal.decisionNote}</dt>
      <dd class="text">${appeal.decision_note}</dd>`
    }
    ${
      unban &&
      html`<dt>${words.appeal.unban}</dt>
      <dd>
        <span class=${unban.status === "done" ? "good" : "warn"} role="status">
          ${words.appeal.unbanStates[unban.status]} ${unban.reason}
        </span>
      </dd>`
    }
  </dl>`;
}
