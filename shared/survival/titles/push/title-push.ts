import type { Transaction } from "sequelize";

import type { SurvivalTitleServer } from "../../../../models/survival/survival-title-server.ts";
import { firstRow } from "../../../platform/db/rows.ts";
import { inTransaction, modelsOf } from "../../../platform/db/transaction.ts";
import { setTitles } from "../../calls/speech-calls.ts";
import type { SurvivalContext } from "../../context.ts";
import { askForPush } from "../../pushes/ask-for-push.ts";
import type { PreparedPush, PushKind } from "../../pushes/push-kind.ts";
import { computeTitles, type ServerTitles, titlesHash } from "./compute-titles.ts";

/** Tells a server who holds which titles, where it was not told just that since it came back. */
export const titlePush: PushKind = {
  capability: "titles",
  prepare: async ({ serverId }, transaction): Promise<PreparedPush | null> => {
    const due = await readDue(serverId, transaction);
    if (!due) return null;
    const { mode, max, holders } = due.titles;
    return {
      enters: ["titles"],
      send: async (control, order) => {
        await control.command(setTitles, order, { body: { mode, max, holders } });
        return { settle: (ending) => keepSent(serverId, due, ending) };
      },
    };
  },
};

/** Has a server told its titles, where what its players have done since has changed them. */
export const followTallies = (serverId: number, context: SurvivalContext): Promise<void> =>
  inTransaction(context.sequelize, async (transaction) => {
    if (!(await readDue(serverId, transaction))) return;
    const ask = { names: ["titles"], serverIds: [serverId], reason: "tally" } as const;
    await askForPush(ask, context, transaction);
  });

interface Due {
  readonly titles: ServerTitles;
  readonly hash: string;
  /** Before anything of it was read. */
  readonly at: Date;
}

interface Told extends Pick<SurvivalTitleServer, "hash"> {
  readonly now: Date;
  readonly isCurrent: boolean | null;
}

/** Null for a server that has been told already, and for one that never had a title. */
async function readDue(serverId: number, transaction: Transaction): Promise<Due | null> {
  const told = await firstRow<Told>(transaction, readTold, [serverId]);
  const parts = { models: modelsOf(transaction), database: transaction };
  const { rules, ...titles } = await computeTitles(serverId, parts);
  const hash = titlesHash(titles);
  const wasTold = told !== undefined && told.hash !== null;
  if (!wasTold && rules.length === 0) return null;
  if (wasTold && told.hash === hash && told.isCurrent === true) return null;
  return { titles, hash, at: told?.now as Date };
}

const readTold = `
  select clock_timestamp() as now, told.hash, told.sent_at > told.returned_at as "isCurrent"
  from (select) one left join survival_title_servers told on told.server_id = $1`;

async function keepSent(
  serverId: number,
  { hash, at }: Due,
  transaction: Transaction,
): Promise<void> {
  // Before it came back for the first time nothing that is sent to a server is older.
  await modelsOf(transaction).SurvivalTitleServer.upsert(
    { serverId, returnedAt: new Date(0), sentAt: at, hash },
    { fields: ["sentAt", "hash"], transaction },
  );
}
