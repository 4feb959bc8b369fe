import { accountRecords } from "./account-records.ts";
import { adminEndpoints } from "./admin-endpoints.ts";
import { authEndpoints } from "./auth-endpoints.ts";
import { authentication } from "./authentication.ts";
import { errors } from "./errors.ts";
import { eventEndpoints } from "./event-endpoints.ts";
import { eventRecords } from "./event-records.ts";
import { limits } from "./limits.ts";
import { publicEndpoints } from "./public-endpoints.ts";
import { service } from "./service.ts";
import { shardEndpoints } from "./shard-endpoints.ts";
import { shardRecords } from "./shard-records.ts";
import type { Statement } from "./statement.ts";
import { states } from "./states.ts";
import { streams } from "./streams.ts";
import { survival } from "./survival.ts";
import { versioning } from "./versioning.ts";

/** The contract by sections, with the tests of each statement. */
export const contract: Readonly<Record<string, readonly Statement[]>> = {
  service,
  accountRecords,
  shardRecords,
  eventRecords,
  states,
  authEndpoints,
  adminEndpoints,
  shardEndpoints,
  publicEndpoints,
  eventEndpoints,
  survival,
  authentication,
  streams,
  errors,
  limits,
  versioning,
};
