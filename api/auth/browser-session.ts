import { hkdfSync } from "node:crypto";

import connectPgSimple from "connect-pg-simple";
import type { Request, RequestHandler, Response } from "express";
import session from "express-session";
import type { Pool } from "pg";
import type { Sequelize } from "sequelize";

import type { SiteContext } from "../../shared/ops/site-context.ts";
import type { Config } from "../../shared/platform/config/config.ts";
import type { Context } from "../../shared/platform/context.ts";
import { rows } from "../../shared/platform/db/rows.ts";
import { cookieSettings } from "../http/cookies.ts";

declare module "express-session" {
  interface SessionData {
    /** The start of the last sign-in. A session without this time is not stored. */
    begunAt: number;
  }
}

/** Begins or extends the session that ties a sign-in to its browser (SSO routes only). @returns its id */
export async function beginBrowserSession(
  request: Request,
  response: Response,
  context: SiteContext,
): Promise<string> {
  await openSession(request, response, context);
  const { session: browserSession } = request;
  browserSession.begunAt = Date.now();
  browserSession.touch();
  // Store the session before the browser leaves: another process may receive the callback at once.
  await new Promise<void>((resolve, reject) => {
    browserSession.save((error: unknown) => (error ? reject(error) : resolve()));
  });
  return request.sessionID;
}

/** @returns the id of the browser's session; a new id if the browser has no session */
export async function readBrowserSession(
  request: Request,
  response: Response,
  context: SiteContext,
): Promise<string> {
  await openSession(request, response, context);
  return request.sessionID;
}

async function openSession(
  request: Request,
  response: Response,
  context: SiteContext,
): Promise<void> {
  // Mark cookies as secure if the site's URL is https, whatever a proxy's headers say.
  const { secure } = cookieSettings("sso", context.config).options;
  if (secure) Object.defineProperty(request, "secure", { value: true });
  await new Promise<void>((resolve, reject) => {
    const opened = (error?: unknown) => (error ? reject(error) : resolve());
    void middlewareOf(context)(request, response, opened);
  });
}

const middlewares = new WeakMap<Sequelize, RequestHandler>();

function middlewareOf({ config, sequelize }: Context): RequestHandler {
  const made = middlewares.get(sequelize) ?? createMiddleware(config, sequelize);
  middlewares.set(sequelize, made);
  return made;
}

function createMiddleware(config: Config, sequelize: Sequelize): RequestHandler {
  const { name, options } = cookieSettings("sso", config);
  const Store = connectPgSimple(session);
  const store = new Store({
    pool: poolOn(sequelize),
    tableName: "sso_sessions",
    createTableIfMissing: false,
    disableTouch: true,
    // A job of the worker deletes expired sessions, so the store need not.
    pruneSessionInterval: false,
  });
  return session({
    name,
    store,
    secret: secretsOf(config),
    resave: false,
    saveUninitialized: false,
    cookie: { ...options, maxAge: config.SSO_TTL },
  });
}

/** Returns a pool with only `query`, which the store calls. */
const poolOn = (sequelize: Sequelize): Pool =>
  ({
    query: async (text: string, values: unknown[]) => ({
      rows: await rows(sequelize, text, values),
    }),
  }) as unknown as Pool;

/** Derives one secret from each signing key. The secrets sign the session cookie. */
const secretsOf = ({ JWT_KEYS }: Config): string[] =>
  [...JWT_KEYS.values()].map((key) =>
    Buffer.from(hkdfSync("sha256", key, "", "sso-session", 32)).toString("base64url"),
  );
