import { providerSealContext } from "../auth/providers/provider-client.ts";
import { totpSealContext } from "../auth/second-factor/totp-secret.ts";
import { tokenSealContext } from "../shard/sidecar/sidecar-link.ts";
import { botTokenSealContext } from "../site/chat-bot.ts";
import { beforeSealContext, secretsSealContext } from "../survival/config/config-seals.ts";
import { serverTokenSealContext } from "../survival/sidecar/server-link.ts";
import { secretSealContext, urlSealContext } from "../webhooks/hooks/hook-secrets.ts";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Key of the table. */
  readonly key: string;
  readonly keyType: "bigint" | "text";
  /** What a row's secret is sealed for. */
  readonly sealContext: (key: SealedKey) => string;
}

export type SealedKey = number | string;

const byId = { key: "id", keyType: "bigint" } as const;
const ofUser = (userId: SealedKey): string => totpSealContext(Number(userId));
const ofProvider = (providerId: SealedKey): string => providerSealContext(String(providerId));
const ofHookUrl = (id: SealedKey): string => urlSealContext(Number(id));
const ofHookSecret = (id: SealedKey): string => secretSealContext(Number(id));

const ofConfigBefore = (id: SealedKey): string => beforeSealContext(String(id));
const ofConfigSecrets = (id: SealedKey): string => secretsSealContext(String(id));

const ofConfigWrite = {
  table: "survival_config_writes",
  key: "write_id",
  keyType: "text",
} as const;

const ofServer = (id: SealedKey): string => serverTokenSealContext(Number(id));

/**
 * CATALOGUE of columns that hold secrets under the keys of SECRETS_KEYS. Enrolment moves a secret from
 * the pending ones to the users': the pending ones come first, so that none slips by a rotation.
 */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "totp_pending", column: "secret_sealed", ...byId, key: "user_id", sealContext: ofUser },
  { table: "users", column: "totp_secret_sealed", ...byId, sealContext: ofUser },
  { table: "shardlink", column: "token_sealed", ...byId, sealContext: () => tokenSealContext },
  { table: "chat_bot", column: "token_sealed", ...byId, sealContext: () => botTokenSealContext },
  {
    table: "auth_providers",
    column: "client_secret_sealed",
    key: "id",
    keyType: "text",
    sealContext: ofProvider,
  },
  { table: "survival_servers", column: "token_sealed", ...byId, sealContext: ofServer },
  { ...ofConfigWrite, column: "before_sealed", sealContext: ofConfigBefore },
  { ...ofConfigWrite, column: "secrets_sealed", sealContext: ofConfigSecrets },
  { table: "webhooks", column: "url_sealed", ...byId, sealContext: ofHookUrl },
  { table: "webhooks", column: "secret_sealed", ...byId, sealContext: ofHookSecret },
  { table: "webhooks", column: "former_secret_sealed", ...byId, sealContext: ofHookSecret },
];
