import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { CopyText } from "../../parts/copy-text.ts";
import { DescriptionList } from "../../parts/facts.ts";
import { formatAgo, formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import type { Server } from "./link-status.ts";

type NewReportKey = AnswerOf<"POST /admin/survival/servers/{id}/report-key">;

/** Creates, replaces and deletes the key with which the game sends reports. A new key is shown once. */
export function ReportKey({
  server: { id, reportKey },
  onChange,
}: {
  readonly server: Server;
  readonly onChange: () => Promise<void>;
}): VNode {
  const { gameServers } = words;
  const action = useAction();
  const [made, setMade] = useState<NewReportKey | null>(null);
  const path = { id };
  const create = async () => {
    setMade(await callApi("POST /admin/survival/servers/{id}/report-key", { path }));
    await onChange();
  };
  const remove = async () => {
    await callApi("DELETE /admin/survival/servers/{id}/report-key", { path });
    setMade(null);
    await onChange();
  };
  const createFirst = html`<button type="button" onClick=${() => void action.run(create)}>
    ${gameServers.createReportKey}
  </button>`;
  return html`<section aria-label=${gameServers.reportKey}>
    <h2>${gameServers.reportKey}</h2>
    <p class="soft">${gameServers.reportKeyHint}</p>
    ${reportKey ? html`<${KeyFacts} reportKey=${reportKey} />` : html`<p>${gameServers.noReportKey}</p>`}
    ${made && html`<${Lines} made=${made} onDone=${() => setMade(null)} />`}
    <${ProblemView} problem=${action.problem} />
    <div class="buttons">
      ${reportKey ? html`<${Changes} onReplace=${create} onDelete=${remove} />` : createFirst}
    </div>
  </section>`;
}

const KeyFacts = ({
  reportKey: { createdAt, lastUsedAt },
}: {
  readonly reportKey: NonNullable<Server["reportKey"]>;
}): VNode =>
  html`<${DescriptionList}
    facts=${[
      [words.gameServers.keyCreated, formatTime(createdAt)],
      [words.gameServers.keyUsed, formatAgo(lastUsedAt)],
    ]}
  />`;

const Lines = ({
  made: { commands },
  onDone,
}: {
  readonly made: NewReportKey;
  readonly onDone: () => void;
}): VNode =>
  html`<div class="notice good stack" role="status">
    <p>${words.gameServers.reportOnce}</p>
    <${CopyText} label=${words.gameServers.lineInConsole} text=${commands.join("\n")} />
    <div class="buttons">
      <button type="button" onClick=${onDone}>${words.gameServers.hideKey}</button>
    </div>
  </div>`;

function Changes({
  onReplace,
  onDelete,
}: {
  readonly onReplace: () => Promise<void>;
  readonly onDelete: () => Promise<void>;
}): VNode {
  const { gameServers } = words;
  return html`<${ConfirmButton}
      text=${gameServers.replaceReportKey}
      title=${gameServers.replaceReportKey}
      question=${gameServers.replaceReportQuestion}
      confirm=${gameServers.replaceReportKey}
      onConfirm=${onReplace}
    />
    <${ConfirmButton}
      text=${gameServers.deleteReportKey}
      title=${gameServers.deleteReportKey}
      question=${gameServers.deleteReportQuestion}
      confirm=${gameServers.deleteReportKey}
      onConfirm=${onDelete}
      danger
    />`;
}
