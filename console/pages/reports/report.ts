import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi, type OperationName } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView, ProblemView } from "../../parts/problem-view.ts";
import { reloadOnFailure, useAction } from "../../parts/use-action.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import type { PageProps } from "../../shell/frame.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import { PlayerCommands } from "./player-commands.ts";
import { type SurvivalReport, targetOf } from "./report-table.ts";

type Answer = AnswerOf<"GET /admin/survival/reports/{id}">;

interface ReportProps {
  readonly report: SurvivalReport;
  readonly read: ReadState<Answer>;
}

const everyMs = 15_000;

/** One report of a player, and what staff can do about it. */
export function ReportPage({ params }: PageProps): VNode {
  const id = Number(params["id"]);
  const read = useApiRead("GET /admin/survival/reports/{id}", { path: { id } }, everyMs);
  const subject = read.data?.report.subject;
  return html`<p><a href="/console/reports">${words.report.back}</a></p>
    <h1>${subject === "" ? words.reports.noSubject : (subject ?? words.pages.report)}</h1>
    <${ReadStateView} read=${read}>
      ${({ report }: Answer) => html`<${View} report=${report} read=${read} />`}
    <//>`;
}

function View({ report, read }: ReportProps): VNode {
  const target = targetOf(report);
  const may = useAccessCheck();
  return html`<${Facts} report=${report} />
    <p class="text card">${report.message}</p>
    <${Handling} report=${report} read=${read} />
    ${
      target &&
      may("POST /admin/survival/servers/{id}/ban") &&
      html`<h2>${words.report.player(target.name)}</h2>
        <p>${words.report.playerHint(report.server.name)}</p>
        <${PlayerCommands}
          serverId=${report.server.id}
          steamId=${target.steamId}
          name=${target.name}
        />`
    }`;
}

function Facts({ report }: Pick<ReportProps, "report">): VNode {
  const target = targetOf(report);
  return html`<dl>
    <dt>${words.reports.state}</dt>
    <dd>${words.reports.states[report.state]}</dd>
    <dt>${words.reports.server}</dt>
    <dd>${report.server.name}</dd>
    <dt>${words.reports.player}</dt>
    <dd>
      ${target ? playerText(target) : words.reports.feedback}
      ${
        target &&
        html` · <a href=${`/console/reports?target=${target.steamId}`}>${words.report.allAbout}</a>`
      }
    </dd>
    <dt>${words.reports.reporter}</dt>
    <dd>
      ${playerText(report.reporter)}${" · "}
      <a href=${`/console/reports?reporter=${report.reporter.steamId}`}>${words.report.allBy}</a>
    </dd>
    <dt>${words.reports.type}</dt>
    <dd>${report.type ?? "–"}</dd>
    <dt>${words.reports.at}</dt>
    <dd>${formatTime(report.reportedAt)}</dd>
    ${
      report.seenAt !== null &&
      html`<dt>${words.reports.states.seen}</dt>
      <dd>${words.report.byAt(report.seenBy?.username ?? "–", formatTime(report.seenAt))}</dd>`
    }
    ${
      report.closedAt !== null &&
      html`<dt>${words.reports.states.closed}</dt>
      <dd>${words.report.byAt(report.closedBy?.username ?? "–", formatTime(report.closedAt))}</dd>`
    }
    ${
      report.note !== null &&
      html`<dt>${words.report.note}</dt>
      <dd class="text">${report.note}</dd>`
    }
  </dl>`;
}

const playerText = ({ steamId, name }: SurvivalReport["reporter"]): VNode =>
  html`${name} <span class="code">${steamId}</span>`;

/** Marks the report as seen, closes it with a note or opens it again. */
function Handling({ report, read }: ReportProps): VNode {
  const may = useAccessCheck();
  const action = useAction();
  const path = { id: report.id };
  const send = (
    name: Extract<OperationName, `POST /admin/survival/reports/{id}/${"seen" | "reopen"}`>,
  ) => action.run(async () => read.set(await callApi(name, { path })));
  const button = (name: Parameters<typeof send>[0], text: string) =>
    may(name) &&
    html`<button type="button" aria-disabled=${action.isRunning} onClick=${() => void send(name)}>
      ${text}
    </button>`;
  return html`<h2>${words.report.handle}</h2>
    <${ProblemView} problem=${action.problem} />
    <div class="buttons">
      ${report.state === "open" && button("POST /admin/survival/reports/{id}/seen", words.report.seen)}
      ${
        report.state === "closed" &&
        button("POST /admin/survival/reports/{id}/reopen", words.report.reopen)
      }
    </div>
    ${may("POST /admin/survival/reports/{id}/close") && html`<${CloseForm} report=${report} read=${read} />`}`;
}

/** Closes the report. If somebody else closes it meanwhile, the typed note stays. */
function CloseForm({ report, read }: ReportProps): VNode | null {
  const action = useAction();
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const isClosed = report.state === "closed";
  if (isClosed && !isDirty) return null;
  const onSend = async (values: FormData) => {
    const note = readTextField(values, "note").trim();
    const path = { id: report.id };
    const body = note === "" ? {} : { note };
    const answer = await reloadOnFailure(read.reload, () =>
      callApi("POST /admin/survival/reports/{id}/close", { path, body }),
    );
    read.set(answer);
    setDirty(false);
  };
  const discard = html`<button type="button" onClick=${() => setDirty(false)}>
    ${words.report.discard}
  </button>`;
  return html`${
    isClosed &&
    html`<p class="notice bad" role="status">
    ${words.report.closedMeanwhile(report.closedBy?.username ?? "–")}
  </p>`
  }
    <div onInput=${() => setDirty(true)}>
      <${Form}
        action=${action}
        onSend=${onSend}
        send=${words.report.close}
        label=${words.report.close}
        more=${isClosed && discard}
      >
        <${Field}
          label=${words.report.note}
          name="note"
          as="textarea"
          maxlength="1000"
          hint=${words.report.noteHint}
          problem=${action.problem}
        />
      <//>
    </div>`;
}
