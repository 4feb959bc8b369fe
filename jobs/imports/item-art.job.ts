import { warmItemArt } from "../../shared/shard/assets/item-art.ts";
import { defineImportJob } from "./import-job.ts";

export const warmItemArtJob = defineImportJob("item-art", warmItemArt);
