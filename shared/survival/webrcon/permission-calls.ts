import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

import type { Logger } from "../../platform/log.ts";
import type { CommandOutcome } from "../../platform/plugin/commands.ts";
import type { SurvivalPayload } from "../kinds/kinds.ts";
import type { PermissionSyncBody } from "../permissions/permission-sync.ts";
import { answerMs, type ModLoader } from "./console-answers.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { buildCommand, toPlainArgument, type PlainArgument } from "./console-text.ts";
import { createSuccessOutcome } from "./console-types.ts";
import type { ConsoleState } from "./frame-buffer.ts";
import { PermissionWriter, SyncInterruptedError } from "./permission-push.ts";
import {
  type ListedMember,
  readGroup,
  readGroupNames,
  readHolders,
  readPermissionNames,
} from "./permission-texts.ts";

type Inventory = Pick<SurvivalPayload<"perm.inventory">, "groups" | "permissions" | "users">;
type InventoryUser = { name: string | null; groups: string[]; permissions: string[] };

const usersOnPage = 500;
/** If more permissions are registered, an inventory omits permissions that players have without a group. */
const maxAskedPermissions = 600;

export interface PermissionCallContext {
  readonly questions: ConsoleQuestions;
  readonly state: ConsoleState;
  readonly log: Logger;
  /** Milliseconds between two commands of an inventory. */
  readonly paceMs: number;
  readonly signal: AbortSignal;
}

interface WaitingPush {
  readonly body: PermissionSyncBody;
  readonly loader: ModLoader;
}

/**
 * Runs the permission pushes and inventories of a connection. A push can run between the commands of an
 * inventory.
 */
export class PermissionCalls {
  readonly #parts: PermissionCallContext;
  /** The newest push that has not begun. It replaces older ones, for which the site no longer waits. */
  #waiting: WaitingPush | null = null;
  #pushing: Promise<void> = Promise.resolve();
  #inventoryId: string | null = null;

  constructor(parts: PermissionCallContext) {
    this.#parts = parts;
  }

  /** Queues a push. The state `perm.sync` reports its result later. */
  push(body: PermissionSyncBody, loader: ModLoader): CommandOutcome {
    this.#waiting = { body, loader };
    this.#pushing = this.#pushing.then(() => this.#perform(() => this.#pushWaiting()));
    return createSuccessOutcome({}, 202);
  }

  async #pushWaiting(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = null;
    if (!waiting) return;
    const { body, loader } = waiting;
    const { failed, applied } = await new PermissionWriter(this.#parts.questions, loader).run(body);
    const at = Date.now();
    const result = { pushId: body.pushId, ok: failed.length === 0, applied, failed, at };
    this.#parts.state.putState("perm.sync", result, at);
  }

  /** Starts an inventory, or returns the id of the running one. */
  inventory(loader: ModLoader): CommandOutcome {
    const inventoryId = this.#inventoryId ?? randomUUID();
    if (this.#inventoryId === null) {
      this.#inventoryId = inventoryId;
      void this.#perform(async () => {
        try {
          this.#tell(inventoryId, await this.#read(loader));
        } finally {
          this.#inventoryId = null;
        }
      });
    }
    return createSuccessOutcome({ inventoryId }, 202);
  }

  async #perform(work: () => Promise<void>): Promise<void> {
    const { log, signal } = this.#parts;
    if (signal.aborted) return;
    try {
      await work();
    } catch (error) {
      if (error instanceof SyncInterruptedError || signal.aborted) return;
      log.warn({ err: error }, "permissions could not be read or changed over a console");
    }
  }

  async #read({ prefix }: ModLoader): Promise<Inventory> {
    const show = (args: readonly (PlainArgument | string)[]): Promise<string> =>
      this.#ask(buildCommand(`${prefix}.show`, args));
    const users = new Map<string, InventoryUser>();
    const groups: Inventory["groups"] = [];
    for (const name of readGroupNames(await show([toPlainArgument("groups")]))) {
      const group = readGroup(await show([toPlainArgument("group"), name]));
      if (!group || name.length > 64) continue;
      const { parent, permissions, members } = group;
      groups.push({ name, title: null, rank: null, parent, permissions: [...permissions] });
      for (const member of members) userIn(users, member).groups.push(name);
    }
    const names = readPermissionNames(await show([toPlainArgument("perms")]));
    if (names.length <= maxAskedPermissions) {
      for (const name of names) {
        const holders = readHolders(await show([toPlainArgument("perm"), name]));
        for (const holder of holders ?? []) userIn(users, holder).permissions.push(name);
      }
    }
    return {
      groups,
      permissions: names.map((name) => ({ name, plugin: null })),
      users: [...users].map(([steamId, user]) => ({ steamId, ...user })),
    };
  }

  /** Runs one command of an inventory. @throws {SyncInterruptedError} */
  async #ask(command: string | null): Promise<string> {
    const { questions, paceMs, signal } = this.#parts;
    await sleep(paceMs, undefined, { signal });
    await this.#pushing;
    const answer = command === null ? "" : await questions.run(command, answerMs);
    if (answer === null) throw new SyncInterruptedError("the mod loader did not answer");
    return answer;
  }

  #tell(inventoryId: string, { groups, permissions, users }: Inventory): void {
    const at = Date.now();
    const pages = Math.max(1, Math.ceil(users.length / usersOnPage));
    for (let page = 1; page <= pages; page += 1) {
      const payload = {
        inventoryId,
        page,
        pages,
        groups: page === 1 ? groups : [],
        permissions: page === 1 ? permissions : [],
        users: users.slice((page - 1) * usersOnPage, page * usersOnPage),
      };
      this.#parts.state.putState("perm.inventory", payload, at);
    }
  }
}

function userIn(users: Map<string, InventoryUser>, { steamId, name }: ListedMember): InventoryUser {
  const known = users.get(steamId);
  if (known) return known;
  const user: InventoryUser = { name, groups: [], permissions: [] };
  users.set(steamId, user);
  return user;
}
