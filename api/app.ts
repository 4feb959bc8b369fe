import express, { type Express } from "express";
import type { Registry } from "prom-client";

import { unknownPath } from "../shared/platform/errors/errors.ts";
import type { ApiContext } from "./context.ts";
import { accessLog } from "./http/access-log.ts";
import { botGuard } from "./http/bot-guard.ts";
import { hidePersonal } from "./http/caching.ts";
import { chainHandlers } from "./http/chain-handlers.ts";
import { checkHead } from "./http/check-head.ts";
import { refuseDuringOutage } from "./http/database-outage.ts";
import { errorHandler } from "./http/errors.ts";
import { createRequestMetrics } from "./http/metrics.ts";
import { runArrivalSteps } from "./http/on-arrival.ts";
import { reportInvalidForwarded } from "./http/report-invalid-forwarded.ts";
import { setRequestId } from "./http/request-id.ts";
import type { Route } from "./http/route.ts";
import { createRouter } from "./http/router.ts";
import { crossOrigin, securityHeaders } from "./http/security-headers.ts";
import { docsFiles } from "./ops/docs.ts";
import { queuesPageFolder } from "./ops/queues.routes.ts";
import { routes as allRoutes } from "./routes.ts";

/** Creates the public API. Its request handlers run in the order of the list. */
export function createApp(
  context: ApiContext,
  registry: Registry,
  routes: readonly Route[] = allRoutes,
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.enable("case sensitive routing");
  app.set("trust proxy", context.config.TRUST_PROXY);
  app.set("query parser", "simple");
  app.use(
    chainHandlers(
      runArrivalSteps(
        setRequestId,
        reportInvalidForwarded(context),
        accessLog(context.log, createRequestMetrics(registry)),
        securityHeaders(context.config),
        crossOrigin(context.config),
        hidePersonal,
      ),
      refuseDuringOutage(context),
      botGuard(context),
      checkHead,
      createRouter(routes, context),
    ),
  );
  app.use("/api/docs", ...docsFiles());
  app.use("/api/queues", express.static(queuesPageFolder, { index: false, redirect: false }));
  app.use(() => {
    throw unknownPath();
  });
  app.use(errorHandler(context));
  return app;
}
