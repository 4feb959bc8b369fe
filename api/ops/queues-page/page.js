import { ask, base, read, Refusal } from "./api.js";
import { byId, element, fillList, fillRows } from "./dom.js";
import { showFailed, showRetrying } from "./failures.js";
import { since, took } from "./format.js";
import { jobCard, showProgress, updateJob } from "./job-card.js";
import { nameOf, showQueues } from "./queues.js";
import { showReviews } from "./reviews.js";

const everyMs = 2000;
const shownFailures = 100;
const shownOthers = 10;

const number = (value) => element("td", { class: "number" }, value);

function processRow(process) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, `${process.kind} ${process.pid}`),
    element("td", {}, process.queueGroups.join(", ") || "–"),
    element("td", {}, process.host),
    element("td", {}, process.version),
    number(since(process.startedAt)),
    number(`${since(process.seenAt)} ago`),
  );
}

function finishedRow(job) {
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, ...nameOf(job.queue)),
    outcomeOf(job.output),
    number(took(job)),
    number(`${since(job.completedAt)} ago`),
  );
}

/** Imports have a status as result; other jobs are just done. */
function outcomeOf(output) {
  const { status = "done", reason } = output ?? {};
  const kind = ["unavailable", "failed", "needsReview"].includes(status) ? "bad" : "";
  return element("td", { class: `words ${kind}` }, reason ? `${status}: ${reason}` : status);
}

const keyOf = ({ id }) => id;

function fillCards(id, jobs, { ifNone, ...does }) {
  const make = (job) => jobCard(job, { ...does, refresh: afterwards });
  fillList(byId(id), jobs, { keyOf, make, update: updateJob, ifNone });
}

const jobsIn = (state, limit) => read(`/jobs?state=${state}&limit=${limit}`);

async function refresh() {
  const [report, failed, retrying, active, cancelled, finished] = await Promise.all([
    read("/jobs"),
    jobsIn("failed", shownFailures),
    jobsIn("retry", shownFailures),
    jobsIn("active", shownFailures),
    jobsIn("cancelled", shownOthers),
    jobsIn("completed", shownOthers),
  ]);
  showReviews(report.reviews, afterwards);
  showFailed(failed, afterwards);
  showRetrying(retrying, afterwards);
  const cancel = { words: "Cancel", action: "cancel" };
  fillCards("running", active.jobs, { ...cancel, ifNone: "Nothing runs right now." });
  const retry = { words: "Run again", action: "retry" };
  fillCards("cancelled", cancelled.jobs, { ...retry, ifNone: "Nothing was cancelled." });
  showQueues(report.queues, afterwards);
  fillRows(byId("processes"), report.workers.map(processRow), "No process is alive.");
  fillRows(byId("finished"), finished.jobs.map(finishedRow), "Nothing has been done yet.");
  show(`As of ${new Date().toLocaleTimeString()}`);
}

/** Runs a button's action and shows the result. */
async function afterwards(act) {
  try {
    await act();
    await refresh();
  } catch (error) {
    fault(`The action failed: ${error.message}`, error);
  }
}

/** Shows the time of the data. Faults are also announced to screen readers. */
function show(text) {
  byId("state").textContent = text;
  byId("fault").textContent = "";
  byId("again").hidden = true;
}

function fault(text, error) {
  byId("state").textContent = "";
  byId("fault").textContent = text;
  byId("again").hidden = !(error instanceof Refusal && [401, 403].includes(error.status));
}

async function refreshForever() {
  try {
    if (!document.hidden) await refresh();
  } catch (error) {
    fault(`The page could not be updated: ${error.message}`, error);
  }
  setTimeout(refreshForever, everyMs);
}

/** Shows progress from the stream between two refreshes. */
function followProgress() {
  const stream = new EventSource(`${base}/shardlink/stream`);
  stream.addEventListener("job.progress", ({ data }) => {
    const progress = JSON.parse(data);
    const card = byId("running").querySelector(`[data-job="${CSS.escape(progress.jobId)}"]`);
    if (card) showProgress(card, progress);
  });
}

byId("sign-out").addEventListener("click", async () => {
  await ask("/api/v1/auth/logout", { method: "POST" });
  location.reload();
});
followProgress();
await refreshForever();
