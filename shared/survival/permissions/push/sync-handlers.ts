import type { SurvivalGrant } from "../../../../models/survival/survival-grant.ts";
import { countChanged, rows } from "../../../db/rows.ts";
import type { Ground, Handlers, TakenIn } from "../../frames/handler.ts";
import type { SurvivalPayload } from "../../kinds/kinds.ts";
import { permissionNotice } from "../../notices/personal-notices.ts";
import { settlePush } from "../../pushes/settle-push.ts";
import type { PermissionOp, PermissionRow } from "../permission-ops.ts";
import { type FailedOp, type SettledOp, settledOps } from "../permission-push.ts";
import { retryAtJoin } from "./retry-at-join.ts";

export const syncHandlers: Handlers = {
  "perm.sync": async (taken, ground) => {
    const { pushId, ok, failed } = taken.payload;
    await holdPush(ground);
    const settled = await settle(taken, ground);
    await tellLive(settled, taken.t, ground);
    const undone = settled.filter(isUndone);
    const problem = problemOf(undone) ?? (ok || failed.length > 0 ? null : "the server failed");
    const push = { serverId: ground.serverId, name: "permissions", ref: pushId } as const;
    const end = problem === null ? { state: "clean" } : { state: "failed", problem };
    await settlePush(
      push,
      end as Parameters<typeof settlePush>[1],
      ground.context.queue,
      ground.connection,
    );
  },
  "player.joined": ({ payload }, ground) => retryAtJoin(payload.steamId, ground),
};

/** Another push begins before this or after it: what it is about to do is not overwritten. */
const holdPush = ({ serverId, connection }: Ground): Promise<unknown> =>
  rows(connection, hold, [serverId]);

interface Row extends PermissionOp {
  readonly state: PermissionRow["state"];
}

/** Writes down what became of each step of a push. What was not refused was done. */
async function settle(
  { payload, t, bootId }: TakenIn<SurvivalPayload<"perm.sync">>,
  { serverId, connection }: Ground,
): Promise<SettledOp[]> {
  const found = await rows<Row>(connection, select, [serverId, payload.pushId]);
  if (found.length === 0) return [];
  const stateBefore = new Map(found.map((row) => [row as PermissionOp, row.state]));
  const settled = settledOps(found, payload.failed as readonly FailedOp[]);
  const ends = settled.map((one) => ({ ...one.op, ...endOf(one, stateBefore.get(one.op)) }));
  await countChanged(connection, store, [
    serverId,
    ends.map(({ subjectKind }) => subjectKind),
    ends.map(({ subject }) => subject),
    ends.map(({ kind }) => kind),
    ends.map(({ value }) => value),
    ends.map(({ state }) => state),
    ends.map(({ error }) => error),
    t,
    bootId,
  ]);
  return settled;
}

/** Tells players of grants that a server has now, each once, on whichever server it is first. */
async function tellLive(
  settled: readonly SettledOp[],
  t: number,
  { connection, tell }: Ground,
): Promise<void> {
  const given = settled.flatMap(({ op, reason }) =>
    reason === null && giving.has(op.op) ? [op] : [],
  );
  if (given.length === 0) return;
  const grants = await rows<LiveGrant>(connection, selectLive, [
    given.map(({ subject }) => subject),
    given.map(({ kind }) => kind),
    given.map(({ value }) => value),
  ]);
  for (const { userId, ...grant } of grants) {
    const change = { ...grant, change: "live", userId: userId ?? undefined } as const;
    tell(permissionNotice(change, new Date(t)));
  }
}

interface LiveGrant extends Readonly<
  Pick<SurvivalGrant, "kind" | "userId" | "expiresAt" | "scopeAll" | "serverIds">
> {
  readonly grantId: SurvivalGrant["id"];
}

const giving: ReadonlySet<PermissionOp["op"]> = new Set(["grant", "join"]);

const selectLive = `
  select held.id as "grantId", held.kind, held.expires_at as "expiresAt",
    held.scope_all as "scopeAll", held.server_ids as "serverIds",
    coalesce(link.user_id, held.user_id) as "userId"
  from unnest($1::text[], $2::text[], $3::text[]) as given (subject, kind, value)
  join survival_grants held on held.steam_id = given.subject and held.kind = given.kind
    and held.value = given.value and held.revoked_at is null and held.expired_at is null
  left join steam_links link on link.steam_id = held.steam_id
  order by held.id`;

const taking: ReadonlySet<PermissionOp["op"]> = new Set(["revoke", "leave", "remove"]);

/** What is not known there has gone already. */
const isGone = ({ op, reason }: SettledOp): boolean =>
  taking.has(op.op) && (reason === null || reason.startsWith("unknown-"));

const isUndone = (settled: SettledOp): boolean => settled.reason !== null && !isGone(settled);

/** A group that could not be changed is there as it was. */
function endOf(
  settled: SettledOp,
  before: PermissionRow["state"] | undefined,
): { state: PermissionRow["state"]; error: string | null } {
  if (isGone(settled)) return { state: "withdrawn", error: null };
  const { op, reason } = settled;
  if (reason === null) return { state: "pushed", error: null };
  const stays = taking.has(op.op) || before === "pushed";
  return { state: stays ? (before ?? "failed") : "failed", error: reason };
}

/** In words for staff: how many, and the first of them. */
function problemOf(undone: readonly SettledOp[]): string | null {
  const [first] = undone;
  if (!first) return null;
  const { op, subject, value } = first.op;
  const what = [op, subject, value].filter((part) => part !== "").join(" ");
  return `${undone.length} not done, such as ${what}: ${first.reason}`;
}

const hold = `
  select 1 from survival_pushes where server_id = $1 and name = 'permissions' for no key update`;

const select = `
  select subject_kind as "subjectKind", subject, kind, value, op, next_shape as shape, state
  from survival_permission_rows where server_id = $1 and push_id = $2`;

const store = `
  update survival_permission_rows held
  set state = ended.state, error = ended.error, at = to_timestamp($8::bigint / 1000.0), boot_id = $9,
    shape = case when ended.state = 'pushed' and ended.error is null then held.next_shape
      else held.shape end,
    push_id = null, op = null, next_shape = null
  from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[])
    as ended (subject_kind, subject, kind, value, state, error)
  where held.server_id = $1 and held.subject_kind = ended.subject_kind
    and held.subject = ended.subject and held.kind = ended.kind and held.value = ended.value`;
