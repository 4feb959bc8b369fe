import type { PageDeclaration } from "./page.ts";

/** The pages about events and their runs. */
export const eventsPages: readonly PageDeclaration[] = [
  {
    path: "/console/events",
    name: "events",
    needs: "GET /admin/events",
    load: async () => (await import("../events/list.ts")).EventList,
  },
  {
    path: "/console/events/new",
    within: "/console/events",
    name: "eventNew",
    needs: "POST /admin/events",
    load: async () => (await import("../events/create.ts")).NewEvent,
  },
  {
    path: "/console/events/calendar",
    within: "/console/events",
    name: "eventCalendar",
    needs: "GET /admin/events/calendar",
    load: async () => (await import("../events/calendar.ts")).EventCalendar,
  },
  {
    path: "/console/events/series",
    within: "/console/events",
    name: "eventSeries",
    needs: "GET /admin/events/series",
    load: async () => (await import("../events/series.ts")).EventSeries,
  },
  {
    path: "/console/events/actions",
    within: "/console/events",
    name: "eventActions",
    needs: "GET /admin/events/actions",
    load: async () => (await import("../events/actions.ts")).EventActions,
  },
  {
    path: "/console/events/:id",
    within: "/console/events",
    name: "event",
    needs: "GET /admin/events/{id}",
    load: async () => (await import("../events/detail.ts")).EventPage,
  },
  {
    path: "/console/runs",
    within: "/console/events",
    name: "runs",
    needs: "GET /admin/events/runs",
    load: async () => (await import("../runs/list.ts")).RunList,
  },
  {
    path: "/console/runs/:id",
    within: "/console/events",
    name: "run",
    needs: "GET /admin/events/runs/{runId}",
    load: async () => (await import("../runs/detail.ts")).RunPage,
  },
];
