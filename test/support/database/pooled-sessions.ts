import type { Message } from "../http/wire.ts";

/** What PgBouncer takes from a client that connects, and refuses all else. */
export const taken =
  /^(user|database|application_name|client_encoding|datestyle|timezone|standard_conforming_strings)$/i;

/** Statements that last longer than a transaction, so that another client's connection has them. */
const sessionLevel =
  /^\s*(set\s+(?!local\b|transaction\b)|reset\b|listen\b|unlisten\b|prepare\b|deallocate\b|discard\b|create\s+(local\s+)?temp)|pg_(try_)?advisory_lock(_shared)?\s*\(|set_config\([^)]*,\s*false\s*\)/i;

/** What it asks for that no such pooler gives, in words. */
export function* violationsOf({ name, text }: Message): Generator<string> {
  if (name) yield `named statement: ${name}`;
  for (const statement of text?.split(";") ?? []) {
    if (sessionLevel.test(statement)) yield `session: ${statement.trim()}`;
  }
}
