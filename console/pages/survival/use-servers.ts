import type { AnswerOf } from "../../api/call.ts";
import type { Option } from "../../parts/options.ts";
import { useApiRead } from "../../parts/use-read.ts";
import { words } from "../../words/words.ts";

export type Server = AnswerOf<"GET /admin/survival/servers/{id}">["server"];

export interface ServerList {
  readonly list: readonly Server[];
  readonly nameOf: (id: number) => string;
  readonly options: readonly Option[];
}

/** Reads the survival servers for their names. */
export function useServers(): ServerList {
  const { data } = useApiRead("GET /admin/survival/servers", {});
  const list = data?.servers ?? [];
  return {
    list,
    nameOf: (id) => list.find((one) => one.id === id)?.name ?? words.survival.serverNumber(id),
    options: list.map(({ id, name }) => ({ value: String(id), text: name })),
  };
}
