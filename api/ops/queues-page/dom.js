export const byId = (id) => document.getElementById(id);

/** Creates an element. Text children are never parsed as markup. */
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children.map((child) => (child instanceof Node ? child : String(child))));
  return made;
}

/** Writes only changed text, so that screen readers do not repeat it and selections stay. */
export function setText(node, text) {
  if (node && node.textContent !== String(text)) node.textContent = text;
}

/** A button that ignores clicks while its action runs. Disabling it would lose the focus. */
export function button(words, label, act) {
  const made = element("button", { type: "button", "aria-label": label }, words);
  made.addEventListener("click", async () => {
    if (made.ariaDisabled === "true") return;
    made.ariaDisabled = "true";
    try {
      await act();
    } finally {
      made.ariaDisabled = null;
    }
  });
  return made;
}

/**
 * Updates the children of a box to match a list, and keeps existing elements with their focus and open
 * state.
 * @param how `keyOf` an item, `make` and `update` its element, and the text `ifNone`
 */
export function fillList(box, items, { keyOf, make, update, ifNone }) {
  const shown = new Map(
    [...box.querySelectorAll(":scope > [data-key]")].map((one) => [one.dataset.key, one]),
  );
  const wanted = items.map((item) => {
    const key = keyOf(item);
    const one = shown.get(key) ?? make(item);
    one.dataset.key = key;
    update?.(one, item);
    return one;
  });
  const nothing = ifNone === undefined ? [] : [element("p", { class: "soft" }, ifNone)];
  const children = wanted.length > 0 ? wanted : nothing;
  const isSame =
    children.length === box.childElementCount &&
    children.every(
      (child, at) => child === box.children[at] || isSameText(child, box.children[at]),
    );
  if (isSame) return;
  const focused = document.activeElement;
  box.replaceChildren(...children);
  if (box.contains(focused)) focused.focus();
}

const isSameText = (one, other) =>
  !one.dataset.key && !other.dataset.key && one.textContent === other.textContent;

export function fillRows(body, rows, ifNone) {
  const none = element("td", { class: "soft", colspan: 9 }, ifNone);
  body.replaceChildren(...(rows.length > 0 ? rows : [element("tr", {}, none)]));
}
