import { useApiRead } from "../../parts/use-read.ts";
import { useAccessCheck } from "../../shell/session.ts";
import { words } from "../../words/words.ts";
import type { Option } from "./editor/draft-field.ts";

/** Returns the name of a scope in words. */
export function formatEventScope(scope: string): string {
  const { scopes } = words.events;
  if (scope === "site") return scopes.site;
  if (scope === "shard") return scopes.shard;
  return scope === "survival:*" ? scopes.servers : scopes.server(scope.split(":")[1] ?? "");
}

/** Returns the scopes to choose from, with the survival servers that the person may see. */
export function useScopes(isNeeded = true): readonly Option[] {
  const may = useAccessCheck();
  const all = useApiRead(
    "GET /admin/survival/servers",
    isNeeded && may("GET /admin/survival/servers") ? {} : null,
  );
  const listed = useApiRead("GET /public/survival/servers", isNeeded ? {} : null);
  const servers: readonly { readonly id: number; readonly name: string }[] =
    all.data?.servers ?? listed.data?.servers ?? [];
  return [
    { value: "site", text: formatEventScope("site") },
    { value: "shard", text: formatEventScope("shard") },
    { value: "survival:*", text: formatEventScope("survival:*") },
    ...servers.map(({ id, name }) => ({ value: `survival:${id}`, text: name })),
  ];
}

/** Returns the survival servers of the scopes, by their ids. */
export const listScopeServers = (scopes: readonly Option[]): readonly Option[] =>
  scopes
    .filter(({ value }) => /^survival:\d+$/.test(value))
    .map(({ value, text }) => ({ value: value.slice("survival:".length), text }));
