import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { html } from "../../../parts/html.ts";
import { ProblemView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useAction } from "../../../parts/use-action.ts";
import { words } from "../../../words/words.ts";
import type { ServerList } from "../use-servers.ts";
import { NpcSyncState } from "./reach.ts";

type Results = AnswerOf<"POST /admin/survival/npcs/push">["results"];

/** A button that syncs NPCs to servers now. Without an id, to all servers. */
export function SyncNpcsButton({
  serverId,
  servers,
  onSynced,
}: {
  readonly serverId?: number;
  readonly servers: ServerList;
  readonly onSynced: () => Promise<void>;
}): VNode {
  const { npcs: text } = words.survival;
  const action = useAction();
  const [results, setResults] = useState<Results | null>(null);
  const sync = () =>
    action.run(async () => {
      const body = serverId === undefined ? {} : { serverIds: [serverId] };
      const answer = await callApi("POST /admin/survival/npcs/push", { body });
      setResults(answer.results);
      await onSynced();
    });
  const rows = results?.map((result) => ({
    key: result.serverId,
    cells: [
      servers.nameOf(result.serverId),
      html`<${NpcSyncState} state=${result.state} />`,
      result.error ?? "–",
    ],
  }));
  return html`<${ProblemView} problem=${action.problem} />
    <p>
      <button type="button" aria-disabled=${action.isRunning} onClick=${() => void sync()}>
        ${text.syncNow}
      </button>
    </p>
    <div role="status">
      ${
        rows &&
        html`<${Table} label=${text.syncResults} heads=${[text.server, text.state, text.error]} rows=${rows} />`
      }
    </div>`;
}
