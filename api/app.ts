import type { RequestListener } from "node:http";

import express from "express";
import type { Registry } from "prom-client";

import { unknownPathError } from "../shared/platform/errors/errors.ts";
import { serveConsole } from "./console/console-files.ts";
import type { ApiContext } from "./context.ts";
import { accessLog } from "./http/access-log.ts";
import { botGuard } from "./http/bot-guard.ts";
import { hidePersonalPaths } from "./http/caching.ts";
import { chainHandlers } from "./http/chain-handlers.ts";
import { checkRequiredHeaders } from "./http/check-head.ts";
import { refuseDuringOutage } from "./http/database-outage.ts";
import { errorHandler } from "./http/errors.ts";
import { createRequestMetrics } from "./http/metrics.ts";
import { combineMiddleware } from "./http/on-arrival.ts";
import { RepeatedReads } from "./http/repeated-reads.ts";
import { reportInvalidForwarded } from "./http/report-invalid-forwarded.ts";
import { setRequestId } from "./http/request-id.ts";
import type { Route } from "./http/route.ts";
import { createRouter } from "./http/router.ts";
import { allowConfiguredOrigins, securityHeaders } from "./http/security-headers.ts";
import { docsFiles } from "./ops/docs.ts";
import { queuesRoutes } from "./ops/queues.routes.ts";
import { routes as allRoutes } from "./routes.ts";

/** Creates the public API. Its request handlers run in the order of the list. */
export function createApp(
  context: ApiContext,
  registry: Registry,
  routes: readonly Route[] = allRoutes,
): RequestListener {
  const app = express();
  const metrics = createRequestMetrics(registry);
  const repeated = new RepeatedReads(context, metrics);
  const hasConsole = context.config.CONSOLE === "on";
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.set("trust proxy", context.config.TRUST_PROXY);
  app.set("query parser", "simple");
  app.use(
    chainHandlers(
      combineMiddleware(
        setRequestId,
        reportInvalidForwarded(context),
        accessLog(context.log, metrics),
        securityHeaders(context.config),
        allowConfiguredOrigins(context.config),
        hidePersonalPaths,
      ),
      refuseDuringOutage(context),
      botGuard(context),
      checkRequiredHeaders,
      createRouter(hasConsole ? routes : routes.filter(isNoConsolePage), repeated, context),
    ),
  );
  app.use("/api/docs", ...docsFiles());
  if (hasConsole) app.use("/console", serveConsole);
  app.use(() => {
    throw unknownPathError();
  });
  app.use(errorHandler(context));
  return repeated.before(app);
}

/** Returns true unless the route answers with the HTML document of the console. */
const isNoConsolePage = (route: Route): boolean =>
  !queuesRoutes.some(({ path }) => path === route.path);
