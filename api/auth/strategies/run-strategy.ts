import library, { type Strategy } from "passport";

/** All of a request that a strategy may see: what was checked of it. */
export interface GivenProof {
  readonly body?: object | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** How a strategy decided. */
export type Verdict<Proven> =
  | { readonly proven: Proven }
  /** To the provider. */
  | { readonly redirectTo: string }
  /** The proof does not hold; why is the library's word. */
  | { readonly refused: unknown };

const passport = new library.Passport();

/**
 * Lets one strategy decide on one proof, through passport. The strategy belongs to this request
 * alone: passport hangs the request's own answers on it.
 * @throws what the strategy failed with
 */
export function runStrategy<Proven>(
  strategy: Strategy,
  { body, query }: GivenProof,
): Promise<Verdict<Proven>> {
  return new Promise((resolve, reject) => {
    const decided = (error: unknown, proven?: Proven | false, refused?: unknown) => {
      if (error) reject(error);
      else resolve(proven ? { proven } : { refused });
    };
    // Strategies fall back from one to the other: they are given no more than they need.
    const request = { body, query, headers: {} };
    const response = redirectsTo((redirectTo) => resolve({ redirectTo }));
    const authenticate = passport.authenticate(strategy, { session: false }, decided) as Handler;
    authenticate(request, response, reject);
  });
}

/** What passport asks of a request and a response, when a session is none of its business. */
type Handler = (
  request: GivenProof & { readonly headers: object },
  response: Redirectable,
  next: (error: Error) => void,
) => void;

interface Redirectable {
  readonly setHeader: (name: string, value: string) => void;
  readonly end: () => void;
}

/** A response that takes nothing but a redirect: what it becomes is the route's to decide. */
function redirectsTo(take: (location: string) => void): Redirectable {
  let location = "";
  const setHeader = (name: string, value: string) => {
    if (name === "Location") location = value;
  };
  return { setHeader, end: () => take(location) };
}
