/** The refusals of a route that calls the shard. */
export const shardCallRefusals = { 502: "Error", 503: "Error" };

/** The refusals of a route that sends the shard an administrator's command. */
export const commandRefusals = { 403: "Error", 409: "Error", 429: "Error", ...shardCallRefusals };

/** The API description's text about refused administrators' commands. */
export const commandRefusalDescription =
  "403 `write_plane_disabled` while the shard does not accept changes from the site. After a 502 " +
  "or 503, the shard may or may not have carried out the command: repeat the request with the " +
  "same `Idempotency-Key`.";
