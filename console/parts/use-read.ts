import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import { type AnswerOf, callApi, type OperationName, type OperationInput } from "../api/call.ts";
import { Problem } from "../api/problem.ts";

export interface ReadState<Data> {
  /** The last answer. It stays while the next answer is read, and if that read fails. */
  readonly data: Data | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly reload: () => Promise<void>;
  /** Replaces the answer, for example with the answer to a change. */
  readonly set: (data: Data) => void;
}

/**
 * Calls a read operation, and again when the request changes. A null request reads nothing.
 * @param everyMs reads again after this time, while the page is visible
 */
export function useApiRead<Name extends OperationName>(
  name: Name,
  sent: NoInfer<OperationInput<Name>> | null,
  everyMs?: number,
): ReadState<AnswerOf<Name>> {
  const [state, setState] = useState<State<AnswerOf<Name>>>({ ...nothing, key: "" });
  const key = JSON.stringify([name, sent]);
  const latest = useRef(0);
  const pending = useRef(0);
  const read = useCallback(async () => {
    latest.current += 1;
    const turn = latest.current;
    if (!sent) return;
    pending.current = turn;
    setState((was) => ({ ...(was.key === key ? was : nothing), key, isLoading: true }));
    const answer = await callApi(name, sent).catch(toProblem);
    if (pending.current === turn) pending.current = 0;
    if (turn !== latest.current) return;
    setState((was) =>
      answer instanceof Problem
        ? { ...was, problem: answer, isLoading: false }
        : { key, data: answer, problem: null, isLoading: false },
    );
  }, [key]);
  useEffect(() => {
    void read();
    return () => {
      latest.current += 1;
    };
  }, [read]);
  // A person who declined to sign in again would be asked again at each interval.
  const isSignedOut = state.problem?.code === "not_authenticated";
  // An answer that is slower than the interval must not be replaced again and again by the next request.
  const readAgain = useCallback(async () => {
    if (pending.current === 0) await read();
  }, [read]);
  useInterval(readAgain, isSignedOut ? undefined : everyMs);
  const set = (data: AnswerOf<Name>) => {
    latest.current += 1;
    setState({ key, data, problem: null, isLoading: false });
  };
  const isOld = state.key !== key;
  return { ...(isOld ? nothing : state), reload: read, set };
}

interface State<Data> {
  readonly key: string;
  readonly data: Data | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

const nothing = { data: null, problem: null, isLoading: true };

/** Returns a refusal. @throws an error that is no refusal, which is a fault of the console */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  throw error;
}

function useInterval(read: () => Promise<void>, everyMs: number | undefined): void {
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void read();
    }, everyMs);
    return () => clearInterval(timer);
  }, [read, everyMs]);
}
