import { importAssets } from "../../shared/shard/assets/import-assets.ts";
import { defineImportJob } from "./import-job.ts";

export const importAssetsJob = defineImportJob("assets", importAssets);
