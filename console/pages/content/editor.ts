import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";

import type { Problem } from "../../api/problem.ts";
import { changesOf } from "../../parts/changes.ts";
import { Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type Action, useAction } from "../../parts/use-action.ts";
import { useQuestion, type Question } from "../../parts/use-question.ts";
import { Versions } from "../../parts/versions.ts";
import { useUnsaved } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { BodyField } from "./body-field.ts";

/** A post or page as the service returns it. */
interface Revised {
  readonly revision: number;
}

/** The fields of a post or page as the person edits them. */
export interface Texts {
  readonly title: string;
  readonly body: string;
}

export interface EditorProps<Stored extends Revised, Values extends Texts> {
  readonly label: string;
  /** The text that is changed; null for a new one. */
  readonly stored: Stored | null;
  readonly toValues: (stored: Stored | null) => Values;
  readonly readForm: (values: FormData) => Values;
  /** The fields other than the text itself, before and after it. */
  readonly fields: (values: Values, problem: Problem | null) => ComponentChildren;
  readonly fieldsBelow?: (values: Values, problem: Problem | null) => ComponentChildren;
  /** Writes all fields as a text, for the comparison of two versions. */
  readonly describe: (values: Values) => string;
  readonly create: (values: Values) => Promise<Stored>;
  readonly change: (changes: Partial<Values>, revision: number) => Promise<Stored>;
  readonly onSaved: (stored: Stored) => void;
  /** Returns what is asked before the values are saved. */
  readonly questionFor?: (values: Values, stored: Stored | null) => Question | null;
}

/**
 * Edits a post or page. Only the fields that the person changed are sent. If somebody else saved another version
 * meanwhile, both versions are shown, and the typed text stays in the form.
 */
export function Editor<Stored extends Revised, Values extends Texts>(
  props: EditorProps<Stored, Values>,
): VNode {
  const { label, toValues, fields, fieldsBelow } = props;
  const action = useAction();
  const { ask, dialog } = useQuestion();
  const state = useEditing(props, action, ask);
  const { base, shown, typed, isDirty, savedRevision } = state;
  const conflict = conflictOf(action) as Stored | null;
  return html`${dialog}
    ${
      savedRevision !== null &&
      !isDirty &&
      html`<p class="notice good" role="status">${words.content.saved(savedRevision)}</p>`
    }
    <div class="wide" onInput=${state.markDirty} onChange=${state.markDirty}>
      <${Form} key=${shown} action=${action} onSend=${state.send} send=${words.actions.save} label=${label}>
        ${fields(toValues(base), action.problem)}
        <${BodyField} body=${toValues(base).body} problem=${action.problem} />
        <div key=${base?.revision}>${fieldsBelow?.(toValues(base), action.problem)}</div>
      <//>
    </div>
    ${conflict && typed && html`<${Versions} ...${state.versionsOf(conflict, typed)} />`}`;
}

/** Returns the stored version after the refusal of a change that was based on an older one. */
const conflictOf = ({ problem }: Action): unknown =>
  problem?.code === "stale_revision" ? problem.current : null;

function useEditing<Stored extends Revised, Values extends Texts>(
  props: EditorProps<Stored, Values>,
  action: Action,
  ask: (question: Question) => Promise<boolean>,
) {
  const { stored, toValues, describe } = props;
  const [base, setBase] = useState(stored);
  const [revision, setRevision] = useState(stored?.revision ?? 0);
  /** A new value draws the form anew, with the fields of `base`. */
  const [shown, setShown] = useState(0);
  const [typed, setTyped] = useState<Values | null>(null);
  const [isDirty, setDirty] = useState(false);
  const [savedRevision, setSavedRevision] = useState<number | null>(null);
  useUnsaved(isDirty);
  const send = async (form: FormData) => {
    const values = props.readForm(form);
    setTyped(values);
    const question = props.questionFor?.(values, base) ?? null;
    if (question && !(await ask(question))) return;
    const saved = base
      ? await props.change(changesOf(toValues(base), values), revision)
      : await props.create(values);
    setBase(saved);
    setRevision(saved.revision);
    setSavedRevision(saved.revision);
    setDirty(false);
    // The address may change with the text; the mark of unsaved texts is gone by then.
    setTimeout(() => props.onSaved(saved));
  };
  const versionsOf = (current: Stored, mine: Values) => ({
    mine: describe({ ...toValues(current), ...changesOf(toValues(base), mine) }),
    stored: describe(toValues(current)),
    onTakeStored: () => {
      setBase(current);
      setRevision(current.revision);
      setShown((count) => count + 1);
      setDirty(false);
      action.clear();
    },
    // The next save is based on the stored version, and sends only the fields that this person changed.
    onKeepMine: () => {
      setRevision(current.revision);
      action.clear();
    },
  });
  const markDirty = () => setDirty(true);
  return { base, shown, typed, isDirty, savedRevision, send, versionsOf, markDirty };
}
