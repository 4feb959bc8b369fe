import { useEffect, useRef, useState } from "preact/hooks";

/** Receives the data of one block of a stream. */
export type StreamHandler = (data: unknown) => void;

/** The longest wait before a new connection. */
const maxWaitMs = 30_000;

/**
 * Follows a stream of Server-Sent Events until the component ends.
 * @param path the URL of the stream; null follows nothing
 * @param handlers by the name of the block. Read the lists again in `hello` and `reset`: the stream does not repeat
 * what was missed
 * @returns true while the stream is connected
 */
export function useStream(
  path: string | null,
  handlers: Readonly<Record<string, StreamHandler>>,
): boolean {
  const [isConnected, setConnected] = useState(false);
  const latest = useRef(handlers);
  latest.current = handlers;
  const names = Object.keys(handlers).toSorted().join(" ");
  useEffect(() => {
    if (path === null) return undefined;
    const close = follow(path, {
      names: new Set(["hello", "bye", ...names.split(" ").filter(Boolean)]),
      onState: setConnected,
      onBlock: (name, data) => latest.current[name]?.(data),
    });
    return () => {
      close();
      setConnected(false);
    };
  }, [path, names]);
  return isConnected;
}

interface Follower {
  readonly names: ReadonlySet<string>;
  readonly onState: (isConnected: boolean) => void;
  readonly onBlock: (name: string, data: unknown) => void;
}

/** Connects to a stream, and again after each loss. @returns a function that ends the stream */
function follow(path: string, { names, onState, onBlock }: Follower): () => void {
  let source: EventSource | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let tries = 0;
  const open = () => {
    const opened = new EventSource(path);
    source = opened;
    for (const name of names) {
      opened.addEventListener(name, (event: MessageEvent<string>) => {
        if (name === "hello") tries = 0;
        if (name === "hello" || name === "bye") onState(name === "hello");
        onBlock(name, JSON.parse(event.data));
      });
    }
    opened.addEventListener("error", () => {
      onState(false);
      // The browser connects again by itself, unless the answer was no stream.
      if (opened.readyState !== EventSource.CLOSED) return;
      timer = setTimeout(open, Math.min(maxWaitMs, 1_000 * 2 ** tries));
      tries += 1;
    });
  };
  open();
  return () => {
    clearTimeout(timer);
    source?.close();
  };
}
