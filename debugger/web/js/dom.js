// Elements from values. Text becomes text nodes, never markup, so that no text of a kernel or a trace can become
// script.

/** h("p", {class: "x", onclick: f}, "text", child, null): null and false are left out. */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  append(element, children);
  return element;
}

export function svg(tag, properties = {}, ...children) {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) setProperty(element, name, value);
  append(element, children);
  return element;
}

function setProperty(element, name, value) {
  if (value === null || value === undefined || value === false) return;
  if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
  else if (name === "dataset") Object.assign(element.dataset, value);
  else if (name === "style") for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
  else element.setAttribute(name, value === true ? "" : String(value));
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

export function replace(element, ...children) {
  element.replaceChildren();
  append(element, children);
}

/** A panel's heading and body; the body is returned. */
export function panel(section, title, ...beside) {
  const body = h("div", { class: "body" });
  replace(section, h("div", { class: "title" }, h("h2", { id: `${section.id}-title` }, title), beside), body);
  return body;
}
