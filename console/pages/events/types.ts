import type { AnswerOf } from "../../api/call.ts";

export type Definition = AnswerOf<"GET /admin/events/{id}">["event"];
export type Catalog = AnswerOf<"GET /admin/events/catalog">;
export type CatalogAction = Catalog["actions"][number];
export type CatalogParam = CatalogAction["params"][number];
export type EventTrigger = Catalog["triggers"][number];
export type ParamType = Catalog["paramTypes"][number];
export type DryRunReport = AnswerOf<"POST /admin/events/{id}/verify">["report"];
