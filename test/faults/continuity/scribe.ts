import { setTimeout as sleep } from "node:timers/promises";

import type { DatabaseReader } from "../check-states.ts";
import type { History } from "../history.ts";
import type { Api } from "../service.ts";

interface Written {
  readonly id: number;
  readonly title: string;
}

/** The timeout of a write. It exceeds the pause of a process. */
const patienceMs = 30_000;
const everyMs = 50;

/** A user who creates posts and then edits them, all through one process. */
export class PostWriter {
  readonly api: Api;
  /** The text of each post that the API confirmed last, by the id of the post. */
  readonly written = new Map<number, string>();
  /** The time at which the last request was answered. */
  answeredAt = 0;
  unanswered = 0;
  readonly #headers: { readonly cookie: string };
  #count = 0;

  constructor(api: Api, headers: { readonly cookie: string }) {
    this.api = api;
    this.#headers = headers;
  }

  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const title = `${this.api.process.name} writes ${++this.#count}`;
      const made = await this.#write("POST", "", { title, body: "As it was answered." });
      if (made) {
        const changed = await this.#write("PUT", `/${made.id}`, { body: "Changed." });
        this.written.set(made.id, changed ? "Changed." : "");
      }
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #write(method: string, path: string, body: object): Promise<Written | undefined> {
    const answer = await fetch(`${this.api.url}/api/v1/admin/posts${path}`, {
      method,
      headers: { ...this.#headers, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    })
      .then(async (response) => (response.ok ? ((await response.json()) as Written) : undefined))
      .catch(() => undefined);
    if (answer) this.answeredAt = performance.now();
    else this.unanswered++;
    return answer;
  }
}

/** Requires each confirmed post to exist once, with its confirmed text. */
export async function checkWrittenPosts(
  scribes: readonly PostWriter[],
  { read, history }: { readonly read: DatabaseReader; readonly history: History },
): Promise<void> {
  const posts = await read<{ id: number; title: string; body: string }>(
    "select id, title, body from posts where title like '% writes %'",
  );
  const byId = new Map(posts.map((post) => [post.id, post]));
  for (const { api, written, unanswered } of scribes) {
    for (const [id, body] of written) {
      const post = byId.get(id);
      history.claim("a write that was answered is there", post !== undefined, { id });
      history.claim("a change that was answered is there", !body || post?.body === body, { id });
    }
    history.find(`writes to ${api.process.name}`, { answered: written.size, unanswered });
  }
  const titles = Map.groupBy(posts, ({ title }) => title);
  const doubled = [...titles.values()].filter((same) => same.length > 1);
  history.claim("nothing is written twice", doubled.length === 0, { doubled });
}
