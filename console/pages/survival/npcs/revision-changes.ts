import type { VNode } from "preact";

import { FormButton } from "../../../parts/form-button.ts";
import { html } from "../../../parts/html.ts";
import { Differences } from "../../../parts/versions.ts";
import { words } from "../../../words/words.ts";

/** A button that shows the differences between an old revision and the current one. */
export function RevisionChanges({
  revision,
  old,
  current,
}: {
  readonly revision: number;
  readonly old: string;
  readonly current: string;
}): VNode {
  const { revisions: text } = words.survival;
  return html`<${FormButton} text=${text.compare} title=${text.compareTitle(revision)}>
    ${() =>
      html`<${Differences} before=${old} after=${current} heads=${[text.old, text.current]} />`}
  <//>`;
}
