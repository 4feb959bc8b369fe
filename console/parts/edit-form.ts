import type { VNode } from "preact";
import { useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Form } from "./form.ts";
import { html } from "./html.ts";
import { SpecFields } from "./spec-fields.ts";
import { bodyOf, changedIn, describe, type Spec } from "./specs.ts";
import { type Action, useAction } from "./use-action.ts";
import { type Dirty, useDirty } from "./use-dirty.ts";
import { Versions } from "./versions.ts";

export interface EditFormProps<Stored extends object> {
  readonly label: string;
  readonly send: string;
  /** The object that the form shows at first. Empty for a new object. */
  readonly stored: Stored;
  readonly specs: readonly Spec[];
  /** True if the whole object is sent; otherwise, only the changed fields are sent. */
  readonly isWhole?: boolean;
  /**
   * Sends the change.
   * @param basis the version that the person saw last
   * @returns the stored object
   */
  readonly save: (body: object, basis: Stored) => Promise<Stored>;
  /** Called after the change. @returns the address to open */
  readonly onSaved?: (saved: Stored) => string | void;
  /** Called when the fields show another version, so that a page can choose the fields by its values. */
  readonly onShown?: (stored: Stored) => void;
  /** Reads the stored version out of a refusal `stale_revision`. */
  readonly currentIn?: (current: unknown) => Stored;
}

/** A form for an object that several people edit. A conflict shows both versions and keeps the typed one. */
export function EditForm<Stored extends object>(props: EditFormProps<Stored>): VNode {
  const { label, send, specs } = props;
  const edit = useEdit(props);
  const { action, dirty, shown } = edit;
  return html`<div onInput=${edit.onInput} onChange=${edit.onInput}>
    <${Form} key=${edit.turn} action=${action} onSend=${edit.onSend} send=${send} label=${label}>
      <${SpecFields} specs=${specs} stored=${shown} problem=${action.problem} />
    <//>
    ${
      edit.conflict &&
      html`<${Versions}
      mine=${describe(edit.conflict.mine, specs)}
      stored=${describe(edit.conflict.stored, specs)}
      onTakeStored=${edit.takeStored}
      onKeepMine=${edit.keepMine}
    />`
    }
    <p role="status" class="good">${edit.isSaved && !dirty.isDirty && words.edit.saved}</p>
  </div>`;
}

interface Conflict<Stored> {
  readonly mine: object;
  readonly stored: Stored;
}

interface Edit<Stored> {
  readonly action: Action;
  readonly dirty: Dirty;
  readonly shown: Stored;
  /** Changes when the fields are drawn anew. */
  readonly turn: number;
  readonly isSaved: boolean;
  readonly conflict: Conflict<Stored> | null;
  readonly onInput: () => void;
  readonly onSend: (values: FormData) => Promise<void>;
  readonly takeStored: () => void;
  readonly keepMine: () => void;
}

function useEdit<Stored extends object>(props: EditFormProps<Stored>): Edit<Stored> {
  const { specs, isWhole = false, save, onSaved } = props;
  const { currentIn = (current: unknown) => current as Stored } = props;
  const action = useAction();
  const dirty = useDirty();
  const [shown, setShown] = useState(props.stored);
  const [basis, setBasis] = useState(props.stored);
  const [mine, setMine] = useState<object>({});
  const [turn, setTurn] = useState(0);
  const [isSaved, setSaved] = useState(false);
  const show = (stored: Stored) => {
    setShown(stored);
    setBasis(stored);
    setTurn((count) => count + 1);
    props.onShown?.(stored);
    dirty.clear();
  };
  const onSend = async (values: FormData) => {
    const body = bodyOf(values, specs);
    setMine(body);
    setSaved(false);
    const saved = await save(isWhole ? body : changedIn(body, shown), basis);
    const target = onSaved?.(saved);
    if (typeof target === "string") return dirty.leave(target);
    show(saved);
    setSaved(true);
    return undefined;
  };
  const { problem } = action;
  const isStale = problem?.code === "stale_revision" && problem.current !== undefined;
  const conflict = isStale ? { mine, stored: currentIn(problem.current) } : null;
  const end = (then: (stored: Stored) => void) => () => {
    if (conflict) then(conflict.stored);
    action.clear();
  };
  return {
    action,
    dirty,
    shown,
    turn,
    isSaved,
    conflict,
    onInput: dirty.mark,
    onSend,
    takeStored: end(show),
    keepMine: end(setBasis),
  };
}
