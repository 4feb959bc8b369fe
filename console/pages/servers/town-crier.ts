import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../api/call.ts";
import { ConfirmButton } from "../../parts/ask-button.ts";
import { Field, Form, readTextField } from "../../parts/form.ts";
import { formatTime } from "../../parts/format.ts";
import { html } from "../../parts/html.ts";
import { ReadStateView } from "../../parts/problem-view.ts";
import { Table } from "../../parts/table.ts";
import { useAction } from "../../parts/use-action.ts";
import { useCommand } from "../../parts/use-command.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";

type Entries = AnswerOf<"GET /admin/shardlink/towncrier">;
type Entry = Entries["entries"][number];

/** The texts that the town criers of the game repeat. */
export function TownCrier(): VNode {
  const { gameServers } = words;
  const read = useApiRead("GET /admin/shardlink/towncrier", {});
  return html`<section>
    <h3>${gameServers.townCrier}</h3>
    <p class="soft">${gameServers.townCrierHint}</p>
    <${ReadStateView} read=${read}>
      ${({ entries }: Entries) =>
        html`<${Table}
          label=${gameServers.townCrier}
          heads=${[gameServers.lines, gameServers.expires, gameServers.removeEntry]}
          rows=${entries.map((entry) => ({
            key: entry.id,
            cells: [
              entry.lines.map((line, at) => html`<div key=${at}>${line}</div>`),
              formatTime(entry.expiresAt),
              html`<${RemoveEntry} entry=${entry} onRemoved=${read.reload} />`,
            ],
          }))}
          none=${gameServers.noEntries}
        />`}
    <//>
    <${EntryForm} onAdded=${read.reload} />
  </section>`;
}

function RemoveEntry({
  entry: { id, lines },
  onRemoved,
}: {
  readonly entry: Entry;
  readonly onRemoved: () => Promise<void>;
}): VNode {
  const { gameServers } = words;
  const command = useCommand();
  const remove = async () => {
    const path = { id };
    await command(path, (headers) =>
      callApi("DELETE /admin/shardlink/towncrier/{id}", { path, headers }),
    );
    await onRemoved();
  };
  return html`<${ConfirmButton}
    text=${gameServers.removeEntry}
    title=${gameServers.removeEntryTitle}
    question=${gameServers.removeEntryQuestion(lines[0] ?? "")}
    confirm=${gameServers.removeEntry}
    onConfirm=${remove}
    danger
  />`;
}

/** The units in which a duration is entered, in seconds. */
const units = [60, 3_600, 86_400] as const;

function EntryForm({ onAdded }: { readonly onAdded: () => Promise<void> }): VNode {
  const { gameServers } = words;
  const action = useAction();
  const command = useCommand();
  const [round, setRound] = useState(0);
  const [isDirty, setDirty] = useState(false);
  useUnsavedWarning(isDirty);
  const onSend = async (values: FormData) => {
    const lines = readTextField(values, "lines").trim().split(/\r?\n/);
    const durationSec =
      Number(readTextField(values, "count")) * Number(readTextField(values, "unit"));
    const body = { lines, durationSec };
    await command(body, (headers) => callApi("POST /admin/shardlink/towncrier", { body, headers }));
    setRound((was) => was + 1);
    setDirty(false);
    await onAdded();
  };
  const { problem } = action;
  return html`<div key=${round} onInput=${() => setDirty(true)}>
    <${Form} action=${action} onSend=${onSend} send=${gameServers.addEntry} label=${gameServers.addEntry}>
      <${Field}
        as="textarea"
        label=${gameServers.lines}
        name="lines"
        hint=${gameServers.linesHint}
        problem=${problem}
        required
      />
      <${Field}
        label=${gameServers.lasts}
        name="count"
        type="number"
        min="1"
        defaultValue="1"
        problem=${problem}
        required
      />
      <${Field} as="select" label=${gameServers.unit} name="unit" problem=${problem}>
        ${units.map(
          (unit) =>
            html`<option key=${unit} value=${unit} selected=${unit === 86_400}>
              ${gameServers.units[unit]}
            </option>`,
        )}
      <//>
    <//>
  </div>`;
}
