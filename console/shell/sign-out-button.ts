import type { VNode } from "preact";

import { html } from "../parts/html.ts";
import { ProblemView } from "../parts/problem-view.ts";
import { useAction } from "../parts/use-action.ts";
import { words } from "../words/words.ts";

/** Ends the session, and shows why that failed: somebody who believes to be signed out may leave the computer. */
export function SignOutButton({ signOut }: { readonly signOut: () => Promise<void> }): VNode {
  const action = useAction();
  return html`<button
      type="button"
      aria-disabled=${action.isRunning}
      onClick=${() => void action.run(signOut)}
    >
      ${words.actions.signOut}
    </button>
    <${ProblemView} problem=${action.problem} />`;
}
