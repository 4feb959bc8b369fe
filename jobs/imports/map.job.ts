import { fetchMap } from "../../shared/survival/map/image/fetch-map.ts";
import { defineImportJob } from "./import-job.ts";

export const fetchMapJob = defineImportJob("map", fetchMap);
