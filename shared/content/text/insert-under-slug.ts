import { isUniqueViolation } from "../../platform/db/unique-violation.ts";
import { AppError } from "../../platform/errors/errors.ts";
import { numberedSlug, slugOf } from "./slugs.ts";

/** Names that derive one slug get a number, up to this one. */
const mostAlike = 1_000;

interface Named {
  /** Derived from the name when it is not given. */
  readonly slug?: string | undefined;
  readonly name: string;
}

/**
 * Inserts under the slug that was given, or under the first free one of those that the name gives.
 * @param insert answers null when the slug is taken; it may not fail for that
 * @param nameless the slug of a name that nothing can be made of
 * @param refuse throws that the slug is taken
 */
export async function insertUnderSlug<Row>(
  { slug, name }: Named,
  insert: (slug: string) => Promise<Row | null>,
  { nameless = "event", refuse = refuseTaken }: { nameless?: string; refuse?: () => never } = {},
): Promise<Row> {
  if (slug !== undefined) return (await insert(slug)) ?? refuse();
  const wanted = slugOf(name) || nameless;
  for (let number = 1; number <= mostAlike; number += 1) {
    const row = await insert(number === 1 ? wanted : numberedSlug(wanted, number));
    if (row) return row;
  }
  return refuse();
}

function refuseTaken(): never {
  const fault = { path: "/slug", code: "taken", message: "slug is taken" } as const;
  throw new AppError("slug_taken", "The slug is taken", { faults: [fault] });
}

/** Runs a change that may set a slug. @throws AppError slug_taken when another one has it */
export async function refusingTakenSlug<T>(change: Promise<T>, refuse = refuseTaken): Promise<T> {
  try {
    return await change;
  } catch (error) {
    return isUniqueViolation(error) ? refuse() : Promise.reject(error);
  }
}
