import type { ComponentChildren, VNode } from "preact";
import { useRef, useState } from "preact/hooks";

import type { Problem } from "../../api/problem.ts";
import { changesOf } from "../../parts/changes.ts";
import { Form } from "../../parts/form.ts";
import { html } from "../../parts/html.ts";
import { type ActionState, useAction } from "../../parts/use-action.ts";
import { useConfirmQuestion, type ConfirmQuestion } from "../../parts/use-question.ts";
import { VersionConflict } from "../../parts/versions.ts";
import { useUnsavedWarning } from "../../shell/router.ts";
import { words } from "../../words/words.ts";
import { BodyField } from "./body-field.ts";

/** A post or page as the service returns it. */
interface Revised {
  readonly revision: number;
}

/** The fields of a post or page as the person edits them. */
export interface ContentValues {
  readonly title: string;
  readonly body: string;
}

export interface EditorProps<Stored extends Revised, Values extends ContentValues> {
  readonly label: string;
  /** The text that is changed; null for a new one. */
  readonly stored: Stored | null;
  readonly toValues: (stored: Stored | null) => Values;
  readonly readForm: (values: FormData) => Values;
  /** The fields above the text. `fieldsBelow` returns those below it. */
  readonly fields: (values: Values, problem: Problem | null) => ComponentChildren;
  readonly fieldsBelow?: (values: Values, problem: Problem | null) => ComponentChildren;
  /** Writes all fields as a text, for the comparison of two versions. */
  readonly describe: (values: Values) => string;
  readonly create: (values: Values) => Promise<Stored>;
  /** @param base the version that the changes are based on */
  readonly change: (base: Stored, changes: Partial<Values>) => Promise<Stored>;
  readonly onSaved: (stored: Stored) => void;
  /** Returns the question to ask before the values are saved; null to save them at once. */
  readonly questionFor?: (values: Values, stored: Stored | null) => ConfirmQuestion | null;
}

/**
 * Edits a post or page. Only the fields that the person changed are sent. If somebody else saved another version
 * meanwhile, both versions are shown, and the typed text stays in the form.
 */
export function Editor<Stored extends Revised, Values extends ContentValues>(
  props: EditorProps<Stored, Values>,
): VNode {
  const { label, fields, fieldsBelow } = props;
  const action = useAction();
  const { ask, dialog } = useConfirmQuestion();
  const state = useEditing(props, action, ask);
  const { values, box, shown, typed, isDirty, savedRevision } = state;
  const conflict = conflictOf(action) as Stored | null;
  return html`${dialog}
    ${
      savedRevision !== null &&
      !isDirty &&
      html`<p class="notice good" role="status">${words.content.saved(savedRevision)}</p>`
    }
    <div class="wide" ref=${box} onInput=${state.markDirty} onChange=${state.markDirty}>
      <${Form} key=${shown} action=${action} onSend=${state.send} send=${words.actions.save} label=${label}>
        ${fields(values, action.problem)}
        <${BodyField} body=${values.body} problem=${action.problem} />
        <div key=${savedRevision}>${fieldsBelow?.(values, action.problem)}</div>
      <//>
    </div>
    ${conflict && typed && html`<${VersionConflict} ...${state.versionsOf(conflict, typed)} />`}`;
}

/** Returns the stored version after the refusal of a change that was based on an older one. */
const conflictOf = ({ problem }: ActionState): unknown =>
  problem?.code === "stale_revision" ? problem.current : null;

/** Holds the fields that the form shows, the version that they are based on, and if the person changed them. */
function useShown<Stored extends Revised, Values extends ContentValues>(
  stored: Stored | null,
  toValues: (stored: Stored | null) => Values,
) {
  const [base, setBase] = useState(stored);
  const [values, setValues] = useState(() => toValues(stored));
  /** The key of the form. A new key makes the form show `values`. */
  const [shown, setShown] = useState(0);
  const [isDirty, setDirty] = useState(false);
  const [savedRevision, setSavedRevision] = useState<number | null>(null);
  /** The number of input events, which shows if the person typed during a request. */
  const inputs = useRef(0);
  useUnsavedWarning(isDirty);
  const markDirty = () => {
    inputs.current += 1;
    setDirty(true);
  };
  const show = (current: Stored, next: Values) => {
    setBase(current);
    setValues(next);
    setShown((count) => count + 1);
  };
  const onSaved = (saved: Stored) => {
    setValues(toValues(saved));
    setSavedRevision(saved.revision);
    setDirty(false);
  };
  return {
    base,
    setBase,
    values,
    shown,
    isDirty,
    setDirty,
    savedRevision,
    inputs,
    markDirty,
    show,
    onSaved,
  };
}

function useEditing<Stored extends Revised, Values extends ContentValues>(
  props: EditorProps<Stored, Values>,
  action: ActionState,
  ask: (question: ConfirmQuestion) => Promise<boolean>,
) {
  const { stored, toValues, readForm } = props;
  const held = useShown(stored, toValues);
  const { base, inputs } = held;
  const box = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState<Values | null>(null);
  const send = async (form: FormData) => {
    const sentInputs = inputs.current;
    const sent = readForm(form);
    setTyped(sent);
    const question = props.questionFor?.(sent, base) ?? null;
    if (question && !(await ask(question))) return;
    const saved = base
      ? await props.change(base, changesOf(toValues(base), sent))
      : await props.create(sent);
    held.setBase(saved);
    // A text that was typed during the request stays in the form until the next save.
    if (inputs.current !== sentInputs) return;
    held.onSaved(saved);
    // `onSaved` may open another address. Call it later, when the form no longer counts as unsaved, so that the
    // person is not asked.
    setTimeout(() => props.onSaved(saved));
  };
  const readTyped = () => {
    const form = box.current?.querySelector("form");
    return form ? readForm(new FormData(form)) : null;
  };
  const settle = (current: Stored, next: Values) => {
    held.show(current, next);
    action.clear();
  };
  const versionsOf = (current: Stored, mine: Values) => {
    const mineOn = (own: Values) => ({ ...toValues(current), ...changesOf(toValues(base), own) });
    return {
      mine: props.describe(mineOn(mine)),
      stored: props.describe(toValues(current)),
      onTakeStored: () => {
        settle(current, toValues(current));
        held.setDirty(false);
      },
      // The form then shows the changes of both persons, so that the next save reverts none of them.
      onKeepMine: () => settle(current, mineOn(readTyped() ?? mine)),
    };
  };
  return { ...held, box, typed, send, versionsOf };
}
