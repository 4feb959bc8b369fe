import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";

import { type BodyOf, call } from "../../../api/call.ts";
import { Problem } from "../../../api/problem.ts";
import { type Action, useAction } from "../../../parts/use-action.ts";
import { useUnsaved } from "../../../shell/router.ts";
import { words } from "../../../words/words.ts";
import type { Catalog, Definition } from "../types.ts";
import {
  changesOf,
  type Draft,
  draftOf,
  draftText,
  newDraft,
  type Path,
  setAt,
  withKeys,
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
  readonly change: (path: Path, value: unknown) => void;
  /** Replaces the whole draft; the fields are drawn anew. */
  readonly replace: (draft: Draft) => void;
  /** Changes when the draft was replaced. */
  readonly generation: number;
  readonly isDirty: boolean;
  /** The faults that the service found in the last save or dry run. */
  readonly faults: readonly DraftFault[];
  readonly showFaults: (faults: readonly DraftFault[]) => void;
  /** Why the typed JSON cannot be read; empty if it can. */
  readonly textFault: string;
  readonly setTextFault: (fault: string) => void;
  readonly action: Action;
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
  const [conflict, setConflict] = useState<Conflict | null>(null);
  const [empty] = useState(() => draftText(firstDraft(null)));
  const action = useAction();
  const isDirty =
    found.textFault !== "" || draftText(draft) !== (base ? draftText(draftOf(base)) : empty);
  useUnsaved(isDirty);
  const save = async () => {
    found.showFaults([]);
    try {
      const stored = await send(base, draft);
      if (draftText(draftOf(stored)) !== draftText(draft)) replace(draftOf(stored));
      setBase(stored);
      onSaved(stored);
    } catch (error) {
      found.showFaults(faultsIn(error));
      setConflict(base && findConflict(base, draft, error));
      throw error;
    }
  };
  useEffect(() => {
    const isNewer = event && base && event.revision !== base.revision;
    if (!isNewer || isDirty || conflict) return;
    setBase(event);
    replace(draftOf(event));
  }, [event]);
  const settle = (choice: "mine" | "stored") => {
    if (!conflict) return;
    setBase(conflict.stored);
    onSaved(conflict.stored);
    replace(choice === "mine" ? conflict.mine : draftOf(conflict.stored));
    setConflict(null);
    action.clear();
  };
  return { ...held, ...found, isDirty, action, save, conflict, settle };
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
    setDraft(withKeys(next) as Draft);
    setGeneration((count) => count + 1);
  };
  const change = (path: Path, value: unknown) =>
    setDraft((was) => setAt(was, path, value) as Draft);
  return { draft, change, replace, generation };
}

const faultsIn = (error: unknown): readonly DraftFault[] =>
  error instanceof Problem ? error.faults.map((fault) => ({ ...fault, level: "error" })) : [];

/** Returns the two versions if somebody else saved the event after `base` was read. */
function findConflict(base: Definition, draft: Draft, error: unknown): Conflict | null {
  if (!(error instanceof Problem) || error.code !== "stale_revision") return null;
  const stored = error.current as Definition;
  return { mine: { ...draftOf(stored), ...changesOf(draftOf(base), draft) }, stored };
}

const firstDraft = (event: Definition | null): Draft =>
  event ? draftOf(event) : newDraft(words.events.firstPhase);

async function send(base: Definition | null, draft: Draft): Promise<Definition> {
  if (!base) {
    const body = draft as BodyOf<"POST /admin/events">;
    return (await call("POST /admin/events", { body })).event;
  }
  const changes = changesOf(draftOf(base), draft) as BodyOf<"PUT /admin/events/{id}">;
  const body = { ...changes, basedOn: base.revision };
  return (await call("PUT /admin/events/{id}", { path: { id: base.id }, body })).event;
}

interface EditorScope {
  readonly editor: Editor;
  readonly catalog: Catalog;
}

export const EditorContext = createContext<EditorScope | null>(null);

/** Returns the draft that the form edits, and the catalog that the form is made from. */
export function useEditor(): EditorScope {
  const scope = useContext(EditorContext);
  if (!scope) throw new Error("no event is edited");
  return scope;
}
