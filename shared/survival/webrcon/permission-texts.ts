import { steamIdPattern } from "../kinds/fields.ts";

// Parsers of the mod loaders' answers to `show`. The texts may be translated, so only their form is used: a
// line that ends with a colon is a title, and the lines after it list names.

interface TextBlock {
  readonly title: string;
  readonly text: string;
}

function blocksOf(answer: string): TextBlock[] {
  const blocks: { title: string; lines: string[] }[] = [];
  for (const raw of answer.split(/\r?\n/)) {
    const line = raw.trim();
    if (line.endsWith(":")) blocks.push({ title: line, lines: [] });
    else if (line !== "") blocks.at(-1)?.lines.push(line);
  }
  return blocks.map(({ title, lines }) => ({ title, text: lines.join(", ") }));
}

/** Splits a list of names. Carbon writes "and" before the last name. */
const namesIn = (text: string): string[] =>
  text
    .split(/,\s*|\s+and\s+/)
    .map((name) => name.trim())
    .filter((name) => name !== "");

const nodeForm = /^[\w-]+(?:\.[\w-]+)*(?:\.\*)?$/;

/** Returns all names that an answer lists, in lower case. */
export const readListedNames = (answer: string): ReadonlySet<string> =>
  new Set(blocksOf(answer).flatMap(({ text }) => namesIn(text).map((name) => name.toLowerCase())));

/**
 * True if an answer describes a group or a player. For an unknown group or player, the answer is a single line.
 */
export const isGroupOrPlayerAnswer = (answer: string): boolean =>
  !answer.startsWith("Error:") && blocksOf(answer).length > 0;

export const readGroupNames = (answer: string): string[] =>
  namesIn(blocksOf(answer)[0]?.text ?? "").slice(0, 1_000);

/** Reads the permissions that plugins registered. */
export const readPermissionNames = (answer: string): string[] =>
  namesIn(blocksOf(answer)[0]?.text ?? "")
    .filter((name) => nodeForm.test(name) && name.length <= 128)
    .slice(0, 20_000);

export interface ListedMember {
  readonly steamId: string;
  readonly name: string | null;
}

const memberForm = /\b(7656119\d{10})\b(?:\s*[([]([^)\]]*)[)\]])?/g;

const membersIn = (text: string): ListedMember[] =>
  Array.from(text.matchAll(memberForm), ([, steamId = "", name]) => ({
    steamId,
    name: name ? name.slice(0, 256) : null,
  })).filter(({ steamId }) => steamIdPattern.test(steamId));

export interface ListedGroup {
  readonly members: readonly ListedMember[];
  readonly permissions: readonly string[];
  readonly parent: string | null;
}

/** Reads the answer to `show group`: members, the group's own permissions, and its parent. */
export function readGroup(answer: string): ListedGroup | null {
  const [members, permissions, parent] = isGroupOrPlayerAnswer(answer) ? blocksOf(answer) : [];
  if (!members || !permissions) return null;
  return {
    members: membersIn(members.text),
    permissions: namesIn(permissions.text).filter((name) => nodeForm.test(name)),
    parent: /'([^']{1,64})'/.exec(parent?.title ?? "")?.[1] ?? null,
  };
}

/**
 * Reads the players who have a permission without a group, from the answer to `show perm`.
 * @returns null for any other answer
 */
export function readHolders(answer: string): ListedMember[] | null {
  const [users, groups] = answer.startsWith("Error:") ? [] : blocksOf(answer);
  return users && groups ? membersIn(users.text) : null;
}

/** Returns the reason of a failed change from the answer to its command. */
export function failureReason(answer: string | null): string {
  if (answer === null) return "no-answer";
  if (/^permission\b.*(?:doesn'?t|does not) exist/i.test(answer)) return "unknown-permission";
  if (/^group\b.*(?:doesn'?t|does not) exist/i.test(answer)) return "unknown-group";
  return /^user\b.*not found/i.test(answer) ? "unknown-user" : "not-applied";
}
