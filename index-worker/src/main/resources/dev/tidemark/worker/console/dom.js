// Elements from plain values. Text goes in as text only: rows are the users' data.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element; properties that begin with "on" are listeners, null and false ones are left out. */
export function h(tag, properties = {}, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function svg(tag, properties = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export const byId = id => document.getElementById(id);

/** Sets a text only when it differs, so that nothing is laid out again and no selection is lost. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Sets or, with null, removes an attribute, only when that changes something. */
export function setAttribute(element, name, value) {
  if (value === null || value === false) {
    if (element.hasAttribute(name)) element.removeAttribute(name);
  } else if (element.getAttribute(name) !== String(value)) {
    element.setAttribute(name, value);
  }
}

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter(child => child !== null && child !== undefined));
  return element;
}
