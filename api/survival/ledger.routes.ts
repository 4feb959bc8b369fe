import Joi from "joi";

import {
  type LedgerState,
  ledgerStates,
  type LedgerWhat,
  ledgerWhats,
} from "../../models/survival/survival-ledger-entry.ts";
import { limits } from "../../shared/limits.ts";
import { type LedgerSearch, readLedger } from "../../shared/survival/ledger/read-ledger.ts";
import { idField, limitField } from "../http/fields.ts";
import { route } from "../http/route.ts";

export const ledgerRoutes = [
  route({
    method: "get",
    path: "/api/v1/admin/survival/ledger",
    gate: "roles:admin",
    set: "additive",
    tag: "Survival staff",
    summary: "What the site changed in the worlds of survival servers, newest first",
    query: Joi.object<LedgerSearch, true>({
      server: idField.description("Of this server alone."),
      what: Joi.string<LedgerWhat>()
        .valid(...ledgerWhats)
        .description("Of this sort alone."),
      state: Joi.string<LedgerState>()
        .valid(...ledgerStates)
        .description("In this state alone."),
      before: idField.description("Entries older than this one."),
      limit: limitField(limits.ledgerPage),
    }),
    answers: { 200: "SurvivalLedgerPage" },
    handle: ({ query }, context) => readLedger(query, context),
  }),
];
