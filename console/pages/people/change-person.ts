import { type BodyOf, callApi } from "../../api/call.ts";
import { Problem } from "../../api/problem.ts";
import type { ReadState } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";
import type { Person } from "./person.ts";

/**
 * Changes a field of an account. The service has no revision of accounts, so the account is read again first.
 * @param shown the account as the person saw it
 * @throws Problem if somebody else changed the field meanwhile, or if the service refuses
 */
export async function changePerson(
  key: "role" | "email",
  body: BodyOf<"PATCH /admin/users/{id}">,
  shown: Person,
  read: ReadState<Person>,
): Promise<void> {
  const path = { id: shown.id };
  const stored = await callApi("GET /admin/users/{id}", { path });
  if (stored[key] !== shown[key]) {
    read.set(stored);
    const value = key === "role" ? words.roles[stored.role] : (stored.email ?? words.none);
    throw new Problem(words.person.changedMeanwhile(words.people[key], value));
  }
  read.set(await callApi("PATCH /admin/users/{id}", { path, body }));
}
