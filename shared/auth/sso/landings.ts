import type { Config } from "../../platform/config/config.ts";
import type { Challenge } from "../second-factor/challenges.ts";
import type { SessionToken } from "../sessions/sessions.ts";
import type { AppRequest } from "./transactions.ts";

/** Where a browser that came back from a provider is sent, and what it is given. */
export interface Landing {
  readonly location: string;
  readonly session?: SessionToken;
  readonly challenge?: Challenge;
}

/** A page of the site; nothing but a path of it leads there. */
export const sitePage = (
  { PUBLIC_BASE_URL }: Config,
  path: string,
  query: Readonly<Record<string, string>> = {},
): string => {
  const text = new URLSearchParams(query).toString();
  return `${PUBLIC_BASE_URL}${path}${text === "" ? "" : `?${text}`}`;
};

/** The app's own address, with what it asked to be told. */
export const appPage = (
  { redirectUri, state }: AppRequest,
  query: Readonly<Record<string, string>>,
): string => {
  const text = new URLSearchParams({ ...query, state }).toString();
  return `${redirectUri}${redirectUri.includes("?") ? "&" : "?"}${text}`;
};

const longestPath = 2_048;

/** A path of this site and nothing else: `//host` and `/\host` would lead away. */
export const safeReturn = (returnTo: string | undefined): string =>
  returnTo !== undefined && returnTo.length <= longestPath && sitePath.test(returnTo)
    ? returnTo
    : "/";

const sitePath = /^\/(?![/\\])[\x21-\x7e]*$/;
