import type { ApiAnswer } from "./call.ts";

const acting = /^POST \/admin\/events\/(\d+)\/(publish|verify|runs)$/;

interface Read {
  readonly event?: { readonly revision: number; readonly currentVersionRevision: number | null };
}

/**
 * Completes the body of a request that publishes, verifies or starts an event. Like a client, it reads the event
 * first and adds the revision as `basedOn`. Other bodies stay as they are.
 */
export async function addReadRevision<B>(
  route: string,
  body: B,
  read: (route: string) => Promise<ApiAnswer>,
): Promise<B | object> {
  const [, id, what] = acting.exec(route) ?? [];
  if (id === undefined || typeof body === "string") return body;
  const { event } = ((await read(`GET /admin/events/${id}`)).body ?? {}) as Read;
  if (!event) return body;
  const isDraft =
    what === "publish" || (body as { target?: string } | undefined)?.target === "draft";
  const published = isDraft ? null : event.currentVersionRevision;
  return { basedOn: published ?? event.revision, ...body };
}
