import { steamIdPattern } from "../kinds/fields.ts";
import { normalizeName } from "../permissions/nodes.ts";
import type { FailedOp, PermissionSyncBody } from "../permissions/permission-sync.ts";
import { answerMs, type ModLoader } from "./console-answers.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import { buildCommand, plain, type PlainArgument, toConsoleText } from "./console-text.ts";
import {
  describes,
  failureReason,
  listedNames,
  readGroupNames,
  readHolders,
} from "./permission-texts.ts";

export interface PushResult {
  readonly applied: number;
  readonly failed: readonly FailedOp[];
}

/** The connection was lost during the push, so its result is unknown. */
export class PushInterrupted extends Error {}

interface PermissionChange {
  readonly op: "grant" | "revoke" | "join" | "leave";
  readonly value: string;
}

/** Groups that the game itself creates. Their title and rank belong to the game. */
const gameGroups: ReadonlySet<string> = new Set(["default", "admin", "moderator"]);

/**
 * Changes permissions by commands of a mod loader. The texts of their answers may be translated, so the
 * result is read from the lists of the changed groups and players.
 */
export class PermissionPush {
  readonly #questions: ConsoleQuestions;
  readonly #prefix: ModLoader["prefix"];
  readonly #failed: FailedOp[] = [];
  #applied = 0;

  constructor(questions: ConsoleQuestions, { prefix }: ModLoader) {
    this.#questions = questions;
    this.#prefix = prefix;
  }

  /** @throws {PushInterrupted} */
  async run({ groups, users, remove }: PermissionSyncBody): Promise<PushResult> {
    const known = await this.#readGroups();
    for (const group of groups) await this.#changeGroup(group, known);
    for (const user of users) await this.#changeUser(user);
    if (remove.length > 0) await this.#removeGroups(remove, known);
    return { applied: this.#applied, failed: this.#failed };
  }

  async #readGroups(): Promise<Set<string>> {
    const answer = await this.#run("show", [plain("groups")]);
    if (answer === null) throw new PushInterrupted("the mod loader did not list its groups");
    return new Set(readGroupNames(answer).map(normalizeName));
  }

  async #changeGroup(
    group: PermissionSyncBody["groups"][number],
    known: ReadonlySet<string>,
  ): Promise<void> {
    const { name, title, rank, parent } = group;
    const changes: PermissionChange[] = [
      ...group.grant.map((value) => ({ op: "grant", value }) as const),
      ...group.revoke.map((value) => ({ op: "revoke", value }) as const),
    ];
    const subject = { subjectKind: "group", subject: name } as const;
    if (!isExact(name)) return this.#fail(subject, null, "invalid-name");
    if (!known.has(normalizeName(name)) || !gameGroups.has(normalizeName(name))) {
      const verb = known.has(normalizeName(name)) ? "set" : "add";
      const head = [plain(verb), name, toConsoleText(title, 64) ?? name, plain(String(rank))];
      await this.#run("group", head);
    }
    if (parent !== null && isExact(parent)) {
      await this.#run("group", [plain("parent"), name, parent]);
    }
    const reasons = await this.#apply([plain("group"), name], changes);
    const shown = await this.#run("show", [plain("group"), name]);
    if (shown === null) throw new PushInterrupted("the mod loader did not show a group");
    if (!describes(shown)) return this.#fail(subject, null, "not-applied");
    this.#applied += 1;
    await this.#judge(subject, changes, { reasons, names: listedNames(shown) });
  }

  async #changeUser({
    steamId,
    grant,
    revoke,
    join,
    leave,
  }: PermissionSyncBody["users"][number]): Promise<void> {
    const subject = { subjectKind: "user", subject: steamId } as const;
    const changes: PermissionChange[] = [
      ...grant.map((value) => ({ op: "grant", value }) as const),
      ...revoke.map((value) => ({ op: "revoke", value }) as const),
      ...join.map((value) => ({ op: "join", value }) as const),
      ...leave.map((value) => ({ op: "leave", value }) as const),
    ];
    if (!steamIdPattern.test(steamId)) {
      for (const change of changes) this.#fail(subject, change, "invalid-id");
      return;
    }
    const reasons = await this.#apply([plain("user"), plain(steamId)], changes);
    const shown = await this.#run("show", [plain("user"), plain(steamId)]);
    if (shown === null) throw new PushInterrupted("the mod loader did not show a player");
    await this.#judge(subject, changes, { reasons, names: listedNames(shown) });
  }

  /** Runs the command of each change. @returns the reasons by which changes failed for certain */
  async #apply(
    subject: readonly [PlainArgument, PlainArgument | string],
    changes: readonly PermissionChange[],
  ): Promise<Map<PermissionChange, string>> {
    const reasons = new Map<PermissionChange, string>();
    for (const change of changes) {
      const { op, value } = change;
      if (!isExact(value)) {
        reasons.set(change, "invalid-name");
        continue;
      }
      const isMembership = op === "join" || op === "leave";
      const answer = isMembership
        ? await this.#run("usergroup", [plain(op === "join" ? "add" : "remove"), subject[1], value])
        : await this.#run(op, [...subject, value]);
      reasons.set(change, failureReason(answer));
    }
    return reasons;
  }

  /** Compares the changes with the names that the mod loader lists afterwards. */
  async #judge(
    subject: Pick<FailedOp, "subjectKind" | "subject">,
    changes: readonly PermissionChange[],
    {
      reasons,
      names,
    }: {
      readonly reasons: ReadonlyMap<PermissionChange, string>;
      readonly names: ReadonlySet<string>;
    },
  ): Promise<void> {
    for (const change of changes) {
      const { op, value } = change;
      const reason = reasons.get(change) ?? "not-applied";
      const isListed = names.has(normalizeName(value));
      const isGone = reason.startsWith("unknown-");
      const isDone =
        op === "grant" || op === "join"
          ? isListed && !isGone
          : !isListed || isGone || (op === "revoke" && (await this.#isInherited(subject, value)));
      if (isDone) this.#applied += 1;
      else this.#fail(subject, change, reason);
    }
  }

  /** The list of a player's permissions contains those of the player's groups. */
  async #isInherited(
    { subjectKind, subject }: Pick<FailedOp, "subjectKind" | "subject">,
    value: string,
  ): Promise<boolean> {
    if (subjectKind === "group") return false;
    const answer = await this.#run("show", [plain("perm"), value]);
    return !readHolders(answer ?? "").some(({ steamId }) => steamId === subject);
  }

  async #removeGroups(names: readonly string[], known: ReadonlySet<string>): Promise<void> {
    for (const name of names) {
      if (!isExact(name) || !known.has(normalizeName(name))) continue;
      await this.#run("group", [plain("remove"), name]);
    }
    const left = await this.#readGroups();
    for (const name of names) {
      const subject = { subjectKind: "group", subject: name } as const;
      if (left.has(normalizeName(name))) this.#fail(subject, null, "not-applied");
      else this.#applied += 1;
    }
  }

  #fail(
    subject: Pick<FailedOp, "subjectKind" | "subject">,
    change: PermissionChange | null,
    reason: string,
  ): void {
    if (!change) {
      this.#failed.push({ ...subject, op: "group", kind: "group", value: null, reason });
      return;
    }
    const { op, value } = change;
    const kind = op === "grant" || op === "revoke" ? "permission" : "membership";
    this.#failed.push({ ...subject, op, kind, value, reason });
  }

  async #run(verb: string, args: readonly (PlainArgument | string)[]): Promise<string | null> {
    const command = buildCommand(`${this.#prefix}.${verb}`, args);
    return command && this.#questions.run(command, answerMs);
  }
}

/** True if the console would receive this name unchanged. */
const isExact = (name: string): boolean => toConsoleText(name, 128) === name;
