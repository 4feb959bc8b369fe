import { post } from "./api.js";
import { button, byId, element, fillList, setText } from "./dom.js";
import { since } from "./format.js";

/** The request that approves each kind of import. Only the atlas can also be rejected. */
const approvals = {
  atlas: ["/shard/atlas/approve"],
  clilocs: ["/shard/clilocs/import", { approve: true }],
  assets: ["/shard/assets/import", { approve: true }],
};

const reject = () => post("/shard/atlas/reject");

const inBackground = { prefer: "respond-async" };

/** Shows imports that would remove data, and their actions. */
export function showReviews(reviews, refresh) {
  byId("reviews-section").hidden = reviews.length === 0;
  fillList(byId("reviews"), reviews, {
    keyOf: ({ jobId }) => jobId,
    make: (review) => reviewCard(review, refresh),
    update: (card, { finishedAt }) =>
      setText(card.querySelector(".when"), `asked ${since(finishedAt)} ago`),
  });
}

function reviewCard({ kind, queue, reason }, refresh) {
  const buttons = element("span", { class: "buttons" });
  const approval = approvals[kind];
  if (approval) {
    const [path, body] = approval;
    const approve = () => post(path, { headers: inBackground, ...(body && { body }) });
    buttons.append(button("Approve", `Approve the import of ${kind}`, () => refresh(approve)));
  }
  if (kind === "atlas") {
    buttons.append(button("Reject", `Reject the import of ${kind}`, () => refresh(reject)));
  }
  const head = element("div", { class: "row" }, element("h3", {}, queue), buttons);
  const words = element("p", { class: "words" }, reason ?? "The import would remove objects.");
  return element("article", { class: "job" }, head, words, element("p", { class: "soft when" }));
}
