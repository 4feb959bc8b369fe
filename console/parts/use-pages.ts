import { useCallback, useEffect, useRef, useState } from "preact/hooks";

import type { Problem } from "../api/problem.ts";
import { toProblem } from "./use-read.ts";

export interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  /** The cursor of the next page. Absent on the last page. */
  readonly next?: number | undefined;
}

export interface PagedList<Entry> {
  readonly data: readonly Entry[] | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
  readonly hasMore: boolean;
  /** Reads the next page and appends it. */
  readonly more: () => void;
  /** Reads the first page again. */
  readonly reload: () => Promise<void>;
  /** Changes the entries that are shown, for example with the answer to a change. */
  readonly update: (change: (entries: readonly Entry[]) => readonly Entry[]) => void;
}

/**
 * Reads a list whose pages follow each other with a cursor.
 * @param key identifies the list: if it changes, the list is read anew
 */
export function usePagedList<Entry>(
  key: string,
  readPage: (before: number | undefined) => Promise<ListPage<Entry>>,
): PagedList<Entry> {
  const [state, setState] = useState<State<Entry>>(start);
  const turn = useRef(0);
  const read = useRef(readPage);
  read.current = readPage;
  const load = useCallback(async (shown: readonly Entry[], before?: number) => {
    turn.current += 1;
    const mine = turn.current;
    setState((was) => ({ ...was, problem: null, isLoading: true }));
    try {
      const { entries, next } = await read.current(before);
      if (mine !== turn.current) return;
      setState({ data: [...shown, ...entries], next, problem: null, isLoading: false });
    } catch (error) {
      const problem = toProblem(error);
      if (mine === turn.current) setState((was) => ({ ...was, problem, isLoading: false }));
    }
  }, []);
  useEffect(() => {
    setState(start);
    void load([]);
    return () => {
      turn.current += 1;
    };
  }, [key]);
  return {
    ...state,
    hasMore: state.next !== undefined,
    more: () => void load(state.data ?? [], state.next),
    reload: () => load([]),
    update: (change) => setState((was) => ({ ...was, data: was.data && change(was.data) })),
  };
}

interface State<Entry> {
  readonly data: readonly Entry[] | null;
  readonly next?: number | undefined;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

const start = { data: null, problem: null, isLoading: true };
