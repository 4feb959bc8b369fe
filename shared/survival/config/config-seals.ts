import type { Transaction } from "sequelize";

import {
  sealText,
  type SecretsKeys,
  unsealText,
  UnreadableSecretError,
} from "../../platform/crypto/sealed.ts";
import { modelsOf } from "../../platform/db/transaction.ts";
import { findJsonFault } from "./config-json.ts";
import { listSecretTexts } from "./config-secrets.ts";

/** The context that binds the sealed previous text to its write. */
export const previousContentSealContext = (writeId: string): string =>
  `config write ${writeId}|before`;

export const secretsSealContext = (writeId: string): string => `config write ${writeId}|secrets`;

interface WriteContents {
  readonly before: string;
  readonly written: string;
  /** Contents before earlier writes. A plugin that has not reloaded the file since may log their secrets. */
  readonly former: readonly string[];
}

/** Seals the secrets that a log may quote; null if they are unknown, because the previous text is not JSON. */
export function sealSecrets(
  writeId: string,
  { before, written, former }: WriteContents,
  keys: SecretsKeys,
): string | null {
  if (findJsonFault(before)) return null;
  const secrets = [...new Set([before, written, ...former].flatMap(listSecretTexts))];
  return sealText(JSON.stringify(secrets), secretsSealContext(writeId), keys);
}

/** Returns the secrets that a log may quote; undefined if they are unknown. */
export function unsealSecrets(
  writeId: string,
  sealed: string | null,
  keys: SecretsKeys,
): string[] | undefined {
  const text = unsealOrUndefined(sealed, secretsSealContext(writeId), keys);
  return text === undefined ? undefined : (JSON.parse(text) as string[]);
}

/** Returns the previous text of a write; undefined if it is no longer stored. */
export const unsealPreviousContent = (
  writeId: string,
  sealed: string | null,
  keys: SecretsKeys,
): string | undefined => unsealOrUndefined(sealed, previousContentSealContext(writeId), keys);

function unsealOrUndefined(
  sealed: string | null,
  sealContext: string,
  keys: SecretsKeys,
): string | undefined {
  if (sealed === null) return undefined;
  try {
    return unsealText(sealed, sealContext, keys);
  } catch (error) {
    if (error instanceof UnreadableSecretError) return undefined;
    throw error;
  }
}

/** Reads the stored previous texts of all writes of a plugin's file. */
export async function readPreviousContents(
  serverId: number,
  plugin: string,
  { keys, transaction }: { readonly keys: SecretsKeys; readonly transaction: Transaction },
): Promise<string[]> {
  const found = await modelsOf(transaction).SurvivalConfigWrite.findAll({
    where: { serverId, plugin },
    attributes: ["writeId", "beforeSealed"],
    raw: true,
    transaction,
  });
  return found
    .map(({ writeId, beforeSealed }) => unsealPreviousContent(writeId, beforeSealed, keys))
    .filter((text) => text !== undefined);
}
