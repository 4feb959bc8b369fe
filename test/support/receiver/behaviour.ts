import type { IncomingMessage, ServerResponse } from "node:http";

/** Answers one request; it is told how many came to the same place before. */
export type Behaviour = (
  response: ServerResponse,
  before: number,
  request: IncomingMessage,
) => void;

export const answer =
  (status: number, headers: Readonly<Record<string, string>> = {}): Behaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Answers the first so, and those after it so. */
export const first =
  (one: Behaviour, then: Behaviour = answer(201)): Behaviour =>
  (response, before, request) =>
    (before === 0 ? one : then)(response, before, request);

/** Never answers. */
export const silent: Behaviour = () => undefined;

/** Ends the connection instead. */
export const reset: Behaviour = (response) => void response.socket?.destroy();
