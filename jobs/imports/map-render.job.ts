import { renderMap } from "../../shared/survival/map/render-map.ts";
import { defineImportJob } from "./import-job.ts";

export const renderMapJob = defineImportJob("map-render", renderMap);
