import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";

import type { Express, Request, Response } from "express";
import { LRUCache } from "lru-cache";

import type { ApiContext } from "../context.ts";
import { type ArrivedRequest, readRequestOrigin } from "../origin/origin.ts";
import { checkGate } from "./gates.ts";
import type { RequestMetrics } from "./metrics.ts";
import { requestIdOf } from "./request-id.ts";
import type { Route } from "./route.ts";
import { isClosedToSomeCallers } from "./site-gate.ts";

/** A read that Express has answered from the cache. */
interface KnownRead {
  readonly route: Route;
  /** The key of the answer in the cache. */
  readonly key: string;
  /** Names and values of the answer's headers in turn, without those that differ between two answers. */
  readonly headers: readonly string[];
}

const maxReads = 1_000;
/** The maximum total length of the remembered URLs, in characters. */
const maxCharacters = 1024 * 1024;

/** Headers that depend on the request or on the version of the answer, and those that Node sets. */
const ownHeaders = new Set(["x-request-id", "etag", "content-type", "content-length", "date"]);

/** A request with one of these headers may get another answer than the cached one. */
const otherAnswers = [
  "authorization",
  "content-length",
  "cookie",
  "expect",
  "if-none-match",
  "transfer-encoding",
] as const;

/**
 * Answers repeated anonymous reads without Express, which costs more time than the rest of such a read. A read is
 * repeated if Express has answered the same URL from the cache and the answer is still cached. All checks whose
 * result can change between two requests are made again: bans, the site mode and the visibility of features.
 */
export class RepeatedReads {
  readonly #known = new LRUCache<string, KnownRead>({ max: maxReads, maxSize: maxCharacters });
  readonly #context: ApiContext;
  readonly #metrics: RequestMetrics;

  constructor(context: ApiContext, metrics: RequestMetrics) {
    this.#context = context;
    this.#metrics = metrics;
  }

  /** Remembers a read that Express has answered from the cache under this key. */
  remember(route: Route, key: string, request: Request, response: Response): void {
    const address = addressOf(request);
    if (route.limiters || !isPlainRead(request) || this.#known.has(address)) return;
    const headers = Object.entries(response.getHeaders()).flatMap(([name, value]) =>
      ownHeaders.has(name) ? [] : [capitalize(name), String(value)],
    );
    this.#known.set(address, { route, key, headers }, { size: address.length });
  }

  /** Returns a listener that passes all other requests to Express. */
  before(app: Express): RequestListener {
    return (request, response) => {
      if (!this.#answer(request, response, app)) app(request, response);
    };
  }

  /** @returns false if Express must answer the request */
  #answer(request: IncomingMessage, response: ServerResponse, app: Express): boolean {
    const startedAt = performance.now();
    const known = isPlainRead(request) ? this.#known.get(addressOf(request)) : undefined;
    if (!known) return false;
    const { route, key, headers } = known;
    const arrived: ArrivedRequest = Object.assign(request, { app });
    if (!this.#isOpen(route) || !this.#isWelcome(arrived)) return false;
    const { keptAnswers, streams } = this.#context;
    const answer = keptAnswers.findFinished(key, route.followsStream ? streams.place : 0);
    if (!answer) return false;
    const requestId = requestIdOf(arrived);
    response.writeHead(200, [
      "X-Request-Id",
      requestId,
      ...headers,
      ...(route.hasValidator ? ["ETag", answer.etag] : []),
      "Content-Type",
      answer.contentType,
      "Content-Length",
      answer.length,
    ]);
    response.end(answer.content);
    this.#count(route, requestId, Math.round(performance.now() - startedAt));
    return true;
  }

  /** Returns true if anonymous callers may now call the route. */
  #isOpen(route: Route): boolean {
    if (isClosedToSomeCallers(route, this.#context)) return false;
    if (route.gate === "public") return true;
    try {
      checkGate(route.gate, null, () => this.#context.visibility.current);
      return true;
    } catch {
      return false;
    }
  }

  /** Returns false if the address is banned, if that is not known yet, and if a proxy sent an invalid address. */
  #isWelcome(request: ArrivedRequest): boolean {
    const { networks, isBannable, unread } = readRequestOrigin(request);
    if (unread !== undefined) return false;
    return !isBannable || this.#context.bans.isBanned(networks) === false;
  }

  #count({ path }: Route, requestId: string, ms: number): void {
    const facts = { method: "GET", route: path };
    const observed = { status: 200, ms, isStream: false, isShutOut: false, isRepeated: true };
    this.#metrics.observe(facts, observed);
    const { log } = this.#context;
    if (log.isLevelEnabled("debug")) log.debug({ requestId, ...facts, status: 200, ms }, "request");
  }
}

/** Returns true unless the method or a header can change the answer, or the request is not valid. */
const isPlainRead = ({ method, httpVersion, headers }: IncomingMessage): boolean =>
  method === "GET" &&
  httpVersion === "1.1" &&
  headers.host !== undefined &&
  otherAnswers.every((name) => headers[name] === undefined);

/** Restores the usual form of a header's name, which Node returns in lower case. */
const capitalize = (name: string): string =>
  name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** The headers of an answer depend on the `Origin` of its request, too. */
const addressOf = ({ url = "", headers }: IncomingMessage): string =>
  headers.origin === undefined ? url : `${url} ${headers.origin}`;
