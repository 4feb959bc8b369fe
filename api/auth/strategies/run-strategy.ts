import library, { type Strategy } from "passport";

/** The validated fields of a request that a strategy may read. */
export interface StrategyInput {
  readonly body?: object | undefined;
  readonly query?: Readonly<Record<string, string>> | undefined;
}

/** The result of a strategy: an identity or a refusal. */
export type StrategyResult<Proven> =
  | { readonly proven: Proven }
  | { readonly redirectTo: string }
  /** The proof is invalid; the library gives the reason. */
  | { readonly refused: unknown };

const passport = new library.Passport();

/**
 * Checks one proof with one strategy through passport. Use a new strategy per request, because passport
 * stores the request's callbacks on it. @throws the strategy's error
 */
export function runStrategy<Proven>(
  strategy: Strategy,
  { body, query }: StrategyInput,
): Promise<StrategyResult<Proven>> {
  return new Promise((resolve, reject) => {
    const handleDecision = (error: unknown, proven?: Proven | false, refused?: unknown) => {
      if (error) reject(error);
      else resolve(proven ? { proven } : { refused });
    };
    // Strategies look for credentials in several places, so pass only the needed ones.
    const request = { body, query, headers: {} };
    const response = redirectResponse((redirectTo) => resolve({ redirectTo }));
    const authenticate = passport.authenticate(
      strategy,
      { session: false },
      handleDecision,
    ) as Handler;
    authenticate(request, response, reject);
  });
}

/** The signature of an Express handler, as far as passport uses it without sessions. */
type Handler = (
  request: StrategyInput & { readonly headers: object },
  response: Redirectable,
  next: (error: Error) => void,
) => void;

interface Redirectable {
  readonly setHeader: (name: string, value: string) => void;
  readonly end: () => void;
}

/** A response for passport. It only passes the URL of a redirect to `take`; the route sends the redirect. */
function redirectResponse(take: (location: string) => void): Redirectable {
  let location = "";
  const setHeader = (name: string, value: string) => {
    if (name === "Location") location = value;
  };
  return { setHeader, end: () => take(location) };
}
