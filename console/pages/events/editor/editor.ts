import { createContext } from "preact";
import { useContext, useEffect, useRef, useState } from "preact/hooks";

import { type BodyOf, callApi } from "../../../api/call.ts";
import { Problem } from "../../../api/problem.ts";
import { type ActionState, useAction } from "../../../parts/use-action.ts";
import { useUnsavedWarning } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import type { Catalog, Definition } from "../types.ts";
import type { Option } from "./draft-field.ts";
import {
  changesOf,
  type Draft,
  draftOf,
  draftText,
  newDraft,
  type DraftPath,
  setValueAt,
  addItemKeys,
} from "./draft.ts";

/** A fault of a draft. `path` is a JSON pointer. */
export interface DraftFault {
  readonly level: "error" | "warning";
  readonly path: string;
  readonly message: string;
}

/** The versions of an event that two people changed at the same time. */
export interface Conflict {
  /** The typed changes, on top of the stored version. */
  readonly mine: Draft;
  readonly stored: Definition;
}

export interface Editor {
  readonly draft: Draft;
  readonly change: (path: DraftPath, value: unknown) => void;
  /** Replaces the whole draft; the fields are drawn anew. */
  readonly replace: (draft: Draft) => void;
  /** Changes when the draft was replaced. */
  readonly generation: number;
  readonly isDirty: boolean;
  /** True if the last save succeeded and nothing was typed since. */
  readonly isSaved: boolean;
  /** The faults that the service found in the last save or dry run. */
  readonly faults: readonly DraftFault[];
  readonly showFaults: (faults: readonly DraftFault[]) => void;
  /** Why the typed JSON cannot be read; empty if it can. */
  readonly textFault: string;
  readonly setTextFault: (fault: string) => void;
  readonly action: ActionState;
  /** @throws Problem if the service refuses the draft */
  readonly save: () => Promise<void>;
  readonly conflict: Conflict | null;
  readonly settle: (choice: "mine" | "stored") => void;
}

/** Holds the draft of an event, saves it, and keeps it if somebody else saved first. */
export function useEditorState(
  event: Definition | null,
  onSaved: (event: Definition) => void,
): Editor {
  const [base, setBase] = useState(event);
  const held = useDraft(() => firstDraft(event));
  const found = useFaults();
  const { draft, replace } = held;
  const latest = useLatest(draft);
  /** The version that somebody else saved after `base` was read. */
  const [other, setOther] = useState<Definition | null>(null);
  const [hasSaved, setSaved] = useState(false);
  const action = useAction();
  const isDirty = useIsDirty(base, draft) || found.textFault !== "";
  useUnsavedWarning(isDirty);
  const save = async () => {
    found.showFaults([]);
    try {
      const stored = await send(base, draft);
      // A text that was typed while the request was under way stays, and is not saved yet.
      const isSame = latest.current === draft;
      if (isSame && draftText(draftOf(stored)) !== draftText(draft)) replace(draftOf(stored));
      setBase(stored);
      setSaved(true);
      onSaved(stored);
    } catch (error) {
      found.showFaults(faultsIn(error));
      setOther(storedIn(error));
      throw error;
    }
  };
  useEffect(() => {
    const isNewer = event && base && event.revision !== base.revision;
    if (!isNewer || isDirty || other) return;
    setBase(event);
    replace(draftOf(event));
  }, [event]);
  const conflict = base && other && findConflict(base, draft, other);
  const settle = (choice: "mine" | "stored") => {
    if (!conflict) return;
    setBase(conflict.stored);
    onSaved(conflict.stored);
    replace(choice === "mine" ? conflict.mine : draftOf(conflict.stored));
    setOther(null);
    found.setTextFault("");
    action.clear();
  };
  const isSaved = hasSaved && !isDirty;
  return { ...held, ...found, isDirty, isSaved, action, save, conflict, settle };
}

/** @returns true if the draft differs from the stored event, or from the empty form of a new one */
function useIsDirty(base: Definition | null, draft: Draft): boolean {
  const [empty] = useState(() => draftText(firstDraft(null)));
  return draftText(draft) !== (base ? draftText(draftOf(base)) : empty);
}

function useLatest<Value>(value: Value): { readonly current: Value } {
  const latest = useRef(value);
  latest.current = value;
  return latest;
}

function useFaults(): Pick<Editor, "faults" | "showFaults" | "textFault" | "setTextFault"> {
  const [faults, showFaults] = useState<readonly DraftFault[]>([]);
  const [textFault, setTextFault] = useState("");
  return { faults, showFaults, textFault, setTextFault };
}

function useDraft(first: () => Draft): Pick<Editor, "draft" | "change" | "replace" | "generation"> {
  const [draft, setDraft] = useState(first);
  const [generation, setGeneration] = useState(0);
  const replace = (next: Draft) => {
    setDraft(addItemKeys(next) as Draft);
    setGeneration((count) => count + 1);
  };
  const change = (path: DraftPath, value: unknown) =>
    setDraft((was) => setValueAt(was, path, value) as Draft);
  return { draft, change, replace, generation };
}

const faultsIn = (error: unknown): readonly DraftFault[] =>
  error instanceof Problem ? error.faults.map((fault) => ({ ...fault, level: "error" })) : [];

/** Returns the version that somebody else saved meanwhile; null if this is not why the save was refused. */
const storedIn = (error: unknown): Definition | null =>
  error instanceof Problem && error.code === "stale_revision" && error.current
    ? (error.current as Definition)
    : null;

/** Returns the two versions after `base`. The typed one follows the draft, which the person can still change. */
const findConflict = (base: Definition, draft: Draft, stored: Definition): Conflict => ({
  mine: { ...draftOf(stored), ...changesOf(draftOf(base), draft) },
  stored,
});

const firstDraft = (event: Definition | null): Draft =>
  event ? draftOf(event) : newDraft(words.events.firstPhase);

async function send(base: Definition | null, draft: Draft): Promise<Definition> {
  if (!base) {
    const body = draft as BodyOf<"POST /admin/events">;
    return (await callApi("POST /admin/events", { body })).event;
  }
  const changes = changesOf(draftOf(base), draft) as BodyOf<"PUT /admin/events/{id}">;
  const body = { ...changes, basedOn: base.revision };
  return (await callApi("PUT /admin/events/{id}", { path: { id: base.id }, body })).event;
}

interface EditorScope {
  readonly editor: Editor;
  readonly catalog: Catalog;
  /** The scopes to choose from, with the survival servers that the person may see. */
  readonly scopes: readonly Option[];
}

export const EditorContext = createContext<EditorScope | null>(null);

/** Returns the draft that the form edits, and the lists that the form is made from. */
export function useEditor(): EditorScope {
  const scope = useContext(EditorContext);
  if (!scope) throw new Error("no event is edited");
  return scope;
}
