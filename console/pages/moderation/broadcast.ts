import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { call } from "../../api/call.ts";
import { Field, Form, textIn } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type Action, useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useUnsaved } from "../../shell/router.ts";
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
  useUnsaved(isDirty);
  const onSend = async (values: FormData) => {
    const hue = textIn(values, "hue");
    const body = { text: textIn(values, "text"), ...(hue !== "" && { hue: Number(hue) }) };
    const { recipients } = await command(body, (headers) =>
      call("POST /admin/shard/broadcast", { body, headers }),
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

const Fields = ({ problem }: Pick<Action, "problem">): VNode =>
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
