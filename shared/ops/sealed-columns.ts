import type { Attributes, Model, ModelStatic } from "sequelize";

import type { Models } from "../../models/index.ts";
import { providerSealContext } from "../auth/providers/provider-client.ts";
import { totpSealContext } from "../auth/second-factor/totp-secret.ts";
import { sidecarTokenSealContext } from "../shard/sidecar/sidecar-link.ts";
import { botTokenSealContext } from "../site/chat-bot.ts";
import { previousContentSealContext, secretsSealContext } from "../survival/config/config-seals.ts";
import { rconPasswordSealContext, serverTokenSealContext } from "../survival/server-link.ts";
import { secretSealContext, urlSealContext } from "../webhooks/hooks/hook-secrets.ts";

interface Names<Name extends keyof Models> {
  readonly model: Name;
  readonly column: AttributeOf<Name>;
  readonly key: AttributeOf<Name>;
}

type AttributeOf<Name extends keyof Models> = keyof Attributes<InstanceType<Models[Name]>> & string;

export interface SealedColumn {
  readonly model: keyof Models;
  readonly column: string;
  readonly key: string;
  /** A key that sorts before all keys. */
  readonly beforeAll: SealedRowKey;
  /** Returns the context to which a row's secret is bound. */
  readonly sealContext: (key: SealedRowKey) => string;
}

export type SealedRowKey = number | string;

const byNumber = <Name extends keyof Models>(
  names: Names<Name>,
  sealContext: (id: number) => string,
): SealedColumn => ({
  ...names,
  beforeAll: Number.MIN_SAFE_INTEGER,
  sealContext: (key) => sealContext(Number(key)),
});

const byText = <Name extends keyof Models>(
  names: Names<Name>,
  sealContext: (id: string) => string,
): SealedColumn => ({ ...names, beforeAll: "", sealContext: (key) => sealContext(String(key)) });

const pendingTotp = { model: "PendingTotp", key: "userId" } as const;
const user = { model: "User", key: "id" } as const;
const sidecarLink = { model: "SidecarLink", key: "id" } as const;
const chatBot = { model: "ChatBot", key: "id" } as const;
const provider = { model: "AuthProvider", key: "id" } as const;
const survivalServer = { model: "SurvivalServer", key: "id" } as const;
const configWrite = { model: "SurvivalConfigWrite", key: "writeId" } as const;
const webhook = { model: "Webhook", key: "id" } as const;

/**
 * CATALOGUE of columns with secrets that SECRETS_KEYS encrypt, in the order of rotation. Pending second factors
 * come before users: enrollment during a rotation moves a pending secret to its user.
 */
export const sealedColumns: readonly SealedColumn[] = [
  byNumber({ ...pendingTotp, column: "secretSealed" }, totpSealContext),
  byNumber({ ...user, column: "totpSecretSealed" }, totpSealContext),
  byNumber({ ...sidecarLink, column: "tokenSealed" }, () => sidecarTokenSealContext),
  byNumber({ ...chatBot, column: "tokenSealed" }, () => botTokenSealContext),
  byText({ ...provider, column: "clientSecretSealed" }, providerSealContext),
  byNumber({ ...survivalServer, column: "tokenSealed" }, serverTokenSealContext),
  byNumber({ ...survivalServer, column: "rconPasswordSealed" }, rconPasswordSealContext),
  byText({ ...configWrite, column: "beforeSealed" }, previousContentSealContext),
  byText({ ...configWrite, column: "secretsSealed" }, secretsSealContext),
  byNumber({ ...webhook, column: "urlSealed" }, urlSealContext),
  byNumber({ ...webhook, column: "secretSealed" }, secretSealContext),
  byNumber({ ...webhook, column: "formerSecretSealed" }, secretSealContext),
];

export function findTableAndColumn(
  { model: name, column }: SealedColumn,
  models: Models,
): { readonly table: string; readonly column: string } {
  const model: ModelStatic<Model> = models[name];
  return { table: model.tableName, column: model.getAttributes()[column]?.field ?? column };
}
