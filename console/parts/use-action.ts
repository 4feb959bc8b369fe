import { useRef, useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { toProblem } from "./use-read.ts";

export interface ActionState {
  /** Runs the work unless it is running. @returns true if it succeeded */
  readonly run: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isRunning: boolean;
  /** The refusal of the last run. */
  readonly problem: Problem | null;
  readonly clear: () => void;
}

/** Runs one request at a time and keeps its refusal for display. */
export function useAction(): ActionState {
  const [isRunning, setRunning] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const busy = useRef(false);
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    if (busy.current) return false;
    busy.current = true;
    setRunning(true);
    setProblem(null);
    try {
      await work();
      return true;
    } catch (error) {
      setProblem(toProblem(error));
      return false;
    } finally {
      busy.current = false;
      setRunning(false);
    }
  };
  return { run, isRunning, problem, clear: () => setProblem(null) };
}

/** Runs a change, and reads the object again if the change is refused: somebody else may have changed it. */
export async function reloadOnFailure<Answer>(
  reload: () => Promise<void>,
  change: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await change();
  } catch (error) {
    await reload();
    throw error;
  }
}
