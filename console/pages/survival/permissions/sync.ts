import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { html } from "../../../parts/html.ts";
import { ProblemView } from "../../../parts/problem-view.ts";
import { Table } from "../../../parts/table.ts";
import { useAction } from "../../../parts/use-action.ts";
import { useApiRead } from "../../../parts/use-read.ts";
import { useAccessCheck } from "../../../shell/session.ts";
import { words } from "../../../words/words.ts";
import { syncKinds } from "./overview.ts";

type Result = AnswerOf<"POST /admin/survival/permissions/sync">["results"][number];

/** The state of a server's permission sync, with buttons for a dry run and for an immediate sync. */
export function PermissionSyncControls({
  serverId,
  onSynced,
}: {
  readonly serverId: number;
  readonly onSynced: () => Promise<void>;
}): VNode {
  const { sync: text, permissions } = words.survival;
  const may = useAccessCheck();
  const action = useAction();
  const [result, setResult] = useState<Result | null>(null);
  const overview = useApiRead("GET /admin/survival/permissions", {}, 5_000);
  const state = overview.data?.servers.find((one) => one.serverId === serverId);
  const run = (dryRun: boolean) =>
    action.run(async () => {
      const body = { serverIds: [serverId], dryRun };
      const { results } = await callApi("POST /admin/survival/permissions/sync", { body });
      setResult(results[0] ?? null);
      if (!dryRun) await Promise.all([overview.reload(), onSynced()]);
    });
  return html`<p>
      ${text.state}${" "}
      <strong class=${state ? syncKinds[state.state] : "soft"}>
        ${state ? permissions.states[state.state] : text.unmanaged}
      </strong>
      ${state?.error && html` <span class="bad">${state.error}</span>`}
    </p>
    <${ProblemView} problem=${action.problem} />
    ${
      may("POST /admin/survival/permissions/sync") &&
      html`<div class="buttons">
      <button type="button" aria-disabled=${action.isRunning} onClick=${() => void run(true)}>
        ${text.preview}
      </button>
      <button type="button" class="main" aria-disabled=${action.isRunning} onClick=${() => void run(false)}>
        ${text.now}
      </button>
    </div>`
    }
    <div role="status">${result && html`<${Steps} result=${result} />`}</div>`;
}

function Steps({ result: { state, ops, diff } }: { readonly result: Result }): VNode {
  const { sync: text, permissions, inventory } = words.survival;
  if (!diff) return html`<p>${text.sent(permissions.states[state], ops)}</p>`;
  const rows = diff.map(({ op, subjectKind, subject, kind, value }, at) => ({
    key: at,
    cells: [text.ops[op], inventory.subjects[subjectKind], subject, inventory.kinds[kind], value],
  }));
  const heads = [
    text.step,
    inventory.subjectKind,
    inventory.subject,
    inventory.kind,
    inventory.value,
  ];
  return html`<${Table} label=${text.steps} heads=${heads} rows=${rows} none=${text.noSteps} />`;
}
