import { survivalPages } from "../survival/pages.ts";
import type { PageDeclaration } from "./page.ts";

/** The pages about game servers. */
export const gamesPages: readonly PageDeclaration[] = [
  {
    path: "/console/servers",
    name: "servers",
    needs: "GET /admin/survival/servers",
    load: async () => (await import("../servers/list.ts")).Servers,
  },
  {
    path: "/console/servers/shard",
    within: "/console/servers",
    name: "shardLink",
    needs: "GET /admin/shardlink/config",
    load: async () => (await import("../servers/shard.ts")).ShardPage,
  },
  {
    path: "/console/servers/new",
    within: "/console/servers",
    name: "newServer",
    needs: "POST /admin/survival/servers",
    load: async () => (await import("../servers/new-server.ts")).NewServer,
  },
  {
    path: "/console/servers/:id",
    within: "/console/servers",
    name: "server",
    needs: "GET /admin/survival/servers/{id}",
    load: async () => (await import("../servers/server.ts")).SurvivalServer,
  },
  ...survivalPages,
  {
    path: "/console/imports",
    name: "imports",
    needs: "GET /admin/shard/atlas",
    load: async () => (await import("../imports/imports.ts")).Imports,
  },
];
