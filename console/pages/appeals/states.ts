import type { AnswerOf } from "../../api/call.ts";

export type AppealDetail = AnswerOf<"GET /admin/appeals/{id}">;
export type StaffAppeal = AppealDetail["appeal"];
export type StaffMessage = AppealDetail["messages"][number];
export type AppealState = StaffAppeal["state"];

/** Returns true while staff can decide the appeal. */
export const isUndecided = ({ state }: Pick<StaffAppeal, "state">): boolean =>
  state === "open" || state === "assigned";

/** Returns the member of staff who handles an appeal. The generated type omits that `assignee` may be null. */
export const assigneeOf = ({
  assignee,
}: Pick<StaffAppeal, "assignee">): { readonly id: number; readonly username: string } | null =>
  Object.hasOwn(Object(assignee), "username")
    ? (assignee as { readonly id: number; readonly username: string })
    : null;
