import { endChampion, startChampion } from "../happenings/champions.ts";
import { addEntry, closePage, removeEntry, respond } from "../happenings/help.ts";
import { pageRow } from "../world/help.ts";
import { integer, objectBody, optionalBoolean, text, texts } from "./input.ts";
import { ok, refuseMissing } from "./refusal.ts";
import { command, param, read } from "./route.ts";
import type { Call, ControlRoute } from "./route.ts";

const yearSec = 31_536_000;

/** Routes for staff: town criers, the help queue and the altars. */
export const helpRoutes: readonly ControlRoute[] = [
  read("GET", "/v1/towncrier", 7, (_, { world }) => ok({ entries: world.crier.values() })),
  command("POST", "/v1/towncrier", 7, ({ body, scene }) => {
    const fields = objectBody(body);
    const lines = texts(fields, "lines", { least: 1, most: 8, longest: 128 });
    return ok(addEntry(scene, lines, integer(fields, "durationSec", 60, yearSec)));
  }),
  command("DELETE", "/v1/towncrier/:id", 7, (call, { world }) => {
    const entry = found(world.crier.get(param(call, "id")));
    removeEntry(call.scene, entry);
    return ok({ id: entry.id, removed: true });
  }),
  read("GET", "/v1/pages", 7, (_, { world }) => ok({ pages: world.pages.values().map(pageRow) })),
  command("POST", "/v1/pages/:id/respond", 7, (call, { world }) => {
    const page = found(world.pages.get(param(call, "id")));
    const fields = objectBody(call.body);
    const message = text(fields, "message", 1, 1_024);
    const closes = optionalBoolean(fields, "close");
    respond(call.scene, page, { by: actorName(call), message });
    if (closes) closePage(call.scene, page, "Handled");
    return ok({ ok: true, id: page.id });
  }),
  command("POST", "/v1/pages/:id/close", 7, (call, { world }) => {
    const page = found(world.pages.get(param(call, "id")));
    closePage(call.scene, page, "Handled");
    return ok({ ok: true, id: page.id });
  }),
  command("POST", "/v1/champions/:id/start", 8, (call, { world }) => {
    const altar = found(world.champions.get(param(call, "id")));
    if (altar.state === "idle") startChampion(call.scene, altar);
    return ok({ ok: true, id: altar.id });
  }),
  command("POST", "/v1/champions/:id/stop", 8, (call, { world }) => {
    const altar = found(world.champions.get(param(call, "id")));
    if (altar.state !== "idle") endChampion(call.scene, altar, "stopped");
    return ok({ ok: true, id: altar.id });
  }),
];

function found<T>(thing: T | undefined): T {
  if (thing === undefined) throw refuseMissing();
  return thing;
}

const actorName = ({ actor }: Call): string => actor?.username ?? "staff";
