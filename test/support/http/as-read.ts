import type { Answered } from "./call.ts";

const acting = /^POST \/admin\/events\/(\d+)\/(publish|verify|runs)$/;

interface Read {
  readonly event?: { readonly revision: number; readonly currentVersionRevision: number | null };
}

/**
 * Completes the body of a request that publishes, verifies or starts an event, as a client does after
 * reading the event. Other bodies stay unchanged.
 */
export async function asRead<B>(
  route: string,
  body: B,
  read: (route: string) => Promise<Answered>,
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
