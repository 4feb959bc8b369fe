import { coverForms } from "../../platform/secret-texts/secret-forms.ts";
import { secretMask } from "../../platform/secret-texts/secret-names.ts";
import type { OpenedHook } from "../hooks/hook-secrets.ts";
import type { HookMessage } from "../messages/message.ts";

/** Characters that are kept. */
const longest = 500;
/** What is shorter is a word and no secret. */
const shortestSecret = 8;

/**
 * The beginning of an answer as staff may read it. A receiver may send back what it was sent: nothing
 * that signs or addresses a message is kept, and no character that a text cannot hold.
 */
export function redactAnswer(
  text: string,
  { url, secrets, message }: OpenedHook & { readonly message: HookMessage },
): string {
  let shown = text;
  for (const secret of secretsOf(url, secrets, message)) {
    shown = shown.replaceAll(secret, secretMask);
  }
  return coverForms(shown)
    .replaceAll(/[\s\p{C}\uFFFD]+/gu, " ")
    .slice(0, longest)
    .trim();
}

function secretsOf(url: string, secrets: readonly string[], { headers }: HookMessage): string[] {
  const { href, pathname, search, searchParams } = new URL(url);
  const signatures = headers["webhook-signature"]?.split(" ") ?? [];
  const all = [
    ...secrets.flatMap((secret) => [secret, secret.slice(secret.indexOf("_") + 1)]),
    ...signatures.flatMap((signature) => [signature, signature.slice(signature.indexOf(",") + 1)]),
    href,
    pathname + search,
    ...searchParams.values(),
    ...pathname.split("/"),
  ];
  // The longest first, so that none is left because a part of it is covered.
  return all
    .filter(({ length }) => length >= shortestSecret)
    .toSorted((one, other) => other.length - one.length);
}
