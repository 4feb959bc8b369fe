export const base = "/api/v1/admin";

/** A refusal of the service with its message. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** Sends a request to the service. @throws Refusal */
export async function ask(path, { method = "GET", body, headers } = {}) {
  const response = await fetch(path, {
    method,
    headers: {
      accept: "application/json",
      ...(body && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  throw new Refusal(response.status, answer.error ?? answer.message ?? response.status);
}

export const read = (path) => ask(base + path);
export const post = (path, options) => ask(base + path, { method: "POST", ...options });
