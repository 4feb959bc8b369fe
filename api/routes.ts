import type { Route } from "./http/route.ts";
import { docsRoutes } from "./ops/docs.routes.ts";

/** THE list of every route table, in mounting order. */
export const routes: readonly Route[] = [...docsRoutes];
