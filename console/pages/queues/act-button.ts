import type { VNode } from "preact";

import { html } from "../../parts/html.ts";
import { useAction } from "../../parts/use-action.ts";
import type { QueueActionRunner } from "./use-queues.ts";

/** A button that ignores clicks while its action runs. Disabling it would lose the focus. */
export function QueueActionButton({
  text,
  label,
  work,
  act,
}: {
  readonly text: string;
  readonly label: string;
  readonly work: () => Promise<unknown>;
  readonly act: QueueActionRunner;
}): VNode {
  const action = useAction();
  const onClick = () => void action.run(() => act(work));
  return html`<button
    type="button"
    aria-label=${label}
    aria-disabled=${action.isRunning}
    onClick=${onClick}
  >
    ${text}
  </button>`;
}
