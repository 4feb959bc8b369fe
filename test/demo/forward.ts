import { type IncomingMessage, request as ask, type ServerResponse } from "node:http";

/** Forwards a request to the API, so that the page and the API share an origin and its cookies. */
export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  api: string,
): void {
  const { method, headers, url = "/" } = request;
  const onward = ask(new URL(url, api), { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.once("error", () => {
    if (!response.headersSent) response.writeHead(502);
    response.end();
  });
  request.pipe(onward);
}
