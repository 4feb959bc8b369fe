const auth = "/api/v1/auth";
const at = (id) => document.getElementById(id);
const asked = new URLSearchParams(location.search);

const words = {
  sso_denied: "You declined at the provider.",
  sso_not_linked: "That account is linked to nobody here: sign in, and link it first.",
  sso_already_linked: "That account is linked already, or you have another one there.",
  sso_wrong_session: "Somebody else is signed in here now: begin again.",
};

async function ask(path, method, body) {
  const headers = { "content-type": "application/json" };
  const sent = method === undefined ? {} : { method, headers, body: JSON.stringify(body) };
  const answer = await fetch(auth + path, sent);
  return { isGood: answer.ok, body: await answer.json() };
}

const say = (text) => (at("told").textContent = text);

function way(text, act) {
  const item = document.createElement("li");
  const made = document.createElement(typeof act === "string" ? "a" : "button");
  made.textContent = text;
  if (typeof act === "string") made.href = act;
  else made.addEventListener("click", act);
  item.append(made);
  at("ways").append(item);
}

async function showSignedIn(user) {
  at("who").textContent = `Signed in as ${user.username} (${user.role}).`;
  const [providers, identities] = [await ask("/providers"), await ask("/me/account/identities")];
  const linked = new Set(identities.body.map(({ provider }) => provider));
  for (const { id, name } of providers.body) {
    const unlink = () => change(`/me/account/identities/${id}`, "DELETE");
    const [text, act] = linked.has(id)
      ? [`Unlink ${name}`, unlink]
      : [`Link ${name}`, () => link(id)];
    way(text, act);
  }
  way("Sign out", () => change("/logout", "POST"));
}

async function showSignedOut() {
  at("who").textContent = "Nobody is signed in.";
  for (const { name, loginUrl } of (await ask("/providers")).body) {
    way(`Sign in with ${name}`, `${loginUrl}?returnTo=/account`);
  }
}

async function change(path, method) {
  const { isGood, body } = await ask(path, method, {});
  if (isGood) location.assign("/account");
  else say(body.error);
}

async function link(id) {
  const { isGood, body } = await ask(`/sso/${id}/link`, "POST", {});
  if (isGood) location.assign(body.redirectTo);
  else say(body.error);
}

// Anybody may craft this page's address, so ignore foreign URLs and scripts.
function safeReturn(to) {
  const url = to === null ? null : URL.parse(to, location.origin);
  return url?.origin === location.origin ? url.href : "/account";
}

at("code").addEventListener("submit", async (event) => {
  event.preventDefault();
  const form = new FormData(at("code"));
  const answer = { code: form.get("code"), trustDevice: form.get("trust") === "on" };
  const { isGood, body } = await ask("/sso/totp", "POST", answer);
  if (isGood) location.assign(body.redirectTo ?? safeReturn(asked.get("returnTo")));
  else say(body.error);
});

const me = await ask("/me");
if (asked.has("error")) say(words[asked.get("error")] ?? "The sign-in failed.");
else if (asked.has("linked")) say("Linked: it signs you in from now on.");
if (asked.get("sso") === "totp" && !me.isGood) {
  at("who").textContent = "One step more.";
  at("code").hidden = false;
} else if (me.isGood) await showSignedIn(me.body);
else await showSignedOut();
