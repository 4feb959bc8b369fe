import { words } from "../words/words.ts";
import type { Operations } from "./operations.ts";
import { Problem, readProblem } from "./problem.ts";

export type OperationName = keyof Operations;
export type AnswerOf<Name extends OperationName> = Operations[Name]["answer"];
export type BodyOf<Name extends OperationName> = Operations[Name]["body"];
export type QueryOf<Name extends OperationName> = Operations[Name]["query"];

/** The parts of a request that an operation has. A part in which nothing is required may be left out. */
type Parts<Operation> = {
  readonly [
    Key in "path" | "query" | "body" as Optional<Operation, Key> extends true ? never : Key
  ]: Operation[Key & keyof Operation];
} & {
  readonly [
    Key in "path" | "query" | "body" as Optional<Operation, Key> extends true ? Key : never
  ]?: Operation[Key & keyof Operation] | undefined;
};

type Optional<Operation, Key> = Key extends keyof Operation
  ? Operation[Key] extends null
    ? true
    : object extends Operation[Key]
      ? true
      : false
  : true;

export type OperationInput<Name extends OperationName> = Parts<Operations[Name]> & Common;

interface Common {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The parts of a request, whichever operation it is for. */
export interface AnyOperationInput extends Common {
  readonly path?: object | undefined;
  readonly query?: object | undefined;
  readonly body?: object | undefined;
}

/** The fields that a confirmation adds to the body of a request. */
export type Confirmation = { readonly password: string } | { readonly code: string };

interface Handlers {
  /** Asks the person to sign in again. @returns false if the person declines */
  readonly signInAgain: () => Promise<boolean>;
  /** Asks for the password or a code. @returns null if the person declines */
  readonly confirm: (refusal: Problem | null) => Promise<Confirmation | null>;
  /** Reads the user again after a 403, because the role may have changed. */
  readonly checkRole: () => void;
}

let handlers: Handlers | null = null;

/** Sets the dialogs that a request may need. */
export function setCallHandlers(given: Handlers): void {
  handlers = given;
}

/**
 * Calls an operation of the API. If the session has ended or the sign-in is too old, asks the person to sign in
 * again or to confirm, and repeats the request, so that no typed text is lost.
 * @throws Problem if the service refuses the request or no answer arrives
 */
export async function callApi<Name extends OperationName>(
  name: Name,
  sent: NoInfer<OperationInput<Name>>,
): Promise<AnswerOf<Name>> {
  return (await callAny(name, sent)) as AnswerOf<Name>;
}

async function callAny(name: OperationName, sent: AnyOperationInput): Promise<unknown> {
  let confirmation: Confirmation | null = null;
  for (;;) {
    const response = await sendRequest(name, sent, confirmation);
    if (response.ok) return readAnswer(response);
    const problem = await readProblem(response);
    const repeats = await handle(problem, confirmation !== null);
    if (repeats === null) throw problem;
    confirmation = repeats === "same" ? confirmation : repeats;
  }
}

/** @returns the confirmation for a repeated request; `same` to repeat it unchanged; null to give up */
async function handle(
  problem: Problem,
  wasConfirmed: boolean,
): Promise<Confirmation | "same" | null> {
  if (!handlers) return null;
  if (problem.code === "not_authenticated") return (await handlers.signInAgain()) ? "same" : null;
  if (problem.code === "reauthentication_required") return handlers.confirm(null);
  const isWrong = problem.code === "wrong_password" || problem.code === "wrong_code";
  if (wasConfirmed && isWrong) return handlers.confirm(problem);
  if (problem.status === 403) handlers.checkRole();
  return null;
}

/** Sends a request without asking the person for anything. @throws Problem if no answer arrives */
export async function sendRequest(
  name: OperationName,
  sent: AnyOperationInput,
  confirmation: Confirmation | null = null,
): Promise<Response> {
  const [method = "GET"] = name.split(" ");
  const confirming = confirmation && confirmingFields(name, confirmation);
  const body = sent.body || confirming ? { ...sent.body, ...confirming } : undefined;
  try {
    return await fetch(urlOf(name, sent), {
      method,
      headers: {
        accept: "application/json",
        ...(body && { "content-type": "application/json" }),
        ...sent.headers,
      },
      ...(body && { body: JSON.stringify(body) }),
      ...(sent.signal && { signal: sent.signal }),
    });
  } catch (error) {
    throw toNoAnswer(error);
  }
}

/** In the body of a new user, `password` is the password of this user, not of the person who confirms. */
const confirmingFields = (name: OperationName, confirmation: Confirmation): object =>
  name === "POST /admin/users" && "password" in confirmation
    ? { currentPassword: confirmation.password }
    : confirmation;

const base = "/api/v1";

/** Returns the URL of a request. Parameters that are undefined or empty are left out of the query. */
export function urlOf(name: OperationName, { path = {}, query = {} }: AnyOperationInput): string {
  const template = name.slice(name.indexOf(" ") + 1);
  const values = path as Readonly<Record<string, unknown>>;
  const filled = template.replaceAll(/\{(\w+)\}/g, (_all, key: string) =>
    encodeURIComponent(String(values[key])),
  );
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]));
  return `${base}${filled}${given.length > 0 ? `?${search}` : ""}`;
}

/** @throws Problem if the connection is lost within the answer, or if a proxy sent another document */
async function readAnswer(response: Response): Promise<unknown> {
  try {
    const text = await response.text();
    return text === "" ? null : JSON.parse(text);
  } catch (error) {
    throw toNoAnswer(error);
  }
}

const toNoAnswer = (error: unknown): unknown =>
  error instanceof DOMException && error.name === "AbortError"
    ? error
    : new Problem(words.problems.noAnswer);
