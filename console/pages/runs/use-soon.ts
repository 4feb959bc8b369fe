import { useEffect, useRef } from "preact/hooks";

/** The time in which several changes lead to one read. */
const waitMs = 250;

/** Returns a function that runs the work a moment later, once for all calls until then. */
export function useThrottledCallback(work: () => unknown): () => void {
  const latest = useRef(work);
  latest.current = work;
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
  return () => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      latest.current();
    }, waitMs);
  };
}
