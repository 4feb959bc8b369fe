import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { callApi } from "../../api/call.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type ActionState, useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

/** Shows a text to all players in the shard. */
export function Broadcast(): VNode {
  const action = useAction();
  const command = useCommand();
  const [isDirty, setDirty] = useState(false);
  const [sent, setSent] = useState<{
    readonly recipients: number | null;
    readonly at: number;
  } | null>(null);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const hue = readTextField(values, "hue");
    const body = { text: readTextField(values, "text"), ...(hue !== "" && { hue: Number(hue) }) };
    const { recipients } = await command(body, (headers) =>
      callApi("POST /admin/shard/broadcast", { body, headers }),
    );
    setDirty(false);
    setSent({ recipients: recipients ?? null, at: Date.now() });
  };
  return html`<p>${words.broadcast.hint}</p>
    ${
      sent &&
      html`<p key=${sent.at} class="notice good" role="status">
        ${words.broadcast.sent(sent.recipients)}
      </p>`
    }
    <div onInput=${() => setDirty(true)}>
      <${Form}
        key=${sent?.at}
        action=${action}
        onSend=${onSend}
        send=${words.broadcast.send}
        label=${words.moderation.tabs.broadcast}
      >
        <${Fields} problem=${action.problem} />
      <//>
    </div>`;
}

const Fields = ({ problem }: Pick<ActionState, "problem">): VNode =>
  html`<${Field}
          label=${words.broadcast.text}
          name="text"
          as="textarea"
          maxlength="256"
          required
          problem=${problem}
        />
        <${Field}
          label=${words.broadcast.hue}
          name="hue"
          type="number"
          min="0"
          max="3000"
          hint=${words.broadcast.hueHint}
          problem=${problem}
        />`;
