import { refreshClilocs } from "../../shared/shard/clilocs/refresh.ts";
import { defineImportJob } from "./import-job.ts";

export const importClilocsJob = defineImportJob("clilocs", refreshClilocs);
