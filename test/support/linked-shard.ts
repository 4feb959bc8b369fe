import type { ControlOptions } from "../../shared/bridge/control.ts";
import type { SimulatorOptions } from "../simulator/options.ts";
import { type Simulator, startSimulator } from "../simulator/simulator.ts";
import type { Account, Character } from "../simulator/world/people.ts";
import { type Answered, call, type CallOptions } from "./call.ts";
import { linkTo } from "./ingest.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "./server.ts";
import type { SignedIn } from "./sign-in.ts";

export interface LinkedShard {
  readonly server: TestServer;
  readonly simulator: Simulator;
  /** One request by somebody, or by nobody. */
  as(who: SignedIn | null, route: string, options?: CallOptions): Promise<Answered>;
  account(name: string): Account;
  character(account: string): Character;
  /** Links an account on the shard and in the mirror. */
  link(user: Pick<SignedIn, "userId">, account: string): Promise<void>;
  /** The lines of the activity log of one action, oldest first. */
  logged(action: string): Promise<LoggedLine[]>;
  stop(): Promise<void>;
}

interface LoggedLine {
  readonly actorId: number | null;
  readonly target: string | null;
  readonly detail: Record<string, unknown>;
}

export interface LinkedShardOptions {
  readonly server?: TestServerOptions;
  readonly simulator?: SimulatorOptions;
}

/** Patience of a test with a shard that is slow or silent. */
const impatient: ControlOptions = { connectMs: 1_000, callMs: 1_500 };

/** The app with its link set to a small simulated shard of its own. */
export async function startLinkedShard(options: LinkedShardOptions = {}): Promise<LinkedShard> {
  const server = await startTestServer({ shard: impatient, ...options.server });
  const simulator = await startSimulator({ world: "small", ...options.simulator });
  const { context } = server;
  await linkTo(simulator, context);
  await context.shard.reload();
  const account = (name: string): Account =>
    found(simulator.world.accounts.get(name.toLowerCase()));
  return {
    server,
    simulator,
    as: (who, route, { headers, body } = {}) =>
      call(server, route, {
        headers: { ...who?.headers, ...headers },
        ...(body !== undefined && { body }),
      }),
    account,
    character: (name) => found(account(name).characters[0]),
    link: async ({ userId }, name) => {
      const linkedAt = new Date("2026-01-02T03:04:05.000Z");
      const accountKey = name.toLowerCase();
      const linked = { account: name, userId };
      simulator.world.links.set(accountKey, { ...linked, linkedAt: linkedAt.getTime() });
      await context.models.ShardLink.upsert({ ...linked, accountKey, linkedAt });
    },
    logged: async (action) => {
      const [rows] = await context.sequelize.query(
        `select actor_id as "actorId", target_type || ' ' || target_id as target, detail
         from activity_log where action = $1 order by id`,
        { bind: [action] },
      );
      return rows as LoggedLine[];
    },
    stop: async () => {
      await server.stop();
      await simulator.stop();
    },
  };
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error("the simulated shard has no such thing");
  return thing;
}

/** What the shard was sent of one path, each as whether it was carried out. */
export const commandsTo = ({ simulator }: LinkedShard, path: string) =>
  simulator.received.commands.filter((command) => command.path === path);
