import { useEffect, useRef, useState } from "preact/hooks";

type Handlers = Readonly<Record<string, (data: unknown) => void>>;

/**
 * Reads an event stream until the component ends. The browser opens it again after it was lost.
 * @param path the whole path of the stream; null opens none
 * @param handlers what is called with the data of each named event; `message` for events without a name
 * @returns true while the stream is open
 */
export function useStream(path: string | null, handlers: Handlers): boolean {
  const [isConnected, setConnected] = useState(false);
  const latest = useRef(handlers);
  latest.current = handlers;
  const names = Object.keys(handlers).join(" ");
  useEffect(() => {
    if (path === null) return undefined;
    const stream = new EventSource(path);
    for (const name of names.split(" ")) {
      stream.addEventListener(name, ({ data }: MessageEvent<string>) => {
        latest.current[name]?.(JSON.parse(data));
      });
    }
    stream.addEventListener("open", () => setConnected(true));
    stream.addEventListener("error", () => setConnected(false));
    return () => {
      stream.close();
      setConnected(false);
    };
  }, [path, names]);
  return isConnected;
}
