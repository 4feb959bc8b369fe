import { useEffect, useState } from "preact/hooks";

import { navigate, useUnsavedWarning } from "../shell/router.ts";

export interface DirtyState {
  readonly isDirty: boolean;
  readonly mark: () => void;
  readonly clear: () => void;
  /** Opens another page without asking about unsaved texts, because everything is saved. */
  readonly leave: (url: string) => void;
}

/** Remembers that a form was changed, and asks before the person leaves the page with such a form. */
export function useDirtyState(): DirtyState {
  const [isDirty, setDirty] = useState(false);
  const [target, setTarget] = useState<string | null>(null);
  useUnsavedWarning(isDirty);
  useEffect(() => {
    if (target !== null) navigate(target);
  }, [target]);
  const leave = (url: string) => {
    setDirty(false);
    setTarget(url);
  };
  return { isDirty, mark: () => setDirty(true), clear: () => setDirty(false), leave };
}
