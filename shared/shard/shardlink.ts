import { QueryTypes, type Sequelize, type Transaction } from "sequelize";

import { seal, type SecretsKeys, unseal } from "../crypto/sealed.ts";

/** How the service reaches the shard's sidecar. */
export interface Shardlink {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly protocol: number;
  readonly enabled: boolean;
  readonly tokenSealed: string | null;
}

/** Where the token may be read, and nowhere else. */
export const tokenPlace = "shardlink|token";

export const sealToken = (token: string, keys: SecretsKeys): string =>
  seal(token, tokenPlace, keys);

/** @param transaction holds the row until it ends, so that two changes follow one another */
export async function readShardlink(
  sequelize: Sequelize,
  transaction?: Transaction,
): Promise<Shardlink> {
  const [row] = await sequelize.query<Shardlink>(
    `select base_url as "baseUrl", ws_url as "wsUrl", protocol, enabled,
            token_sealed as "tokenSealed"
     from shardlink ${transaction ? "for update" : ""}`,
    { type: QueryTypes.SELECT, ...(transaction && { transaction }) },
  );
  if (!row) throw new Error("the row of shardlink is missing");
  return row;
}

/** What a link needs to be used; null while it is off or was never configured. */
export interface UsableLink {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly protocol: number;
  readonly token: string;
}

/** @throws {UnreadableSecret} when the stored token cannot be read */
export function usableLink(link: Shardlink, keys: SecretsKeys): UsableLink | null {
  const { baseUrl, wsUrl, protocol, enabled, tokenSealed } = link;
  if (!enabled || tokenSealed === null || wsUrl === "" || baseUrl === "") return null;
  return { baseUrl, wsUrl, protocol, token: unseal(tokenSealed, tokenPlace, keys) };
}
