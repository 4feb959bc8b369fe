import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../../api/call.ts";
import { ConfirmButton } from "../../../parts/ask-button.ts";
import { formatTime } from "../../../parts/format.ts";
import { html } from "../../../parts/html.ts";
import { MoreButton } from "../../../parts/pager.ts";
import { ReadStateView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { type PagedList, usePagedList } from "../../../parts/use-pages.ts";
import { words } from "../../../words/words.ts";
import type { ConfigWrite } from "./editor.ts";
import { LogTail, configWriteOutcomeOf, WriteProgress } from "./progress.ts";

interface WritesProps {
  readonly serverId: number;
  /** Shows only the writes of this plugin's file. */
  readonly plugin?: string;
  /** Called when a rollback has ended. */
  readonly onRolledBack?: () => Promise<void>;
}

/** The changes of configuration files, newest first, with their outcomes. */
export function ConfigWrites({ serverId, plugin, onRolledBack }: WritesProps): VNode {
  const { config: text } = words.survival;
  const [rollback, setRollback] = useState<Rollback | null>(null);
  const pages = usePagedList<ConfigWrite>(`${serverId} ${plugin ?? ""}`, async (before) => {
    const query = { limit: 20, ...(plugin && { plugin }), ...(before !== undefined && { before }) };
    const answer = await callApi("GET /admin/survival/config/{serverId}/writes", {
      path: { serverId },
      query,
    });
    return { entries: answer.writes, next: answer.next };
  });
  const onEnded = () => void pages.reload();
  return html`<h2>${text.writes}</h2>
    <p class="soft">${text.writesHint}</p>
    ${
      rollback &&
      html`<${WriteProgress}
      key=${rollback.writeId}
      serverId=${serverId}
      writeId=${rollback.writeId}
      plugin=${rollback.plugin}
      onEnded=${onEnded}
      onReload=${async () => {
        setRollback(null);
        await onRolledBack?.();
      }}
    />`
    }
    <${ReadStateView} read=${pages}>
      ${(writes: readonly ConfigWrite[]) =>
        html`<${WriteTable} serverId=${serverId} writes=${writes} onRollback=${setRollback} />
          <${MoreWrites} pages=${pages} />`}
    <//>`;
}

interface Rollback {
  readonly writeId: string;
  readonly plugin: string;
}

const MoreWrites = ({ pages }: { readonly pages: PagedList<ConfigWrite> }): VNode =>
  html`<${MoreButton} hasMore=${pages.hasMore} onMore=${pages.more} />`;

function WriteTable({
  serverId,
  writes,
  onRollback,
}: {
  readonly serverId: number;
  readonly writes: readonly ConfigWrite[];
  readonly onRollback: (rollback: Rollback) => void;
}): VNode {
  const { config: text } = words.survival;
  const rollBack = async ({ writeId, plugin }: ConfigWrite) => {
    const answer = await callApi(
      "POST /admin/survival/config/{serverId}/writes/{writeId}/rollback",
      {
        path: { serverId, writeId },
      },
    );
    onRollback({ writeId: answer.writeId, plugin });
  };
  const rows = writes.map((write) => ({
    key: write.writeId,
    cells: [
      formatTime(write.createdAt),
      write.plugin,
      write.createdBy ?? "–",
      html`<${WriteState} write=${write} />`,
      html`<${ConfirmButton}
        text=${text.rollBack}
        title=${text.rollBackTitle(write.plugin)}
        question=${text.rollBackQuestion(formatTime(write.createdAt))}
        confirm=${text.rollBack}
        onConfirm=${() => rollBack(write)}
      />`,
    ],
  }));
  const heads = [text.time, text.plugin, text.by, text.outcome, text.actions];
  return html`<${Table} label=${text.writes} heads=${heads} rows=${rows} none=${text.noWrites} />`;
}

function WriteState({ write }: { readonly write: ConfigWrite }): VNode {
  const { config: text } = words.survival;
  const outcome = configWriteOutcomeOf(write);
  const kind = outcome === "ok" ? "good" : outcome === "reloading" ? "warn" : "bad";
  const late = write.lateOutcome;
  return html`<span class=${kind}>${text.states[outcome]}</span>
    ${write.rollbackOf && html` <span class="soft">${text.isRollback}</span>`}
    ${write.message && html`<p>${write.message}</p>`}
    ${late && html`<p>${text.late(late.ok, formatTime(late.at))} ${late.message}</p>`}
    <${LogTail} lines=${write.logTail} />`;
}
