import type { PageDeclaration } from "./page.ts";

/** The pages about people, their appeals and reports. */
export const communityPages: readonly PageDeclaration[] = [
  {
    path: "/console/people",
    name: "people",
    needs: "GET /admin/users",
    load: async () => (await import("../people/list.ts")).People,
  },
  {
    path: "/console/people/new",
    within: "/console/people",
    name: "newPerson",
    needs: "POST /admin/users",
    load: async () => (await import("../people/new-person.ts")).NewPerson,
  },
  {
    path: "/console/people/invitations",
    within: "/console/people",
    name: "invitations",
    needs: "GET /admin/invites",
    load: async () => (await import("../people/invitations.ts")).Invitations,
  },
  {
    path: "/console/people/bans",
    within: "/console/people",
    name: "addressBans",
    needs: "GET /admin/bans",
    load: async () => (await import("../people/address-bans.ts")).AddressBans,
  },
  {
    path: "/console/people/:id",
    within: "/console/people",
    name: "person",
    needs: "GET /admin/users/{id}",
    load: async () => (await import("../people/person.ts")).PersonPage,
  },
  {
    path: "/console/appeals",
    name: "appeals",
    needs: "GET /admin/appeals",
    load: async () => (await import("../appeals/list.ts")).Appeals,
  },
  {
    path: "/console/appeals/:id",
    within: "/console/appeals",
    name: "appeal",
    needs: "GET /admin/appeals/{id}",
    load: async () => (await import("../appeals/appeal.ts")).AppealPage,
  },
  {
    path: "/console/reports",
    name: "reports",
    needs: "GET /admin/survival/reports",
    load: async () => (await import("../reports/list.ts")).Reports,
  },
  {
    path: "/console/reports/bans",
    within: "/console/reports",
    name: "serverBans",
    needs: "GET /admin/survival/servers/{id}/bans",
    load: async () => (await import("../reports/server-bans.ts")).ServerBans,
  },
  {
    path: "/console/reports/:id",
    within: "/console/reports",
    name: "report",
    needs: "GET /admin/survival/reports/{id}",
    load: async () => (await import("../reports/report.ts")).ReportPage,
  },
  {
    path: "/console/moderation",
    name: "moderation",
    needs: "GET /admin/shard/pages",
    load: async () => (await import("../moderation/moderation.ts")).Moderation,
  },
];
