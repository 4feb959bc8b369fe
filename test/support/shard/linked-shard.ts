import type { ControlOptions } from "../../../shared/platform/bridge/calls/control.ts";
import type { SimulatorOptions } from "../../simulator/options.ts";
import { type Simulator, startSimulator } from "../../simulator/simulator.ts";
import type { Account, Character } from "../../simulator/world/people.ts";
import type { SignedIn } from "../accounts/sign-in.ts";
import { requireDescribedBodies } from "../bridge/described-bodies.ts";
import { activityOf } from "../factories/site.ts";
import { type ApiAnswer, callRoute, type CallOptions } from "../http/call.ts";
import { startTestServer, type TestServer, type TestServerOptions } from "../service/server.ts";
import { linkSimulator } from "./ingest.ts";

export interface LinkedShard {
  readonly server: TestServer;
  /** The simulated shard to which the site is linked now. */
  readonly simulator: Simulator;
  /** Links the site to a new shard, which has no earlier events. */
  relink(options?: SimulatorOptions): Promise<void>;
  /** Sends a request as a user, or without a session for null. */
  as(who: SignedIn | null, route: string, options?: CallOptions): Promise<ApiAnswer>;
  account(name: string): Account;
  character(account: string): Character;
  /** Links an account to a user, both on the shard and in the service's database. */
  link(user: Pick<SignedIn, "userId">, account: string): Promise<void>;
  /** Returns the lines of the activity log about an action, oldest first. */
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

const loggedColumns = ["actorId", "targetType", "targetId", "detail"] as const;

/** Timeouts for a busy machine, where a healthy shard may exceed the timeouts of the protocol. */
const patient: ControlOptions = { connectMs: 120_000, callMs: 120_000 };
/** Short timeouts, for tests whose shard is silent. */
export const impatient: ControlOptions = { connectMs: 1_000, callMs: 1_500 };

/** Starts a site that is linked to a small simulated shard of its own. */
export async function startLinkedShard(options: LinkedShardOptions = {}): Promise<LinkedShard> {
  const server = await startTestServer({ shard: patient, ...options.server });
  const { context } = server;
  const startShard = async (settings?: SimulatorOptions): Promise<Simulator> => {
    const started = await startSimulator({ world: "small", ...settings });
    await linkSimulator(started, context);
    await context.shard.reload();
    return started;
  };
  let simulator = await startShard(options.simulator);
  const account = (name: string): Account =>
    found(simulator.world.accounts.get(name.toLowerCase()));
  return {
    server,
    get simulator() {
      return simulator;
    },
    relink: async (settings = options.simulator) => {
      requireDescribedBodies("uo", simulator.received.commands);
      await simulator.stop();
      simulator = await startShard(settings);
    },
    as: (who, route, { headers, body } = {}) =>
      callRoute(server, route, {
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
      const lines = await activityOf(server, { action }, loggedColumns);
      return lines.map(({ actorId, targetType, targetId, detail }) => ({
        actorId,
        target: targetId === null ? null : `${targetType} ${targetId}`,
        detail,
      }));
    },
    stop: async () => {
      await server.stop();
      await simulator.stop();
      requireDescribedBodies("uo", simulator.received.commands);
    },
  };
}

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw new Error("the simulated shard has no such thing");
  return thing;
}

/** Returns the commands that the shard received at a path. */
export const findReceivedCommands = ({ simulator }: LinkedShard, path: string) =>
  simulator.received.commands.filter((command) => command.path === path);
