/* What this phone remembers: who it is in which room, the last name, two switches.
   Its one rule: a browser that keeps nothing still plays. */

const here = new Map();

export function kept(name) {
  try {
    return localStorage.getItem(`dicetable.${name}`) ?? here.get(name) ?? '';
  } catch {
    return here.get(name) ?? '';
  }
}

export function keep(name, value) {
  here.set(name, value);
  try {
    if (value) localStorage.setItem(`dicetable.${name}`, value);
    else localStorage.removeItem(`dicetable.${name}`);
  } catch { /* private browsing: until the page is closed */ }
}
