/* Draws a tree of plain objects and changes only what differs, so nothing flickers and the focus stays.
   Its one rule: data from the table becomes text or attributes, never markup. */

const SVG = 'http://www.w3.org/2000/svg';

/* h('p.quiet', { lang: 'es' }, 'Hola'): the props are optional. */
export function h(tag, ...kids) {
  const props = kids[0]?.constructor === Object && !kids[0].tag ? kids.shift() : {};
  return { tag, props, kids: kids.flat(9).filter((kid) => kid != null && kid !== false && kid !== '') };
}

/* A disabled button keeps its tab stop and focus: the `disabled` attribute would lose them at every touch. */
export function button(kind, does, ...rest) {
  const made = h(`button${kind}`, ...rest);
  const { off, ...props } = made.props;
  made.props = { type: 'button', ...props, 'aria-disabled': off, onclick: off ? null : does };
  return made;
}

export function form(off, label, does, ...fields) {
  const sent = (event) => {
    event.preventDefault();
    if (!off) does();
  };
  return h('form', { onsubmit: sent }, fields, h('button.main', { 'aria-disabled': off }, label));
}

export function field(label, draft, name, props) {
  const typed = (event) => { draft[name] = event.target.value; };
  return h('label', { key: name }, label, h('input', { autocomplete: 'off', maxlength: 40, ...props, value: draft[name], oninput: typed }));
}

export function draw(root, ...kids) {
  const held = document.activeElement;
  const inside = held !== document.body && root.contains(held);
  children(root, kids.flat(9).filter(Boolean));
  if (!inside || held === document.activeElement) return;
  if (held.isConnected) held.focus({ preventScroll: true });
  else root.querySelector('[data-home]')?.focus({ preventScroll: true });
}

function children(parent, kids) {
  const old = new Map([...parent.childNodes].map((node) => [node._key, node]));
  const count = {};
  const nodes = kids.map((kid) => {
    const tag = kid.tag ?? '#';
    const key = kid.props?.key ?? tag + (count[tag] = (count[tag] ?? 0) + 1);
    let node = old.get(key);
    if (node?._tag === tag) old.delete(key);
    else node = make(tag, parent);
    node._key = key;
    return node;
  });
  for (const node of old.values()) node.remove();
  let place = parent.firstChild;
  nodes.forEach((node, n) => {
    if (node === place) place = place.nextSibling;
    else parent.insertBefore(node, place);
    const kid = kids[n];
    if (!kid.tag) {
      if (node.data !== String(kid)) node.data = kid;
      return;
    }
    children(node, kid.kids);
    update(node, kid.props);
  });
}

function make(tag, parent) {
  const [name, ...classes] = tag.split('.');
  const node = name === '#' ? document.createTextNode('')
    : name === 'svg' || parent.namespaceURI === SVG ? document.createElementNS(SVG, name) : document.createElement(name);
  node.classList?.add(...classes);
  node._tag = tag;
  node._props = {};
  node._hears = new Set();
  return node;
}

function update(node, props) {
  const was = node._props;
  node._props = props;
  for (const name of new Set([...Object.keys(was), ...Object.keys(props)])) {
    const value = props[name];
    if (name === 'key') continue;
    if (name.startsWith('on')) {
      if (node._hears.has(name)) continue;
      node._hears.add(name);
      node.addEventListener(name.slice(2), (event) => node._props[name]?.(event));
    } else if (name === 'value') {
      if (node.value !== String(value)) node.value = value;
    } else if (was[name] !== value) {
      if (value == null || (value === false && !name.startsWith('aria-'))) node.removeAttribute(name);
      else node.setAttribute(name, value);
    }
  }
}
