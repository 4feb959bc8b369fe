import { steamIdPattern } from "../kinds/fields.ts";
import { normalizeName } from "../permissions/nodes.ts";
import type { FailedOp, PermissionSyncBody } from "../permissions/permission-sync.ts";
import { answerMs, type ModLoader } from "./console-answers.ts";
import type { ConsoleQuestions } from "./console-questions.ts";
import {
  buildCommand,
  toPlainArgument,
  type PlainArgument,
  toConsoleText,
} from "./console-text.ts";
import {
  isGroupOrPlayerAnswer,
  failureReason,
  readListedNames,
  readGroup,
  readGroupNames,
  readHolders,
} from "./permission-texts.ts";

export interface PermissionSyncResult {
  readonly applied: number;
  readonly failed: readonly FailedOp[];
}

/** The connection was lost during the push, so its result is unknown. */
export class SyncInterruptedError extends Error {}

interface PermissionChange {
  readonly op: "grant" | "revoke" | "join" | "leave";
  readonly value: string;
}

/** The arguments that name a group or a player in a command. */
type Subject = readonly [PlainArgument, PlainArgument | string];

interface AppliedChanges {
  /** For each failed change, the reason to report. */
  readonly reasons: ReadonlyMap<PermissionChange, string>;
  /** The mod loader's answer to `show` after the changes. */
  readonly shown: string;
}

interface Judgement extends Pick<AppliedChanges, "reasons"> {
  /** The names that `show` lists for the subject; null if the answer cannot be read. */
  readonly names: ReadonlySet<string> | null;
}

/** Maximum number of commands without an answer. */
const maxOpen = 50;

/** Groups that the game creates. The site does not change their title and rank. */
const gameGroups: ReadonlySet<string> = new Set(["default", "admin", "moderator"]);

/**
 * Changes permissions by commands of a mod loader. Answers may be translated, so it reads the result from
 * the lists of the changed groups and players.
 */
export class PermissionWriter {
  readonly #questions: ConsoleQuestions;
  readonly #prefix: ModLoader["prefix"];
  readonly #failed: FailedOp[] = [];
  #applied = 0;

  constructor(questions: ConsoleQuestions, { prefix }: ModLoader) {
    this.#questions = questions;
    this.#prefix = prefix;
  }

  /** @throws {SyncInterruptedError} */
  async run({ groups, users, remove }: PermissionSyncBody): Promise<PermissionSyncResult> {
    const known = await this.#readGroups();
    for (const group of groups) await this.#changeGroup(group, known);
    for (const user of users) await this.#changeUser(user);
    if (remove.length > 0) await this.#removeGroups(remove, known);
    return { applied: this.#applied, failed: this.#failed };
  }

  async #readGroups(): Promise<Set<string>> {
    const answer = await this.#run("show", [toPlainArgument("groups")]);
    if (answer === null || !isGroupOrPlayerAnswer(answer)) {
      throw new SyncInterruptedError("the mod loader did not list its groups");
    }
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
    const heads: (string | null)[] = [];
    if (!known.has(normalizeName(name)) || !gameGroups.has(normalizeName(name))) {
      const verb = known.has(normalizeName(name)) ? "set" : "add";
      const head = [
        toPlainArgument(verb),
        name,
        toConsoleText(title, 64) ?? name,
        toPlainArgument(String(rank)),
      ];
      heads.push(this.#command("group", head));
    }
    if (parent !== null && isExact(parent)) {
      heads.push(this.#command("group", [toPlainArgument("parent"), name, parent]));
    }
    const { reasons, shown } = await this.#apply([toPlainArgument("group"), name], changes, heads);
    const own = readGroup(shown)?.permissions;
    if (!own) return this.#fail(subject, null, "not-applied");
    this.#applied += 1;
    await this.#judge(subject, changes, { reasons, names: new Set(own.map(normalizeName)) });
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
    const { reasons, shown } = await this.#apply(
      [toPlainArgument("user"), toPlainArgument(steamId)],
      changes,
    );
    const names = isGroupOrPlayerAnswer(shown) ? readListedNames(shown) : null;
    await this.#judge(subject, changes, { reasons, names });
  }

  /** Runs the commands for the changes. @param heads commands to run before the changes */
  async #apply(
    subject: Subject,
    changes: readonly PermissionChange[],
    heads: readonly (string | null)[] = [],
  ): Promise<AppliedChanges> {
    const commands = changes.map((change) => this.#commandOf(subject, change));
    const { answers, shown } = await this.#runInOrder([...heads, ...commands], subject);
    const reasons = new Map<PermissionChange, string>();
    for (const [at, change] of changes.entries()) {
      const answer = answers[heads.length + at] ?? null;
      reasons.set(change, commands[at] === null ? "invalid-name" : failureReason(answer));
    }
    return { reasons, shown };
  }

  /** @returns null if the name has characters that a command cannot contain */
  #commandOf(subject: Subject, { op, value }: PermissionChange): string | null {
    if (!isExact(value)) return null;
    if (op === "grant" || op === "revoke") return this.#command(op, [...subject, value]);
    const verb = toPlainArgument(op === "join" ? "add" : "remove");
    return this.#command("usergroup", [verb, subject[1], value]);
  }

  /**
   * Sends commands without waiting for each answer, then `show`. The console answers in order, so the answer
   * to `show` contains their effect. @throws {SyncInterruptedError} if `show` is not answered
   */
  async #runInOrder(commands: readonly (string | null)[], subject: Subject) {
    const answers: (string | null)[] = [];
    let shown: string | null = null;
    for (let from = 0; from === 0 || from < commands.length; from += maxOpen) {
      const ends = commands
        .slice(from, from + maxOpen)
        .map((command) => (command === null ? () => null : this.#questions.begin(command)));
      shown = await this.#run("show", subject);
      answers.push(...ends.map((end) => end()));
      if (shown === null) {
        throw new SyncInterruptedError("the mod loader did not show what changed");
      }
    }
    return { answers, shown: shown ?? "" };
  }

  /** Compares the changes with the names that the mod loader lists afterwards. */
  async #judge(
    subject: Pick<FailedOp, "subjectKind" | "subject">,
    changes: readonly PermissionChange[],
    { reasons, names }: Judgement,
  ): Promise<void> {
    for (const change of changes) {
      const reason = reasons.get(change) ?? "not-applied";
      const isGone = reason.startsWith("unknown-");
      const isListed = names === null ? null : names.has(normalizeName(change.value));
      const isAdded = change.op === "grant" || change.op === "join";
      const isDone = isAdded
        ? isListed === true && !isGone
        : isGone || (await this.#isRemoved(subject, change, isListed));
      if (isDone) this.#applied += 1;
      else this.#fail(subject, change, reason);
    }
  }

  /** @param isListed null if the answer to `show` could not be read */
  #isRemoved(
    subject: Pick<FailedOp, "subjectKind" | "subject">,
    change: PermissionChange,
    isListed: boolean | null,
  ): boolean | Promise<boolean> {
    return isListed === true ? this.#isInherited(subject, change) : isListed === false;
  }

  /**
   * Returns true if a player has a permission only from a group: `show user` also lists the permissions of
   * groups.
   * @throws {SyncInterruptedError} if the mod loader does not answer
   */
  async #isInherited(
    { subjectKind, subject }: Pick<FailedOp, "subjectKind" | "subject">,
    { op, value }: PermissionChange,
  ): Promise<boolean> {
    if (subjectKind === "group" || op !== "revoke") return false;
    const answer = await this.#run("show", [toPlainArgument("perm"), value]);
    if (answer === null) throw new SyncInterruptedError("the mod loader did not show a permission");
    const holders = readHolders(answer);
    return holders !== null && !holders.some(({ steamId }) => steamId === subject);
  }

  async #removeGroups(names: readonly string[], known: ReadonlySet<string>): Promise<void> {
    const ends = names
      .filter((name) => isExact(name) && known.has(normalizeName(name)))
      .flatMap((name) => this.#command("group", [toPlainArgument("remove"), name]) ?? [])
      .map((command) => this.#questions.begin(command));
    const left = await this.#readGroups();
    for (const end of ends) end();
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

  #command(verb: string, args: readonly (PlainArgument | string)[]): string | null {
    return buildCommand(`${this.#prefix}.${verb}`, args);
  }

  async #run(verb: string, args: readonly (PlainArgument | string)[]): Promise<string | null> {
    const command = this.#command(verb, args);
    return command && this.#questions.run(command, answerMs);
  }
}

/** True if a command can contain this name unchanged. */
const isExact = (name: string): boolean => toConsoleText(name, 128) === name;
