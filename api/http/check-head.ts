import type { RequestHandler } from "express";

import { AppError } from "../../shared/platform/errors/errors.ts";

/** Checks the headers that HTTP requires. Node's own check is off, because its refusals have another format. */
export const checkRequiredHeaders: RequestHandler = ({ headers, httpVersion }, _response, next) => {
  if (httpVersion === "1.1") {
    if (headers.host === undefined) throw new AppError("malformed_request", "Host is missing");
    if (headers.expect !== undefined && !/\b100-continue\b/i.test(headers.expect)) {
      throw new AppError("expectation_failed", "Expectation not supported");
    }
  }
  next();
};
