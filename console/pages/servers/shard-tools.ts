import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { type ReadState, useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import type { ShardLink } from "./link-status.ts";
import { RejectedFrames } from "./rejected-frames.ts";
import { TownCrier } from "./town-crier.ts";

/** Tools that work over the link: sign-up mode, town crier, rejected frames. */
export function ShardTools({ link }: { readonly link: ShardLink }): VNode {
  const hasCommands = link.enabled && link.kind !== "status";
  const tools = html`<${SignupMode} /><${TownCrier} />`;
  return html`<h2>${words.gameServers.tools}</h2>
    ${hasCommands ? tools : html`<p class="soft">${words.gameServers.toolsNeedLink}</p>`}
    <${RejectedFrames} />`;
}

type Modes = AnswerOf<"GET /admin/shardlink/signup-mode">;

function SignupMode(): VNode {
  const read = useApiRead("GET /admin/shardlink/signup-mode", {});
  return html`<section aria-label=${words.gameServers.signupMode}>
    <h3>${words.gameServers.signupMode}</h3>
    <p class="soft">${words.gameServers.signupHint}</p>
    <${ReadStateView} read=${read}>
      ${(modes: Modes) => html`<${SignupForm} modes=${modes} read=${read} />`}
    <//>
  </section>`;
}

function SignupForm({
  modes: { mode, modes },
  read,
}: {
  readonly modes: Modes;
  readonly read: ReadState<Modes>;
}): VNode {
  const { gameServers } = words;
  const action = useAction();
  const command = useCommand();
  const [isSaved, setSaved] = useState(false);
  const onSend = async (values: FormData) => {
    setSaved(false);
    const chosen = modes.find((one) => one === readTextField(values, "mode")) ?? mode;
    const body = { mode: chosen };
    const answer = await command(body, (headers) =>
      callApi("PUT /admin/shardlink/signup-mode", { body, headers }),
    );
    read.set({ modes, ...answer });
    setSaved(true);
  };
  return html`<${Form}
      action=${action}
      onSend=${onSend}
      send=${words.actions.save}
      label=${gameServers.signupMode}
    >
      <${Field} as="select" label=${gameServers.signupMode} name="mode" problem=${action.problem}>
        ${modes.map(
          (one) =>
            html`<option key=${one} value=${one} selected=${one === mode}>
              ${gameServers.signupModes[one]}
            </option>`,
        )}
      <//>
    <//>
    ${isSaved && html`<p class="notice good" role="status">${gameServers.signupSaved}</p>`}`;
}
