import SwaggerParser from "@apidevtools/swagger-parser";
import { describe, expect, it } from "@jest/globals";

import { describeApi } from "../../api/http/openapi.ts";
import { routes } from "../../api/routes.ts";

type Api = Parameters<typeof SwaggerParser.validate>[0];

for (const set of ["core", "additive"] as const) {
  describe(`the ${set} API description`, () => {
    const description = describeApi(routes, set);
    const described = routes.filter((route) => route.set === set && !route.undocumented);

    it("is valid OpenAPI 3.0", async () => {
      await expect(
        SwaggerParser.validate(structuredClone(description) as unknown as Api),
      ).resolves.toMatchObject({ openapi: "3.0.3" });
    });

    it("holds one operation for each documented route", () => {
      const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => `${method} ${path}`),
      );
      const declared = described.map(
        ({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`,
      );
      expect(operations.toSorted()).toEqual(declared.toSorted());
    });

    it("asks for a session where the gate does, and says where one is read if there is one", () => {
      for (const { gate, method, path } of described) {
        const name = path.replaceAll(/:(\w+)/g, "{$1}");
        const security = description.paths[name]?.[method]?.["security"] as object[];
        const session = [{ sessionCookie: [] }, { bearerToken: [] }];
        const optional = gate === "public" || gate.startsWith("feature:");
        const expected = { refresh: [], challenge: [{ challengeToken: [] }] }[gate as string];
        expect(security).toEqual(expected ?? (optional ? [{}, ...session] : session));
      }
    });

    it("gives every operation an id of its own", () => {
      const ids = Object.values(description.paths).flatMap((methods) =>
        Object.values(methods).map((operation) => operation["operationId"]),
      );
      expect(new Set(ids).size).toBe(ids.length);
    });
  });
}
