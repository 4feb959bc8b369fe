import type { Transaction } from "sequelize";

import { matchClientId } from "../../../models/queries/any-id.ts";
import { transactionStart } from "../../../models/queries/clock.ts";
import type { ServerLinkKind, SurvivalServer } from "../../../models/survival/survival-server.ts";
import { insertWithSlug, refuseTakenSlug } from "../../content/text/slugs.ts";
import type { Caller } from "../../platform/access/caller.ts";
import { recordActivity } from "../../platform/activity/activity.ts";
import type { Context } from "../../platform/context.ts";
import { inCallersTransaction, modelsOf } from "../../platform/db/transaction.ts";
import {
  AppError,
  type Fault,
  invalidFieldsError,
  notFoundError,
} from "../../platform/errors/errors.ts";
import { notify } from "../../platform/notify/channels.ts";
import {
  endPluginKeys,
  resetLinkForNewKind,
  requireFieldsOfKind,
} from "../../platform/plugin/link.ts";
import { deleteLinkRows } from "../../platform/plugin/services.ts";
import type { SurvivalContext } from "../context.ts";
import { removeServerFromScopes } from "../permissions/scopes.ts";
import { sealRconPassword, sealServerToken } from "../server-link.ts";
import { sourceNameOf } from "../server-locks.ts";
import { deleteStorageCounts } from "../storage/quota.ts";
import { requestSync } from "../sync/request-sync.ts";
import {
  scheduleFields,
  normalizeWipeSchedule,
  type WipeScheduleInput,
} from "../wipes/wipe-schedule.ts";

/** Fields that are stored without conversion. */
const plainFields = [
  "name",
  "slug",
  "description",
  "region",
  "connect",
  "sort",
  "enabled",
  "listed",
  "acceptsLinks",
  "kind",
  "baseUrl",
  "wsUrl",
  "protocol",
  "rconHost",
  "rconPort",
  "rconTls",
  "showSeed",
  "ignoreStaff",
  "permissionSync",
] as const satisfies readonly (keyof SurvivalServer)[];

type PlainField = (typeof plainFields)[number];

/** The fields to change. Omitted fields keep their values. */
export type ServerChange = Partial<Pick<SurvivalServer, PlainField>> &
  WipeScheduleInput & {
    /** An empty text keeps the stored token. */
    readonly token?: string;
    /** An empty text keeps the stored password. */
    readonly rconPassword?: string;
  };

export type NewServer = ServerChange & { readonly name: string };

/** @throws AppError naming each missing or invalid field; slug_taken */
export async function createServer(
  given: NewServer,
  caller: Caller,
  context: SurvivalContext,
): Promise<number> {
  return inCallersTransaction(context.sequelize, async (transaction) => {
    const { slug, ...fields } = given;
    const insert = (free: string) => insertServer(free, fields, transaction);
    const server = await insertWithSlug({ slug, name: given.name }, insert, slugPolicy);
    await modelsOf(transaction).IngestSource.create(
      { source: sourceNameOf(server.id) },
      { transaction },
    );
    const changed = await changeFields(server, fields, context, transaction);
    await record("created", server, { detail: changed, caller }, transaction);
    return server.id;
  });
}

/** @throws AppError missing; slug_taken; or naming each missing or invalid field */
export async function changeServer(
  id: number,
  change: ServerChange,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> {
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const server = await lockServer(id, transaction);
    const { permissionSync: wasKept, ignoreStaff: leftOut } = server;
    const changing = changeFields(server, change, context, transaction);
    const changed = await refuseTakenSlug(changing, refuseSlug);
    if (server.permissionSync && !wasKept) {
      const ask = { names: ["permissions"], serverIds: [id], reason: "permissionSync" } as const;
      await requestSync(ask, context, transaction);
    }
    // Sync the titles: their holders may differ if staff are excluded or included.
    if (server.ignoreStaff !== leftOut) {
      const ask = { names: ["titles"], serverIds: [id], reason: "ignoreStaff" } as const;
      await requestSync(ask, context, transaction);
    }
    await record("changed", server, { detail: changed, caller }, transaction);
  });
}

/** @param purge true also deletes the server's worlds @throws AppError missing; server_has_wipes */
export async function deleteServer(
  id: number,
  purge: boolean,
  caller: Caller,
  context: SurvivalContext,
): Promise<void> {
  await inCallersTransaction(context.sequelize, async (transaction) => {
    const server = await lockServer(id, transaction);
    const { IngestSource, RejectedFrame, SurvivalWipe } = modelsOf(transaction);
    const wipes = await SurvivalWipe.count({ where: { serverId: id }, transaction });
    if (wipes > 0 && !purge) throw new AppError("server_has_wipes", hasWorldsMessage);
    const source = sourceNameOf(id);
    await removeServerFromScopes(id, transaction);
    await deleteLedgeredRows(id, transaction);
    await endPluginKeys(source, transaction);
    await deleteLinkRows(source, transaction);
    await server.destroy({ transaction });
    await RejectedFrame.destroy({ where: { source }, transaction });
    await IngestSource.destroy({ where: { source }, transaction });
    await deleteStorageCounts(id, transaction);
    await record("deleted", server, { detail: {}, caller }, transaction);
  });
}

/**
 * Deletes rows before their ledger entries, in the order in which writers lock both. A cascade could deadlock.
 */
async function deleteLedgeredRows(serverId: number, transaction: Transaction): Promise<void> {
  const models = modelsOf(transaction);
  const of = { where: { serverId }, transaction };
  await models.SurvivalZoneLease.destroy(of);
  await models.SurvivalConfigWrite.destroy(of);
  await models.SurvivalEntitlement.destroy(of);
  await models.SurvivalParticipation.destroy(of);
}

const hasWorldsMessage =
  "The server has worlds: disable and unlist it to keep them, or delete it with purge=true";

const refuseSlug = (): never => {
  throw new AppError("slug_taken", "The slug is taken");
};
const slugPolicy = { nameless: "server", refuse: refuseSlug } as const;

const insertServer = async (
  slug: string,
  { name }: Pick<NewServer, "name">,
  transaction: Transaction,
): Promise<SurvivalServer | null> => {
  const { SurvivalServer: Server } = modelsOf(transaction);
  const [server, isNew] = await Server.findOrCreate({
    where: { slug },
    defaults: { slug, name },
    transaction,
  });
  return isNew ? server : null;
};

/** Locks the source before the server, as ingest does. */
async function lockServer(id: number, transaction: Transaction): Promise<SurvivalServer> {
  const { IngestSource, SurvivalServer: Server } = modelsOf(transaction);
  const locked = { transaction, lock: transaction.LOCK.UPDATE };
  await IngestSource.findOne({ where: { source: sourceNameOf(id) }, raw: true, ...locked });
  const server = await Server.findOne({ where: { id: matchClientId(id) }, ...locked });
  if (!server) throw notFoundError("Unknown server");
  return server;
}

/** Details for the activity log, without secrets and without values of fields. */
interface ChangedFields {
  readonly fields?: readonly string[];
  readonly tokenChanged?: true;
  readonly passwordChanged?: true;
}

async function changeFields(
  server: SurvivalServer,
  change: ServerChange,
  { config }: Context,
  transaction: Transaction,
): Promise<ChangedFields> {
  const given = Object.entries(change).filter(([field]) =>
    plainFields.includes(field as PlainField),
  );
  const { kind = server.kind } = change;
  requireFieldsOfKind(kind, change);
  if (kind !== server.kind) await clearLink(server, transaction);
  server.set({ ...Object.fromEntries(given), ...normalizeWipeSchedule(change) });
  enforceLinkRule(server, change);
  const fields = [...plainFields, ...scheduleFields].filter((field) => server.changed(field));
  if (scheduleFields.some((field) => server.changed(field))) server.wipeSetAt = transactionStart();
  const { token, rconPassword } = change;
  const { SECRETS_KEYS: keys } = config;
  if (token) server.tokenSealed = sealServerToken(server.id, token, keys);
  // The new console has not refused a password, so reset the count.
  if (server.changed("rconHost") || server.changed("rconPort")) server.rconDials = [];
  if (rconPassword) server.rconPasswordSealed = sealRconPassword(server.id, rconPassword, keys);
  refuseIncomplete(server);
  await server.save({ transaction });
  await modelsOf(transaction).SurvivalServer.update(
    { updatedAt: transactionStart() },
    { where: { id: server.id }, transaction },
  );
  return {
    fields,
    ...(token && { tokenChanged: true }),
    ...(rconPassword && { passwordChanged: true }),
  };
}

/** Turns `acceptsLinks` off on an unlisted server. @throws AppError if the request turns it on */
function enforceLinkRule(server: SurvivalServer, { acceptsLinks }: ServerChange): void {
  if (server.listed) return;
  const message = "acceptsLinks must be false while the server is not listed";
  if (acceptsLinks === true) throw invalidFieldsError([{ path: "acceptsLinks", message }]);
  server.acceptsLinks = false;
}

/** Deletes addresses, secrets and keys of the former link kind. */
async function clearLink(server: SurvivalServer, transaction: Transaction): Promise<void> {
  server.set({ baseUrl: "", wsUrl: "", tokenSealed: null, rconHost: "", rconPasswordSealed: null });
  await resetLinkForNewKind(sourceNameOf(server.id), transaction);
}

/** Returns the fields that a link of each kind needs, by their names in requests. */
const neededFields: Readonly<
  Record<ServerLinkKind, (server: SurvivalServer) => Readonly<Record<string, string>>>
> = {
  sidecar: ({ tokenSealed, baseUrl, wsUrl }) => ({ token: tokenSealed ?? "", baseUrl, wsUrl }),
  plugin: () => ({}),
  webrcon: ({ rconHost, rconPasswordSealed }) => ({
    rconHost,
    rconPassword: rconPasswordSealed ?? "",
  }),
};

function refuseIncomplete(server: SurvivalServer): void {
  if (!server.enabled) return;
  const kind: ServerLinkKind = server.kind;
  const faults: Fault[] = Object.entries(neededFields[kind](server))
    .filter(([, value]) => value === "")
    .map(([path]) => ({ path, message: `${path} is required while the server is enabled` }));
  if (faults.length > 0) throw invalidFieldsError(faults);
}

interface ServerAction {
  readonly detail: ChangedFields;
  readonly caller: Caller;
}

/** Writes the activity log and notifies ingest. */
async function record(
  verb: "created" | "changed" | "deleted",
  { id, slug }: SurvivalServer,
  { detail, caller }: ServerAction,
  transaction: Transaction,
): Promise<void> {
  await recordActivity(
    {
      actor: caller,
      action: `survival.server.${verb}`,
      target: { type: "survival_server", id },
      detail: { slug, ...detail },
    },
    transaction,
  );
  await notify("survival_servers", { serverId: id }, transaction);
  await notify("plugin_calls", { source: sourceNameOf(id) }, transaction);
}
