import { refreshAtlas } from "../../shared/shard/atlas/import/refresh.ts";
import { defineImportJob } from "./import-job.ts";

export const importAtlasJob = defineImportJob("atlas", refreshAtlas);
