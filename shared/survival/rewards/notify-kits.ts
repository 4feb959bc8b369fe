import type { SteamLink } from "../../../models/survival/players/steam-link.ts";
import type { SurvivalEntitlement } from "../../../models/survival/players/survival-entitlement.ts";
import { rows } from "../../platform/db/rows.ts";
import { inTransaction } from "../../platform/db/transaction.ts";
import type { SurvivalContext } from "../context.ts";
import { kitNotification } from "../notifications/makers.ts";
import { sendNotifications } from "../notifications/send.ts";

/** Maximum number of kits per transaction. */
const page = 500;

/** Notifies players and event runs of new kits on a server, once per kit. */
export async function notifyKits(serverId: number, context: SurvivalContext): Promise<void> {
  for (let told = page; told === page;) {
    told = await inTransaction(context.sequelize, async (transaction) => {
      const found = await rows<NewKit>(transaction, statement, [serverId]);
      const notices = found.map(({ createdAt, userId, runId, ...kit }) =>
        kitNotification(
          { ...kit, serverId, userId: userId ?? undefined, runId: runId ?? undefined },
          createdAt,
        ),
      );
      await sendNotifications(notices, transaction, context);
      return found.length;
    });
  }
}

interface NewKit extends Readonly<
  Pick<SurvivalEntitlement, "kit" | "uses" | "expiresAt" | "runId" | "createdAt">
> {
  readonly entitlementId: SurvivalEntitlement["id"];
  readonly userId: SteamLink["userId"] | null;
}

const statement = `
  with told as (
    update survival_entitlements set is_told = true
    where id in (
      select id from survival_entitlements where server_id = $1 and not is_told
      order by id limit ${page} for update skip locked)
    returning id, steam_id, kit, uses, expires_at, run_id, created_at
  )
  select told.id as "entitlementId", kit, uses, expires_at as "expiresAt", run_id as "runId",
    told.created_at as "createdAt", link.user_id as "userId"
  from told left join steam_links link on link.steam_id = told.steam_id
  order by told.id`;
