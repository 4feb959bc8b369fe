/** The event that the benchmarks repeat. All access levels see all of its fields. */
export const event = {
  kind: "champ.progress",
  payload: { id: "0x40004D21", name: "Despise", level: 2, map: "Felucca", x: 5557, y: 825 },
} as const;
