import type { ServerResponse } from "node:http";

import type { AnswerFault, AnswerFaultRule, ActiveFaults } from "../faults/standing.ts";
import { sendAnswer, sendJson, sendText } from "./http.ts";
import type { ControlAnswer } from "./refusal.ts";

type Spoil = (
  response: ServerResponse,
  rule: AnswerFaultRule,
  answer: ControlAnswer,
  standing: ActiveFaults,
) => void;

/** Faults that delay or cut the real answer, so the call is always executed. */
export const needsAnswer: ReadonlySet<AnswerFault> = new Set(["slow", "hold", "cut"]);

/** CATALOGUE of functions that write a spoiled answer, by fault. */
export const spoilAnswer: Record<AnswerFault, Spoil> = {
  slow: (response, { ms }, answer) => {
    // The caller or the sidecar may be gone before the timer fires, so clear it when the connection
    // closes.
    const timer = setTimeout(() => sendAnswer(response, answer), ms);
    response.on("close", () => clearTimeout(timer));
  },
  hold: (response, _rule, answer, standing) => standing.hold(() => sendAnswer(response, answer)),
  status: (response, { status, code }) => sendJson(response, { status, body: { code } }),
  html: (response, { status }) =>
    sendText(response, status, "text/html", "<html><body><h1>It works!</h1></body></html>"),
  rubbish: (response, { status }) =>
    sendText(response, status, "application/json", '{"entries": [[1, "one"], [2,'),
  cut: (response, { bytes }, answer) => {
    const text = JSON.stringify(answer.body);
    const sent = text.slice(0, bytes > 0 ? bytes : Math.ceil(text.length / 2));
    response.writeHead(answer.status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text) + 1,
    });
    response.write(sent, () => response.destroy());
  },
  hang: () => {},
  oversize: (response, { bytes }) => {
    response.writeHead(200, { "content-type": "application/json" });
    response.write('{"padding":"');
    pour(response, bytes > 0 ? bytes : 33 * 1024 * 1024);
  },
  redirect: (response) => {
    response.writeHead(302, { location: "/v1/health", "content-length": 0 });
    response.end();
  },
  unauthorized: (response) => sendJson(response, { status: 401, body: { code: "UNAUTHORIZED" } }),
  protocol: (response, { status }) =>
    sendJson(response, {
      status: 409,
      body: { code: "PROTOCOL", server: status, client: null },
    }),
};

/** Sends bytes without a content length, only as fast as the client reads them. */
function pour(response: ServerResponse, bytes: number): void {
  const chunk = "x".repeat(Math.min(bytes, 64 * 1024));
  if (bytes <= 0) {
    response.end('"}');
    return;
  }
  response.write(chunk, (error) => {
    if (!error) pour(response, bytes - chunk.length);
  });
}
