import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers a request. `before` is the number of earlier requests to the same path. */
export type Behaviour = (
  response: ServerResponse,
  before: number,
  request: IncomingMessage,
) => void;

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Behaves in one way at the first request and in another way at later ones. */
export const first =
  (one: Behaviour, then: Behaviour = answer(201)): Behaviour =>
  (response, before, request) =>
    (before === 0 ? one : then)(response, before, request);

export const leaveUnanswered: Behaviour = () => undefined;

/** Closes the connection without an answer. */
export const resetConnection: Behaviour = (response) => void response.socket?.destroy();
