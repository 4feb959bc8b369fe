import { matchListings } from "../../shared/shard/searches/match-listings.ts";
import { defineJob } from "../job.ts";

export const matchListingsJob = defineJob({
  queue: "market.match",
  run: (_payload, context, { signal }) => matchListings(context, signal),
});
