import { fetchMap } from "../../shared/survival/map/fetch-map.ts";
import { defineImportJob } from "./import-job.ts";

export const fetchMapJob = defineImportJob("map", fetchMap);
