import { endChampion, startChampion } from "../happenings/champions.ts";
import { addEntry, resolveHelpPage, removeEntry, answerHelpPage } from "../happenings/help.ts";
import { pageRow } from "../world/help.ts";
import {
  readRequiredInteger,
  objectBody,
  optionalBoolean,
  readRequiredText,
  readTextList,
} from "./input.ts";
import { createOkAnswer, refuseMissing } from "./refusal.ts";
import { command, readPathParam, read } from "./route.ts";
import type { ShardCall, ControlRoute } from "./route.ts";

const yearSec = 31_536_000;

/** Routes for staff: town criers, the help queue and the altars. */
export const helpRoutes: readonly ControlRoute[] = [
  read("GET", "/v1/towncrier", 7, (_, { world }) =>
    createOkAnswer({ entries: world.crier.values() }),
  ),
  command("POST", "/v1/towncrier", 7, ({ body, scene }) => {
    const fields = objectBody(body);
    const lines = readTextList(fields, "lines", { least: 1, most: 8, longest: 128 });
    return createOkAnswer(
      addEntry(scene, lines, readRequiredInteger(fields, "durationSec", 60, yearSec)),
    );
  }),
  command("DELETE", "/v1/towncrier/:id", 7, (call, { world }) => {
    const entry = found(world.crier.get(readPathParam(call, "id")));
    removeEntry(call.scene, entry);
    return createOkAnswer({ id: entry.id, removed: true });
  }),
  read("GET", "/v1/pages", 7, (_, { world }) =>
    createOkAnswer({ pages: world.pages.values().map(pageRow) }),
  ),
  command("POST", "/v1/pages/:id/respond", 7, (call, { world }) => {
    const page = found(world.pages.get(readPathParam(call, "id")));
    const fields = objectBody(call.body);
    const message = readRequiredText(fields, "message", 1, 1_024);
    const closes = optionalBoolean(fields, "close");
    answerHelpPage(call.scene, page, { by: actorName(call), message });
    if (closes) resolveHelpPage(call.scene, page, "Handled");
    return createOkAnswer({ ok: true, id: page.id });
  }),
  command("POST", "/v1/pages/:id/close", 7, (call, { world }) => {
    const page = found(world.pages.get(readPathParam(call, "id")));
    resolveHelpPage(call.scene, page, "Handled");
    return createOkAnswer({ ok: true, id: page.id });
  }),
  command("POST", "/v1/champions/:id/start", 8, (call, { world }) => {
    const altar = found(world.champions.get(readPathParam(call, "id")));
    if (altar.state === "idle") startChampion(call.scene, altar);
    return createOkAnswer({ ok: true, id: altar.id });
  }),
  command("POST", "/v1/champions/:id/stop", 8, (call, { world }) => {
    const altar = found(world.champions.get(readPathParam(call, "id")));
    if (altar.state !== "idle") endChampion(call.scene, altar, "stopped");
    return createOkAnswer({ ok: true, id: altar.id });
  }),
];

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw refuseMissing();
  return thing;
}

const actorName = ({ actor }: ShardCall): string => actor?.username ?? "staff";
