import { useRef } from "preact/hooks";

export interface CommandKey {
  /** Returns the header for a command. The same body gets the same key until `renew`. */
  readonly headersFor: (body: unknown) => { readonly "idempotency-key": string };
  readonly renew: () => void;
}

/** Keeps the key by which the service knows a repeated command, so that it is carried out once. */
export function useCommandKey(): CommandKey {
  const last = useRef({ text: "", key: "" });
  const headersFor = (body: unknown) => {
    const text = JSON.stringify(body);
    if (last.current.text !== text) last.current = { text, key: newKey() };
    return { "idempotency-key": last.current.key };
  };
  const renew = () => {
    last.current = { text: "", key: "" };
  };
  return { headersFor, renew };
}

/** `crypto.randomUUID` exists only in secure contexts, so build the key from random bytes. */
const newKey = (): string =>
  [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
