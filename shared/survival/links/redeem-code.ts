import { createHash } from "node:crypto";

import { col } from "sequelize";

import { computed, type PlainRow, plainRows } from "../../../models/plain-rows.ts";
import type { SurvivalServerState } from "../../../models/survival/survival-server-state.ts";
import type { SurvivalServer } from "../../../models/survival/survival-server.ts";
import { BridgeError } from "../../bridge/bridge-error.ts";
import type { Order } from "../../bridge/call.ts";
import type { Context } from "../../context.ts";
import { actorOf, type ShardOrder } from "../../shard/staff/commands.ts";
import { isIncapable } from "../calls/capabilities.ts";
import { redeemCode } from "../calls/server-calls.ts";

/** Whose a code is, and which server had made it. */
export interface Redeemed {
  readonly serverId: number;
  readonly steamId: string;
  readonly name: string;
}

/** What the servers said to a code that none of them took. */
export interface NotRedeemed {
  /** Whether one of them looked for it: whoever guesses has learnt something. */
  readonly isRefused: boolean;
  /** Whether one that may have made it, or every one, did not answer. */
  readonly isUncertain: boolean;
}

type Said = Redeemed | "unknown" | "silent";

/**
 * Asks servers for a code: at once those that made one lately, and then the others. The first that
 * takes it is the one; the rest need not be waited for.
 */
export async function redeemAtServers(
  code: string,
  order: ShardOrder,
  context: Context,
): Promise<Redeemed | NotRedeemed> {
  const known = await readAsked(context);
  const capable = known.filter((server) => !isIncapable(server, "link"));
  const sent = sentFor(code, known[0]?.period ?? 0, order);
  const ask = ({ id }: Asked): Promise<Said> => askServer(id, code, sent, context);
  const recent = capable.filter(({ isRecent }) => isRecent);
  const first = await firstRedeemed(recent.map(ask));
  if (!Array.isArray(first)) return first;
  const rest = await firstRedeemed(capable.filter(({ isRecent }) => !isRecent).map(ask));
  if (!Array.isArray(rest)) return rest;
  const said = [...first, ...rest];
  return {
    isRefused: said.includes("unknown"),
    isUncertain: first.includes("silent") || said.every((one) => one === "silent"),
  };
}

/** A code is good for five or six minutes. */
const recentSeconds = 360;

const beside = {
  hello: computed<SurvivalServerState["hello"]>(col("state.hello")),
  /** Counted from 1970 by the database's clock; as long as a code counts as made lately. */
  period: computed<number>(
    `floor(extract(epoch from clock_timestamp()) / ${recentSeconds})::bigint`,
  ),
  isRecent: computed<boolean>(
    `coalesce(state.link_minted_at > clock_timestamp() - make_interval(secs => ${recentSeconds}), false)`,
  ),
};

type Asked = PlainRow<SurvivalServer, "id", typeof beside>;

/** The servers that are on, those first that made a code last. */
const readAsked = ({ models }: Context): Promise<Asked[]> =>
  plainRows(models.SurvivalServer, {
    columns: ["id"],
    computed: beside,
    include: [{ association: "state", attributes: [] }],
    where: { enabled: true },
    order: [[col("state.link_minted_at"), "DESC NULLS LAST"], "id"],
  });

/**
 * The game answers a repeated order as it did the first time: a code whose answer was lost can be
 * sent again. An order is another one once the code must have ended, so that nobody links an account
 * by a code that he used before he unlinked it.
 */
function sentFor(code: string, period: number, { caller, requestId }: ShardOrder): Order {
  const parts = JSON.stringify(["steam link", caller.userId, code.toUpperCase(), period]);
  const idempotencyKey = createHash("sha256").update(parts).digest("hex");
  return { actor: actorOf(caller), requestId, idempotencyKey };
}

async function askServer(
  serverId: number,
  code: string,
  sent: Order,
  context: Context,
): Promise<Said> {
  try {
    const player = await context.survival.call(serverId, (control) =>
      control.command(redeemCode, sent, { body: { code } }),
    );
    return { serverId, ...player };
  } catch (error) {
    // A server that fails in whatever way keeps no other from being asked.
    const bridgeCode = error instanceof BridgeError ? error.code : null;
    if (bridgeCode === "NOT_FOUND" || bridgeCode === "INVALID") return "unknown";
    if (bridgeCode === "UNSUPPORTED" || bridgeCode === "DISABLED") return "unknown";
    context.log.warn({ err: error, serverId }, "a server did not answer for a link code");
    return "silent";
  }
}

/** What the first said that took the code, or else what all of them said. */
async function firstRedeemed(answers: readonly Promise<Said>[]): Promise<Redeemed | Said[]> {
  const takers = answers.map(async (answer) => {
    const said = await answer;
    if (typeof said === "string") throw new Error(said);
    return said;
  });
  try {
    return await Promise.any(takers);
  } catch {
    return Promise.all(answers);
  }
}
