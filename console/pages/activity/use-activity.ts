import { useEffect, useRef, useState } from "preact/hooks";

import { type AnswerOf, call, type QueryOf } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import { toProblem } from "../../parts/use-read.ts";

type Query = QueryOf<"GET /admin/activity">;
type Entries = AnswerOf<"GET /admin/activity">["activity"];

interface State {
  readonly entries: Entries | null;
  readonly next: number | null;
  readonly problem: Problem | null;
  readonly isLoading: boolean;
}

const nothing: State = { entries: null, next: null, problem: null, isLoading: true };

/** Reads the activity log in parts, each appended to the parts before. */
export function useActivity(query: Query): Omit<State, "next"> & {
  readonly hasMore: boolean;
  readonly more: () => void;
} {
  const [state, setState] = useState(nothing);
  const latest = useRef(0);
  const key = JSON.stringify(query);
  const read = async (before: number | null) => {
    latest.current += 1;
    const turn = latest.current;
    setState((was) => ({ ...(before === null ? nothing : was), problem: null, isLoading: true }));
    const sent = { query: { ...query, ...(before !== null && { before }) } };
    const answer = await call("GET /admin/activity", sent).catch(toProblem);
    if (turn !== latest.current) return;
    setState((was) => {
      if (answer instanceof Problem) return { ...was, problem: answer, isLoading: false };
      const entries = [...(before === null ? [] : (was.entries ?? [])), ...answer.activity];
      return { entries, next: answer.nextBefore, problem: null, isLoading: false };
    });
  };
  useEffect(() => {
    void read(null);
    return () => {
      latest.current += 1;
    };
  }, [key]);
  const { next, ...others } = state;
  return { ...others, hasMore: next !== null, more: () => void read(next) };
}
