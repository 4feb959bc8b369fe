import type { ComponentChildren, VNode } from "preact";

import type { Problem } from "../api/problem.ts";
import { words } from "../words/words.ts";
import { html } from "./html.ts";
import type { ReadState } from "./use-read.ts";

/** Shows a refusal: what happened, what to do, and the id of the request. */
export function ProblemView({ problem }: { readonly problem: Problem | null }): VNode | null {
  if (!problem) return null;
  const advice = words.problems.advice[problem.code as "stale_revision"];
  const wait = problem.retryAfterSeconds;
  return html`<div class="notice bad" role="alert">
    <p>${problem.message}</p>
    ${
      problem.faults.length > 1 &&
      html`<ul>
      ${problem.faults.map(({ path, message }) => html`<li key=${path + message}>${message}</li>`)}
    </ul>`
    }
    ${advice && html`<p>${advice}</p>`}
    ${wait !== null && html`<p>${words.problems.waitSeconds(wait)}</p>`}
    ${problem.requestId && html`<p class="soft">${words.problems.requestId(problem.requestId)}</p>`}
  </div>`;
}

/** Shows the answer of a read, its refusal or, before the first answer, a loading message. */
export function ReadStateView<Data>({
  read: { data, problem, isLoading, reload },
  children,
}: {
  readonly read: ReadState<Data>;
  readonly children: (data: Data) => ComponentChildren;
}): VNode {
  return html`<div aria-busy=${isLoading && data === null}>
    <${ProblemView} problem=${problem} />
    ${
      problem &&
      html`<button type="button" onClick=${() => void reload()}>${words.actions.tryAgain}</button>`
    }
    ${data !== null ? children(data) : isLoading && html`<p class="soft">${words.loading}</p>`}
  </div>`;
}
