import type { Message } from "../http/wire.ts";

/** The startup parameters that PgBouncer accepts. It refuses all others. */
export const acceptedParameters =
  /^(user|database|application_name|client_encoding|datestyle|timezone|standard_conforming_strings)$/i;

/**
 * Matches a statement whose effect lasts longer than its transaction. Behind a pooler, the effect
 * would reach the connection of another client.
 */
const sessionLevel =
  /^\s*(set\s+(?!local\b|transaction\b)|reset\b|listen\b|unlisten\b|prepare\b|deallocate\b|discard\b|create\s+(local\s+)?temp)|pg_(try_)?advisory_lock(_shared)?\s*\(|set_config\([^)]*,\s*false\s*\)/i;

/** Yields a description of each feature that a message uses and a transaction pooler does not support. */
export function* findPoolerViolations({ name, text }: Message): Generator<string> {
  if (name) yield `named statement: ${name}`;
  for (const statement of text?.split(";") ?? []) {
    if (sessionLevel.test(statement)) yield `session: ${statement.trim()}`;
  }
}
