import { useRef, useState } from "preact/hooks";

import { useUnsavedWarning } from "../shell/router.ts";

export interface SaveState {
  /** True if the form contains values that are not saved. */
  readonly isDirty: boolean;
  /** True if the last change was saved and nothing was typed since. */
  readonly isSaved: boolean;
  /** Changes after each save. As the key of the fields, it makes them show the stored values. */
  readonly count: number;
  /** Call this when the person changes a field. */
  readonly mark: () => void;
  /** Discards what was typed, for example because the person takes the stored values. */
  readonly discard: () => void;
  /** Sends the form. Values that are typed during the request stay in the fields and are not saved. */
  readonly send: (work: () => Promise<unknown>) => Promise<void>;
}

/** Follows whether a form that stays open differs from what is stored. */
export function useSaveState(): SaveState {
  const [isDirty, setDirty] = useState(false);
  const [count, setCount] = useState(0);
  const [hasSaved, setSaved] = useState(false);
  const changes = useRef(0);
  useUnsavedWarning(isDirty);
  const mark = () => {
    changes.current += 1;
    setDirty(true);
    setSaved(false);
  };
  const discard = () => {
    setDirty(false);
    setCount((before) => before + 1);
  };
  const send = async (work: () => Promise<unknown>): Promise<void> => {
    const before = changes.current;
    setSaved(false);
    await work();
    if (changes.current !== before) return;
    discard();
    setSaved(true);
  };
  return { isDirty, isSaved: hasSaved && !isDirty, count, mark, discard, send };
}
