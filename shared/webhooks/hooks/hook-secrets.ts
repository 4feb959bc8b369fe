import type { Webhook } from "../../../models/webhooks/webhook.ts";
import type { Config } from "../../platform/config/config.ts";
import { sealText, UnreadableSecretError, unsealText } from "../../platform/crypto/sealed.ts";

type Keys = Pick<Config, "SECRETS_KEYS">;

/** The context that binds the sealed address of a webhook to its row. */
export const urlSealContext = (id: number): string => `webhooks|url|${id}`;
/** The context that binds the current and former sealed secret of a webhook to its row. */
export const secretSealContext = (id: number): string => `webhooks|secret|${id}`;

export const sealHookUrl = (id: number, url: string, { SECRETS_KEYS }: Keys): string =>
  sealText(url, urlSealContext(id), SECRETS_KEYS);

export const sealHookSecret = (id: number, secret: string, { SECRETS_KEYS }: Keys): string =>
  sealText(secret, secretSealContext(id), SECRETS_KEYS);

export interface UnsealedHook {
  readonly url: string;
  /** The secrets that sign messages, the current one first. */
  readonly secrets: readonly string[];
}

/** @throws {UnreadableSecretError} if no key decrypts the address or a secret */
export function unsealHook(
  hook: Pick<
    Webhook,
    "id" | "urlSealed" | "secretSealed" | "formerSecretSealed" | "formerSecretUntil"
  >,
  { SECRETS_KEYS }: Keys,
): UnsealedHook {
  const { id, urlSealed, secretSealed, formerSecretSealed, formerSecretUntil } = hook;
  const former = formerSecretUntil && formerSecretUntil > new Date() ? formerSecretSealed : null;
  return {
    url: unsealText(urlSealed, urlSealContext(id), SECRETS_KEYS),
    secrets: [secretSealed, former]
      .filter((sealed) => sealed !== null)
      .map((sealed) => unsealText(sealed, secretSealContext(id), SECRETS_KEYS)),
  };
}

/** Returns true if the webhook's address changed. Key rotation reseals the same address, so compare plain text. */
export function hasUrlChanged(
  before: Pick<Webhook, "id" | "urlSealed">,
  now: Pick<Webhook, "id" | "urlSealed">,
  { SECRETS_KEYS }: Keys,
): boolean {
  if (before.urlSealed === now.urlSealed) return false;
  try {
    const [former, present] = [before, now].map(({ id, urlSealed }) =>
      unsealText(urlSealed, urlSealContext(id), SECRETS_KEYS),
    );
    return former !== present;
  } catch (error) {
    if (error instanceof UnreadableSecretError) return false;
    throw error;
  }
}
