import type { PlayerReport } from "../../../shared/survival/reports/store-report.ts";
import { type SignedIn, signIn } from "../accounts/sign-in.ts";
import { type ApiAnswer, callRoute } from "../http/call.ts";
import type { TestServer } from "../service/server.ts";

export const anna = { steamId: "76561198000000001", name: "Anna" };
export const bert = { steamId: "76561198000000002", name: "Bert" };

/** The report that the tests send unless they change it. */
export const usualReport: PlayerReport = {
  reporter: anna,
  target: bert,
  type: "cheat",
  subject: "flying",
  message: "He flies over the dome.",
};

/** Returns a report as the game writes it in the field `data` of its form. */
export function formDataOf(given: Partial<PlayerReport> = {}, more: object = {}): object {
  const { reporter, target, type, subject, message } = { ...usualReport, ...given };
  return {
    Subject: subject,
    Message: message,
    Type: 2,
    TargetReportType: type,
    TargetId: target?.steamId ?? null,
    TargetName: target?.name ?? null,
    AppInfo: {
      Build: { Scm: { Branch: "main" } },
      Name: "ANNAS-COMPUTER",
      Os: "Windows 11",
      Cpu: "Intel(R) Core(TM) i9",
      Gpu: "NVIDIA GeForce RTX 2080 Ti",
      UserId: reporter.steamId,
      UserName: reporter.name,
    },
    ...more,
  };
}

/** Returns the form of a report. The user in the form is not the reporter. */
export const formOf = (data: object | string): string =>
  new URLSearchParams({
    data: typeof data === "string" ? data : JSON.stringify(data),
    userid: "76561198999999999",
  }).toString();

/** Sends a form as the game does. */
export const sendForm = (
  server: Pick<TestServer, "url">,
  key: string,
  form: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ApiAnswer> =>
  callRoute(server, `POST /plugin/reports/${key}`, {
    body: form,
    headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
  });

/** Creates the report key of a server as an administrator does. */
export async function makeReportKey(
  server: TestServer,
  serverId: number,
  by?: SignedIn,
): Promise<string> {
  const { headers } = by ?? (await signIn(server, { role: "admin" }));
  const route = `POST /admin/survival/servers/${serverId}/report-key`;
  const { status, body } = await callRoute(server, route, { headers, body: {} });
  if (status !== 201) throw new Error(`creating a report key answered ${status}`);
  return (body as { key: string }).key;
}
