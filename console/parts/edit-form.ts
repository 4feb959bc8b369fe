import type { RefObject, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { words } from "../words/words.ts";
import { Form } from "./form.ts";
import { html } from "./html.ts";
import { SpecFields } from "./spec-fields.ts";
import {
  bodyOf,
  pickChangedFields,
  formatFieldValues,
  mergeChanges,
  type FieldSpec,
} from "./specs.ts";
import { type ActionState, useAction } from "./use-action.ts";
import { type DirtyState, useDirtyState } from "./use-dirty.ts";
import { VersionConflict } from "./versions.ts";

export interface EditFormProps<Stored extends object> {
  readonly label: string;
  readonly send: string;
  /** The object that the form shows at first. Empty for a new object. */
  readonly stored: Stored;
  readonly specs: readonly FieldSpec[];
  /** True if the whole object is sent; otherwise, only the changed fields are sent. */
  readonly isWhole?: boolean;
  /**
   * Sends the change.
   * @param basis the version that the person saw last
   * @returns the stored object
   */
  readonly save: (body: object, basis: Stored) => Promise<Stored>;
  /** The text after the change. */
  readonly saved?: string;
  /** Called after the change. @returns the address to open */
  readonly onSaved?: (saved: Stored) => string | void;
  /** Called when the fields show another version, so that a page can choose the fields by its values. */
  readonly onShown?: (stored: Stored) => void;
  /** Reads the stored version out of a refusal `stale_revision`. */
  readonly currentIn?: (current: unknown) => Stored;
}

/** A form for an object that several people edit. A conflict shows both versions and keeps the typed one. */
export function EditForm<Stored extends object>(props: EditFormProps<Stored>): VNode {
  const { label, send, specs, saved = words.edit.saved } = props;
  const edit = useEdit(props);
  const { action, dirty, versions } = edit;
  return html`<div ref=${versions.box} onInput=${edit.onInput} onChange=${edit.onInput}>
    <${Form} key=${versions.turn} action=${action} onSend=${edit.onSend} send=${send} label=${label}>
      <${SpecFields} specs=${specs} stored=${versions.shown} problem=${action.problem} />
    <//>
    ${
      edit.conflict &&
      html`<${VersionConflict}
      mine=${formatFieldValues(edit.conflict.mine, specs)}
      stored=${formatFieldValues(edit.conflict.stored, specs)}
      onTakeStored=${edit.takeStored}
      onKeepMine=${edit.keepMine}
    />`
    }
    <p role="status" class="good">${edit.isSaved && !dirty.isDirty && saved}</p>
  </div>`;
}

interface Conflict<Stored> {
  readonly mine: object;
  readonly stored: Stored;
}

interface Edit<Stored> {
  readonly action: ActionState;
  readonly dirty: DirtyState;
  readonly versions: ShownVersions<Stored>;
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
  const dirty = useDirtyState();
  const versions = useShownVersions(props);
  const inputs = useRef(0);
  const [mine, setMine] = useState<object>({});
  const [isSaved, setSaved] = useState(false);
  const onSend = async (values: FormData) => {
    const body = bodyOf(values, specs);
    const inputsBefore = inputs.current;
    setMine(body);
    setSaved(false);
    const sent = isWhole ? body : pickChangedFields(body, versions.base, specs);
    const saved = await save(sent, versions.base);
    const target = onSaved?.(saved);
    if (typeof target === "string") return dirty.leave(target);
    setSaved(true);
    // The person may have typed while the request ran. New fields would lose this text.
    if (inputs.current !== inputsBefore) return versions.rebase(saved);
    dirty.clear();
    return versions.show(saved, saved);
  };
  const { problem } = action;
  const isStale = problem?.code === "stale_revision" && problem.current !== undefined;
  const conflict = isStale ? { mine, stored: currentIn(problem.current) } : null;
  const takeStored = () => {
    if (conflict) versions.show(conflict.stored, conflict.stored);
    dirty.clear();
    action.clear();
  };
  const keepMine = () => {
    if (conflict) versions.merge(conflict.stored);
    action.clear();
  };
  const onInput = () => {
    inputs.current += 1;
    dirty.mark();
  };
  return { action, dirty, versions, isSaved, conflict, onInput, onSend, takeStored, keepMine };
}

interface ShownVersions<Stored> {
  /** The element around the form. */
  readonly box: RefObject<HTMLDivElement | null>;
  /** The values that the fields show at first. */
  readonly shown: Stored;
  /** The stored version on which the next change is based. */
  readonly base: Stored;
  /** Changes when the fields are drawn anew. */
  readonly turn: number;
  readonly show: (shown: Stored, base: Stored) => void;
  /** Bases the next change on another stored version, and keeps the fields as they are. */
  readonly rebase: (base: Stored) => void;
  /** Shows the stored version with the fields that the person changed. */
  readonly merge: (stored: Stored) => void;
}

function useShownVersions<Stored extends object>({
  stored: first,
  specs,
  onShown,
}: EditFormProps<Stored>): ShownVersions<Stored> {
  const [state, setState] = useState({ shown: first, base: first, turn: 0 });
  const box = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    // A new form removes the focused button, and the focus would move to the beginning of the page.
    if (hadFocus.current) box.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
    hadFocus.current = false;
  }, [state.turn]);
  const show = (shown: Stored, base: Stored) => {
    hadFocus.current = box.current?.contains(document.activeElement) ?? false;
    setState(({ turn }) => ({ shown, base, turn: turn + 1 }));
    onShown?.(shown);
  };
  const rebase = (base: Stored) => setState((was) => ({ ...was, base }));
  const merge = (stored: Stored) => {
    const form = box.current?.querySelector("form");
    if (!form) return;
    const mine = bodyOf(new FormData(form), specs);
    show(mergeChanges(mine, { base: state.base, stored, specs }), stored);
  };
  return { ...state, box, show, rebase, merge };
}
