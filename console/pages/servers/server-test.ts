import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { html } from "../../parts/html.ts";
import { ProblemView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { words } from "../../words/words.ts";
import type { Server } from "./link-status.ts";
import { LinkTestResult } from "./test-result.ts";

type Test = AnswerOf<"POST /admin/survival/servers/{id}/test">;

/** Tests the link of a survival server and says why it fails. */
export function ServerLinkTest({ server }: { readonly server: Server }): VNode {
  const action = useAction();
  const [result, setResult] = useState<Test | null>(null);
  const { id } = server;
  const test = () =>
    action.run(async () => {
      setResult(null);
      setResult(await callApi("POST /admin/survival/servers/{id}/test", { path: { id } }));
    });
  return html`<div class="buttons">
      <button type="button" aria-disabled=${action.isRunning} onClick=${() => void test()}>
        ${action.isRunning ? words.actions.working : words.gameServers.test}
      </button>
    </div>
    <${ProblemView} problem=${action.problem} />
    ${
      result &&
      html`<${LinkTestResult}
        isWorking=${result.ok}
        reason=${result.reason ?? null}
        advice=${adviseTest(server.kind, result)}
      />`
    }`;
}

function adviseTest(kind: Server["kind"], { ok, code = "" }: Test): readonly string[] {
  const { testAdvice, testLocked } = words.gameServers;
  if (ok) return code === "LOCKED" ? [testLocked] : [];
  const advice: Readonly<Record<string, string>> = testAdvice[kind];
  const known = advice[code];
  return known === undefined ? [] : [known];
}
