import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import { type AnswerOf, callApi } from "../../../api/call.ts";
import { Problem } from "../../../api/problem.ts";
import { Field, Form, readTextField } from "../../../parts/form.ts";
import { html } from "../../../parts/html.ts";
import { type ActionState, useAction } from "../../../parts/use-action.ts";
import { useCommand } from "../../../parts/use-command.ts";
import { type DirtyState, useDirtyState } from "../../../parts/use-dirty.ts";
import { VersionConflict } from "../../../parts/versions.ts";
import { words } from "../../../words/words.ts";
import type { ConfigDocument } from "./file.ts";
import { WriteProgress } from "./progress.ts";

interface EditorProps {
  readonly serverId: number;
  readonly shown: ConfigDocument;
  /** Called when the outcome of a write is known. */
  readonly onEnded: () => void;
  /** Reads the file again. */
  readonly onReload: () => Promise<void>;
}

/** Edits the text of a configuration file. A conflict shows both versions and keeps the typed one. */
export function ConfigEditor(props: EditorProps): VNode {
  const { config: text } = words.survival;
  const { serverId, shown, onReload } = props;
  const edit = useConfigEdit(props);
  return html`<div onInput=${edit.onInput}>
    <${Form} key=${edit.turn} action=${edit.action} onSend=${edit.onSend} send=${text.write} label=${text.edit}>
      <${Field}
        as="textarea"
        class="code tall"
        name="text"
        label=${text.text}
        hint=${text.textHint}
        spellcheck="false"
        defaultValue=${edit.startText}
        problem=${edit.action.problem}
      />
      <${Field}
        type="checkbox"
        name="reload"
        label=${text.reload}
        hint=${text.reloadHint}
        defaultChecked=${true}
      />
    <//>
    ${
      edit.conflict &&
      html`<${VersionConflict}
      mine=${edit.conflict.mine}
      stored=${edit.conflict.stored.text}
      onTakeStored=${edit.takeStored}
      onKeepMine=${edit.keepMine}
    />`
    }
    ${
      edit.writeId !== null &&
      html`<${WriteProgress}
      key=${edit.writeId}
      serverId=${serverId}
      writeId=${edit.writeId}
      plugin=${shown.plugin}
      onEnded=${edit.onOutcome}
      onReload=${onReload}
    />`
    }
  </div>`;
}

interface Conflict {
  readonly mine: string;
  readonly stored: ConfigDocument;
}

interface ConfigEdit {
  readonly action: ActionState;
  readonly onInput: () => void;
  readonly turn: number;
  readonly startText: string;
  readonly conflict: Conflict | null;
  readonly writeId: string | null;
  readonly onSend: (values: FormData) => Promise<void>;
  readonly onOutcome: (write: ConfigWrite) => void;
  readonly takeStored: () => void;
  readonly keepMine: () => void;
}

export type ConfigWrite =
  AnswerOf<"GET /admin/survival/config/{serverId}/writes/{writeId}">["write"];

const fileOperation = "/admin/survival/config/{serverId}/files/{plugin}" as const;

function useConfigEdit({ serverId, shown, onEnded }: EditorProps): ConfigEdit {
  const action = useAction();
  const dirty = useDirtyState();
  const command = useCommand();
  const versions = useVersions(shown, dirty);
  const [writeId, setWriteId] = useState<string | null>(null);
  const inputs = useRef(0);
  const onInput = () => {
    inputs.current += 1;
    dirty.mark();
  };
  const path = { serverId, plugin: shown.plugin };
  const send = async (text: string, reload: boolean) => {
    const inputsBefore = inputs.current;
    const body = { text, baseHash: versions.basis, reload };
    const answer = await command(body, (headers) =>
      callApi(`PUT ${fileOperation}`, { path, body, headers }),
    );
    setWriteId(answer.writeId);
    if (inputs.current === inputsBefore) dirty.clear();
  };
  const onSend = async (values: FormData) => {
    const text = readTextField(values, "text");
    versions.setConflict(null);
    try {
      await send(text, values.has("reload"));
    } catch (error) {
      // The refusal names only the hash of the stored file, so read the file for the comparison.
      if (error instanceof Problem && error.code === "stale_revision") {
        const { document: stored } = await callApi(`GET ${fileOperation}`, { path });
        versions.setConflict({ mine: text, stored });
      }
      throw error;
    }
  };
  const onOutcome = ({ outcome, afterHash, writtenHash }: ConfigWrite) => {
    if (outcome !== "ok") dirty.mark();
    // If the plugin has rewritten its file, the next write must show both versions.
    if (afterHash === writtenHash) versions.setBasis(writtenHash);
    onEnded();
  };
  const end = (choose: () => void) => () => {
    choose();
    action.clear();
  };
  const { turn, startText, conflict, takeStored, keepMine } = versions;
  const choices = { takeStored: end(takeStored), keepMine: end(keepMine) };
  return { action, onInput, turn, startText, conflict, writeId, onSend, onOutcome, ...choices };
}

interface VersionChoice {
  /** The hash of the version on which the next write is based. */
  readonly basis: string;
  readonly setBasis: (hash: string) => void;
  readonly turn: number;
  readonly startText: string;
  readonly conflict: Conflict | null;
  readonly setConflict: (conflict: Conflict | null) => void;
  readonly takeStored: () => void;
  readonly keepMine: () => void;
}

/** Remembers on which version the text is based, and the version that somebody else has written. */
function useVersions(shown: ConfigDocument, dirty: DirtyState): VersionChoice {
  const [basis, setBasis] = useState(shown.hash);
  const [start, setStart] = useState({ text: shown.text, turn: 0 });
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const keepMine = () => {
    if (conflict) setBasis(conflict.stored.hash);
    setConflict(null);
  };
  const takeStored = () => {
    keepMine();
    if (conflict) setStart({ text: conflict.stored.text, turn: start.turn + 1 });
    dirty.clear();
  };
  const { text: startText, turn } = start;
  return { basis, setBasis, turn, startText, conflict, setConflict, takeStored, keepMine };
}
