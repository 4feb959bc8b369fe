import { post } from "./api.js";
import { button, element, setText } from "./dom.js";
import { at, errorOf, farOf, since, triesOf, until } from "./format.js";

/** Creates a job's card. @param does the `words` of its button, the route's `action`, and `refresh` afterwards */
export function jobCard(job, { words, action, refresh, isAmong = false }) {
  const card = element("article", { class: isAmong ? "job among" : "job", "data-job": job.id });
  const act = button(words, `${words} ${job.queue}`, () =>
    refresh(() => post(`/jobs/${job.id}/${action}`)),
  );
  const when = element("p", { class: "soft when" });
  const head = isAmong ? [when, act] : [element("h3", {}, job.queue), act];
  card.append(element("div", { class: "row" }, ...head));
  if (!isAmong) card.append(element("p", { class: "bad error" }), when);
  card.append(element("div", { class: "progress" }), detailOf(job));
  return card;
}

/** Updates the changing parts of a job's card. */
export function updateJob(card, job) {
  setText(card.querySelector(".error"), hasError(job) ? errorOf(job) : "");
  setText(card.querySelector(".when"), `${whenOf(job)}, ${triesOf(job)} · ${job.id}`);
  if (job.state === "active") showProgress(card, job.progress);
  const detail = card.querySelector(".detail");
  const facts = JSON.stringify(factsOf(job));
  if (detail.dataset.facts === facts) return;
  detail.dataset.facts = facts;
  detail.querySelector("dl").replaceChildren(...factsOf(job).flatMap(fact));
}

const hasError = ({ state }) => state === "failed" || state === "retry";

function whenOf({ state, startedAt, completedAt, nextTryAt }) {
  if (state === "retry") return `next try ${until(nextTryAt)}`;
  if (state === "failed" && completedAt) return `failed ${since(completedAt)} ago`;
  if (state === "cancelled" && completedAt) return `cancelled ${since(completedAt)} ago`;
  if (state === "created") return `waits, may run ${until(nextTryAt)}`;
  return startedAt ? `started ${since(startedAt)} ago` : "waits to be taken";
}

export function showProgress(card, progress) {
  const box = element("div", { class: "progress" });
  if (progress) {
    const { done, total } = progress;
    const words = farOf(progress);
    const bar = total > 0 ? { max: total, value: Math.min(done, total) } : {};
    box.append(element("p", {}, words), element("progress", { ...bar, "aria-label": words }));
  }
  card.querySelector(".progress").replaceWith(box);
}

function detailOf(job) {
  const summary = element(
    "summary",
    { "aria-label": `Details of ${job.queue} ${job.id}` },
    "Details",
  );
  return element("details", { class: "detail" }, summary, element("dl"));
}

/** All details of a job. The service never sends personal data. */
function factsOf(job) {
  const { output, data } = job;
  const isFault = hasError(job) && output !== null;
  return [
    ["Job", job.id],
    ["State", job.state],
    ["Attempts", `${job.attempts} of ${Math.max(job.attempts, job.retryLimit + 1)}`],
    ["Created", at(job.createdAt)],
    ["Started", at(job.startedAt)],
    ["Ended", at(job.completedAt)],
    ...(job.nextTryAt ? [["Next try", at(job.nextTryAt)]] : []),
    [
      "Arguments",
      data === null ? "not shown: they may be personal" : JSON.stringify(data, null, 2),
    ],
    ...(isFault
      ? [["Error", [output.name, output.code, errorOf(job)].filter(Boolean).join(": ")]]
      : []),
    ...(isFault && output.stack ? [["Stack", output.stack]] : []),
    ...(!isFault && output ? [["Result", JSON.stringify(output, null, 2)]] : []),
  ];
}

const isLong = (name) => ["Arguments", "Stack", "Result"].includes(name);

const fact = ([name, value]) => [
  element("dt", {}, name),
  element("dd", {}, isLong(name) ? element("pre", { tabindex: "0" }, value) : value),
];
