import { refreshAtlas } from "../../shared/shard/atlas/refresh.ts";
import { defineImportJob } from "./import-job.ts";

export const importAtlasJob = defineImportJob("atlas", refreshAtlas);
