import { ask } from "./api.js";
import { byId } from "./dom.js";

const [form, second, fault] = ["sign-in", "second", "fault"].map(byId);

/** Six digits are an authenticator code, anything else is a recovery code. */
const factorOf = (given) =>
  /^\d{6}$/.test(given.replaceAll(" ", ""))
    ? { code: given.replaceAll(" ", "") }
    : { recoveryCode: given };

const signIn = (path, body) => ask(`/api/v1/auth/${path}`, { method: "POST", body });

function show(step) {
  form.hidden = step !== form;
  second.hidden = step !== second;
  step.querySelector("input").focus();
}

/** Runs a form's action without leaving the page, and shows refusals. */
function onSubmit(step, work) {
  step.addEventListener("submit", async (event) => {
    event.preventDefault();
    const send = step.querySelector("button[type=submit]");
    send.disabled = true;
    fault.textContent = "";
    try {
      await work(Object.fromEntries(new FormData(step)));
    } catch (error) {
      fault.textContent = error.message;
      step.querySelector("input").focus();
    } finally {
      send.disabled = false;
    }
  });
}

onSubmit(form, async ({ username, password }) => {
  const answer = await signIn("login", { username, password });
  if (answer.totpRequired) show(second);
  else location.reload();
});
onSubmit(second, async ({ factor }) => {
  await signIn("login/totp", factorOf(factor.trim()));
  location.reload();
});
byId("back").addEventListener("click", () => {
  second.reset();
  show(form);
});
