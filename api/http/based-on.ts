import Joi from "joi";

import { runWithBaseRevision, type Revision } from "../../shared/platform/base-revision.ts";
import { AppError } from "../../shared/platform/errors/errors.ts";
import type { ApiContext } from "../context.ts";

/** The condition under which a request must include the revision that its caller read. */
export type BaseRevisionCondition = "always" | "optional" | "world-steps";

/** How a route checks that its caller has read the current revision of an object. An older revision is 409. */
export interface BaseRevisionCheck<I> {
  /** `world-steps`: required if a step of the event changes a game world. */
  readonly when: BaseRevisionCondition;
  /** The field of the body that holds the revision; `basedOn` by default. */
  readonly field?: "base_revision" | "revision";
  /** The field of the current object that holds its revision; `revision` by default. */
  readonly shownAs?: string;
  /** The type of the revision: a counter, or a hash of the stored object. */
  readonly as: "number" | "hash";
  /** Reads the current object, as its GET route shows it. The refusal contains it. */
  current(this: void, input: I, context: ApiContext): Promise<object | null> | object | null;
}

/** Returns the revision check of an object with an id in the path. Its revision is a hash. */
export const hashRevisionCheck = (
  read: (id: number, context: ApiContext) => Promise<object> | object,
) =>
  ({
    when: "optional",
    as: "hash",
    current: (
      { params: { id } }: { readonly params: { readonly id: number } },
      context: ApiContext,
    ) => read(id, context),
  }) as const;

/** A revision that the route's handler compares itself, such as that of a file on the game server. */
export interface HandlerRevisionCheck {
  readonly when: BaseRevisionCondition;
  readonly field: string;
  readonly isOwn: true;
}

export const findRevisionField = ({ field = "basedOn" }: { readonly field?: string }): string =>
  field;

const revisionFields = {
  number: Joi.number()
    .integer()
    .min(0)
    .max(2 ** 31 - 1)
    .example(3),
  hash: Joi.string()
    .pattern(/^[0-9a-f]{32}$/, "revision")
    .example("5f70bf18a086007016e948b04aed3b82"),
};

/** Adds the revision field to a route's body. */
export function addRevisionField(
  body: Joi.ObjectSchema | undefined,
  { when, as, shownAs = "`revision`", ...named }: BaseRevisionCheck<never>,
): Joi.ObjectSchema {
  const field = revisionFields[as].description(
    `The ${shownAs} that the client read. 409 \`stale_revision\` if the object has changed since.`,
  );
  const fields = { [findRevisionField(named)]: when === "always" ? field.required() : field };
  const example = {
    [findRevisionField(named)]: as === "number" ? 3 : "5f70bf18a086007016e948b04aed3b82",
  };
  if (!body) return Joi.object(fields).example(example);
  const [own] = (body.describe() as { examples?: object[] }).examples ?? [];
  const based = body.append(fields);
  return own ? based.example({ ...own, ...example }, { override: true }) : based;
}

/**
 * @openapi
 * components:
 *   schemas:
 *     Revision:
 *       type: string
 *       description: >-
 *         Hash of the object's content. Send the hash as `basedOn` with a change: if the content
 *         has changed since it was read, the change is refused.
 *       example: 5f70bf18a086007016e948b04aed3b82
 */
export interface BodyAndRevision {
  readonly revision: Revision | undefined;
  readonly body: object;
}

/** Separates the revision from the other fields of a checked body. */
export function splitRevision(body: object, basedOn: BaseRevisionCheck<never>): BodyAndRevision {
  const { [findRevisionField(basedOn)]: revision, ...rest } = body as Readonly<
    Record<string, unknown>
  >;
  return { revision: revision as Revision | undefined, body: rest };
}

interface Based<I> {
  readonly basedOn: BaseRevisionCheck<I>;
  readonly revision: Revision | undefined;
  readonly isPointed: boolean;
}

/** Handles a request with a revision. A refusal contains the current object. */
export async function handleWithRevision<I, T>(
  { basedOn, revision, isPointed }: Based<I>,
  input: I,
  handle: () => Promise<T>,
  context: ApiContext,
): Promise<T> {
  try {
    return await runWithBaseRevision(
      { revision, field: findRevisionField(basedOn), isPointed },
      handle,
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.errorCode !== "stale_revision") throw error;
    const { message, faults, extra } = error;
    const current = await basedOn.current(input, context);
    throw new AppError("stale_revision", message, {
      ...(faults && { faults }),
      extra: { ...extra, current },
      cause: error,
    });
  }
}
