import { useRef } from "preact/hooks";

/** Returns 128 random bits in hexadecimal digits. `crypto.randomUUID` is missing on pages without TLS. */
const createKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");

/**
 * Sends commands to a game with an `Idempotency-Key`. If the same command is sent again after a failure, it has the
 * same key, so that the game does not carry it out twice.
 * @returns a function that runs `send` with the headers of the command that `about` identifies
 */
export function useCommand(): <Answer>(
  about: object,
  send: (headers: Readonly<Record<string, string>>) => Promise<Answer>,
) => Promise<Answer> {
  const last = useRef<{ readonly about: string; readonly key: string } | null>(null);
  return async (about, send) => {
    const text = JSON.stringify(about);
    if (last.current?.about !== text) last.current = { about: text, key: createKey() };
    const answer = await send({ "idempotency-key": last.current.key });
    last.current = null;
    return answer;
  };
}
