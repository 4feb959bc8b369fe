import { logIn } from "../../support/accounts/sign-in.ts";
import type { Api } from "../service.ts";

interface Cookie {
  readonly cookie: string;
}

export interface StaffUser {
  readonly userId: number;
  readonly headers: Cookie;
}

/** Events are published and started in the first revision, because this test does not edit them. */
const asWritten = { basedOn: 1 };

/** Sends people's requests to the event API, to the running processes in turn. */
export class EventApiClient {
  readonly #apis: readonly Api[];
  readonly #admin: Cookie;
  #asked = 0;

  constructor(apis: readonly Api[], admin: Cookie) {
    this.#apis = apis;
    this.#admin = admin;
  }

  /**
   * Sends a request.
   * @param route for example `POST /admin/events`
   * @throws if the answer is not a success; the error contains it
   */
  async ask<T>(route: string, body?: object, headers: Cookie = this.#admin): Promise<T> {
    const [method = "GET", path = ""] = route.split(" ");
    const url = `${this.#nextApi().url}/api/v1${path}`;
    const response = await fetch(url, {
      method,
      headers: { ...headers, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${route} answered ${response.status}: ${text}`);
    return JSON.parse(text) as T;
  }

  /** Creates an event with this spec and publishes it. @returns its id */
  async publish(title: string, spec: object, more: object = {}): Promise<number> {
    const made = await this.ask<{ event: { id: number } }>("POST /admin/events", {
      title,
      spec,
      ...more,
    });
    await this.ask(`POST /admin/events/${made.event.id}/publish`, asWritten);
    return made.event.id;
  }

  /** Starts a run. @returns its id */
  async start(eventId: number, body: object = {}, by?: StaffUser): Promise<number> {
    const route = `POST /admin/events/${eventId}/runs`;
    return (await this.ask<{ run: { id: number } }>(route, { ...asWritten, ...body }, by?.headers))
      .run.id;
  }

  /** Creates an account and signs it in. */
  async hire(username: string, role: string): Promise<StaffUser> {
    const password = "correct horse battery";
    const { id } = await this.ask<{ id: number }>("POST /admin/users", {
      username,
      role,
      password,
    });
    const cookie = await logIn({ url: this.#nextApi().url }, { username, password });
    return { userId: id, headers: { cookie } };
  }

  #nextApi(): Api {
    const there = this.#apis.filter(({ process }) => process.runs);
    const api = there[this.#asked++ % there.length];
    if (!api) throw new Error("no API runs");
    return api;
  }
}
