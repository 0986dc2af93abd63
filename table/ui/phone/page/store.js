/* What this phone remembers: who it is in which room, the last name, two switches.
   Its one rule: a browser that keeps nothing still plays. */

const here = {}; // for browsers that may keep nothing

export function kept(name) {
  try {
    return here[name] ?? localStorage.getItem(`dicetable.${name}`) ?? '';
  } catch {
    return '';
  }
}

export function keep(name, value) {
  here[name] = value;
  try {
    if (value) localStorage.setItem(`dicetable.${name}`, value);
    else localStorage.removeItem(`dicetable.${name}`);
  } catch { /* until the page is closed */ }
}
