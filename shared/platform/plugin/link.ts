import type { Transaction } from "sequelize";

import { countChanged, type Database, firstRow } from "../db/rows.ts";
import { invalidFields } from "../errors/errors.ts";
import { endKeys } from "./keys.ts";

/** What views of a link say of its plugin; the key and its hash stand nowhere. */
export interface PluginFacts {
  readonly hasKey: boolean;
  readonly keyCreatedAt: Date | null;
  readonly keyLastUsedAt: Date | null;
  /** By its last hello. */
  readonly plugin: { readonly name: string; readonly version: string } | null;
}

/** Facts as JSON of the database holds them: with its times as texts. */
export type StoredPluginFacts = Omit<PluginFacts, "keyCreatedAt" | "keyLastUsedAt"> & {
  readonly keyCreatedAt: string | null;
  readonly keyLastUsedAt: string | null;
};

/** SQL of the facts of a game server. @param source the SQL of its name */
export const pluginFacts = (source: string): string => `(
  select json_build_object('hasKey', count(*) > 0, 'keyCreatedAt', max(created_at),
    'keyLastUsedAt', max(last_used_at),
    'plugin', (select hello -> 'plugin' from plugin_sessions where plugin_sessions.source = ${source}))
  from plugin_keys where plugin_keys.source = ${source} and ended_at is null
    and (expires_at is null or expires_at > clock_timestamp()))`;

export const factsOf = ({
  keyCreatedAt,
  keyLastUsedAt,
  ...facts
}: StoredPluginFacts): PluginFacts => ({
  ...facts,
  keyCreatedAt: dateOf(keyCreatedAt),
  keyLastUsedAt: dateOf(keyLastUsedAt),
});

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));

export async function readPluginFacts(source: string, database: Database): Promise<PluginFacts> {
  const row = await firstRow<{ facts: StoredPluginFacts }>(
    database,
    `select ${pluginFacts("$1")} as facts`,
    [source],
  );
  if (!row) throw new Error("a select of one row answered none");
  return factsOf(row.facts);
}

/** Fields of a link that one kind alone has. */
const fieldsOfKinds: Readonly<Record<string, readonly string[]>> = {
  sidecar: ["baseUrl", "wsUrl", "token", "protocol"],
  status: ["statusHost", "statusPort"],
};

/** @throws AppError naming each field that a link of this kind does not have */
export function refuseForeignFields(kind: string, change: object): void {
  const faults = Object.entries(fieldsOfKinds)
    .filter(([other]) => other !== kind)
    .flatMap(([other, fields]) =>
      fields
        .filter((field) => field in change)
        .map((path) => ({ path, message: `${path} is a field of the kind ${other} alone` })),
    );
  if (faults.length > 0) throw invalidFields(faults);
}

/**
 * Ends the keys and the session of a link that gets another kind, and drops how it stood, of which the
 * fault would otherwise be shown as one of the new kind. What was received is still stored.
 */
export async function leaveKind(source: string, transaction: Transaction): Promise<void> {
  await countChanged(
    transaction,
    `update ingest_sources set state = 'reconnecting', state_since = clock_timestamp(), reason = null
     where source = $1`,
    [source],
  );
  await endKeys(source, transaction);
  await countChanged(
    transaction,
    `update plugin_sessions set boot_id = null, alive_until = null, wait_id = null, refusal = null
     where source = $1`,
    [source],
  );
}
