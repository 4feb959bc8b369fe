import { configurationPage } from "./configuration.ts";
import { errorCodesPage } from "./error-codes.ts";
import { eventKindsPage } from "./event-kinds.ts";
import { factsPage } from "./facts.ts";
import { metricsPage } from "./metrics.ts";
import { queuesPage } from "./queues.ts";

/** CATALOGUE of the documents generated from catalogs, by path. */
export const makePages = async (): Promise<Readonly<Record<string, string>>> => ({
  "docs/clients/error-codes.md": errorCodesPage(),
  "docs/clients/event-kinds.md": eventKindsPage(),
  "docs/develop/facts.md": factsPage(),
  "docs/operate/configuration.md": configurationPage(),
  "docs/operate/metrics.md": await metricsPage(),
  "docs/operate/queues.md": queuesPage(),
});
