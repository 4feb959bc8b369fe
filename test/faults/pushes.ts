import type { Socket } from "node:net";

import type { Sequelize } from "sequelize";

import { storeAnnouncements } from "../../shared/facts/publish-facts.ts";
import { loadConfig } from "../../shared/platform/config/config.ts";
import { createConnectionPool } from "../../shared/platform/db/connection/connection.ts";
import { inTransaction } from "../../shared/platform/db/transaction.ts";
import { createLogger } from "../../shared/platform/log.ts";
import { type PgBossClient, createPgBoss, createQueue } from "../../shared/platform/queue/queue.ts";
import { createTestUser, logIn } from "../support/accounts/sign-in.ts";
import type { Behaviour } from "../support/receiver/behaviour.ts";
import type { ReceivingDevice } from "../support/receiver/receiving-device.ts";
import { testEnvironment } from "../support/service/server.ts";
import type { History } from "./history.ts";
import { type Host, hosts, type ExternalReceivers, sendApiRequest } from "./outside.ts";
import { DeliveryPhases } from "./reach.ts";

const users = 4;
const devicesPerUser = 20;
/**
 * If a connection ends within this time after an answer, the sender did not read the answer. A paused worker
 * stays paused for much longer.
 */
const endedAtOnceMs = 250;

/** The last message that was accepted on a connection. */
interface AcceptedMessage {
  readonly takeBack: () => void;
  /**
   * True once the connection has stayed open long enough after the answer. A later end of the
   * connection does not concern this message.
   */
  isOld: boolean;
}

/** A device's counts for one announcement. */
export interface DeviceRecord {
  /** The number of messages that the device's relay accepted. */
  readonly accepted: number;
  /**
   * The number of accepted messages whose connection then ended. The sender may not know that they
   * were accepted.
   */
  readonly doubtful: number;
  /** The times of the attempts, in milliseconds since the run began. */
  readonly tries: readonly number[];
}

export const unheard: DeviceRecord = { accepted: 0, doubtful: 0, tries: [] };

export interface Follower {
  readonly id: number;
  readonly relay: Host;
  readonly device: ReceivingDevice;
  readonly heard: Map<string, DeviceRecord>;
}

/** Devices behind two push relays. Each must get each announcement once. */
export class Pushes {
  readonly #history: History;
  readonly #outside: ExternalReceivers;
  readonly followers: Follower[] = [];
  /** The committed announcements, by the reference in their messages. */
  readonly announced: string[] = [];
  readonly reach = new DeliveryPhases();
  /** The number of killed workers. Each loses the messages that it is sending. */
  workersKilled = 0;
  readonly #taken = new WeakMap<Socket, AcceptedMessage>();
  #producer: { readonly sequelize: Sequelize; readonly boss: PgBossClient } | undefined;
  #count = 0;

  constructor(outside: ExternalReceivers, history: History) {
    this.#outside = outside;
    this.#history = history;
  }

  /** Registers devices as browsers do, and starts a producer of announcements. */
  async follow(databaseUrl: string, api: string): Promise<void> {
    const config = loadConfig({ ...testEnvironment(databaseUrl), ...this.#outside.environment });
    const boss = createPgBoss(config, createLogger("faults", "silent"));
    const sequelize = createConnectionPool(config, "faults");
    await boss.start();
    this.#producer = { sequelize, boss };
    for (let user = 0; user < users; user++) {
      const made = await createTestUser({ context: { config, sequelize } });
      const cookie = await logIn({ url: api }, made);
      const ask = (place: string, method: string, body: object): Promise<{ id: number }> =>
        sendApiRequest(`${api}/api/v1/auth/me/${place}`, method, { cookie, body });
      await ask("notifications/subscriptions", "PUT", { streams: ["site.notice"] });
      for (let at = 0; at < devicesPerUser; at++) {
        const relay = hosts[at % 2] ?? hosts[0];
        const device = this.#outside.receiver.device(relay);
        const { id } = await ask("devices", "POST", device.subscription);
        const follower = { id, relay, device, heard: new Map<string, DeviceRecord>() };
        device.behave = this.#behaviourOf(follower);
        this.followers.push(follower);
      }
    }
  }

  /** Announces one item to all devices and webhooks, as the service does. */
  async announce(): Promise<void> {
    if (!this.#producer) throw new Error("nobody follows yet");
    const { sequelize, boss } = this.#producer;
    const ref = String(++this.#count);
    const context = { queue: createQueue(boss), log: createLogger("faults", "silent") };
    const news = { stream: "site.notice", ref, key: ref } as const;
    try {
      await inTransaction(sequelize, (transaction) =>
        storeAnnouncements([news], transaction, context),
      );
      this.announced.push(ref);
    } catch (error) {
      // The database connection failed, so it is unknown whether the announcement was committed.
      this.#history.note("an announcement failed", { reason: String(error) });
    }
  }

  async stop(): Promise<void> {
    await this.#producer?.boss.stop({ graceful: false });
    await this.#producer?.sequelize.close();
  }

  #behaviourOf({ relay, device, heard }: Omit<Follower, "id">): Behaviour {
    return (response) => {
      const { ref } = device.payloads.at(-1) as { readonly ref: string };
      const before = heard.get(ref) ?? unheard;
      const tried = { ...before, tries: [...before.tries, this.#history.at] };
      heard.set(ref, tried);
      const count = (accepted: number, doubtful: number): void => {
        const now = heard.get(ref) ?? tried;
        heard.set(ref, {
          ...now,
          accepted: now.accepted + accepted,
          doubtful: now.doubtful + doubtful,
        });
      };
      const take = (): void => {
        const { socket } = response;
        // Do not count a message as accepted if its connection cannot carry the answer.
        if (socket?.writable !== true) return;
        count(1, 0);
        this.#watch(socket, () => count(-1, 1));
        response.writeHead(201).end();
      };
      const isTaken = relay !== hosts[0] && this.reach.take(response, take);
      if (!isTaken) this.#outside.answer(relay, response, take);
    };
  }

  /**
   * Takes an acceptance back if the sender did not read the answer. A sender that gave up has
   * closed its connection: the close arrives soon after the answer, or the unread answer resets the
   * connection.
   */
  #watch(socket: Socket, takeBack: () => void): void {
    const isWatched = this.#taken.has(socket);
    const taken: AcceptedMessage = { takeBack, isOld: false };
    this.#taken.set(socket, taken);
    // On a busy machine a timer fires before pending reads, and an immediate after them. So use
    // both.
    setTimeout(() => setImmediate(() => (taken.isOld = true)), endedAtOnceMs);
    if (isWatched) return;
    const hearEnd = (isReset: boolean): void => {
      const last = this.#taken.get(socket);
      this.#taken.delete(socket);
      if (last && (isReset || !last.isOld)) last.takeBack();
    };
    socket.once("end", () => hearEnd(false));
    socket.once("close", hearEnd);
  }
}
