import type { HelpPage } from "../calls/bridge-answers.ts";
import {
  closeHelpPageCall,
  listHelpPagesCall,
  respondToHelpPageCall,
} from "../calls/staff-calls.ts";
import type { ShardContext } from "../context.ts";
import { toIsoTime, locationView } from "../kinds/fields.ts";
import {
  type PayloadFields,
  objectView,
  plainViews,
  pickAllVisibleFields,
  type PayloadView,
} from "../visibility/view.ts";
import { runCommand, type CommandRequest } from "./commands.ts";

export async function readHelpPages(
  requestId: string,
  { shard }: ShardContext,
): Promise<PayloadFields[]> {
  const { pages } = await shard.call((control) => control.read(listHelpPagesCall, { requestId }));
  return pages.map(viewPage);
}

export interface HelpPageResponse {
  readonly message: string;
  /** True to close the page as well. */
  readonly close?: boolean | undefined;
}

/** Sends an answer to the player who wrote a help page. @throws {BridgeError} NOT_FOUND if the page is gone */
export async function respondToHelpPage(
  id: string,
  body: HelpPageResponse,
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> {
  const { ok } = await runCommand(
    {
      action: "shard.page.respond",
      target: { type: "helpPage", id },
      // The log omits the text, which is private.
      detail: { close: body.close ?? false },
      send: (control, sent) =>
        control.command(respondToHelpPageCall, sent, { params: { id }, body }),
    },
    order,
    context,
  );
  return { ok, id };
}

/** @throws {BridgeError} NOT_FOUND if the page no longer exists */
export async function closeHelpPage(
  id: string,
  order: CommandRequest,
  context: ShardContext,
): Promise<PayloadFields> {
  const { ok } = await runCommand(
    {
      action: "shard.page.close",
      target: { type: "helpPage", id },
      detail: {},
      send: (control, sent) => control.command(closeHelpPageCall, sent, { params: { id } }),
    },
    order,
    context,
  );
  return { ok, id };
}

const staffReference = plainViews("serial", "name");

const pageView: PayloadView = {
  ...plainViews("id", "type", "message"),
  sender: objectView(staffReference),
  location: locationView,
};

/** Returns a staff member's name or character, never the account. */
const viewStaffReference = (given: HelpPage["handler"]): unknown =>
  typeof given === "object" && given !== null ? pickAllVisibleFields(staffReference, given) : given;

function viewPage(page: HelpPage): PayloadFields {
  return {
    ...pickAllVisibleFields(pageView, page),
    sentAt: toIsoTime(page.sentAt),
    handler: viewStaffReference(page.handler),
    responses: page.responses.map(({ by, message, at }) => ({
      by: viewStaffReference(by),
      message,
      at: toIsoTime(at),
    })),
  };
}
