import { totpPlace } from "../auth/totp-secret.ts";
import { tokenPlace } from "../shard/shardlink.ts";

export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** Integer key of the table. */
  readonly key: string;
  /** Where a row's secret may be read: what it was sealed with. */
  readonly place: (key: number) => string;
}

/** CATALOGUE of columns that hold secrets under the keys of SECRETS_KEYS. */
export const sealedColumns: readonly SealedColumn[] = [
  { table: "users", column: "totp_secret_sealed", key: "id", place: totpPlace },
  { table: "totp_pending", column: "secret_sealed", key: "user_id", place: totpPlace },
  { table: "shardlink", column: "token_sealed", key: "id", place: () => tokenPlace },
];
