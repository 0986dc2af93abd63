/* Data stored on this phone: tokens by room, the last name, language and sound.
   Its one rule: playing works in a browser that stores nothing. */

const here = {}; // for browsers without storage

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
  } catch { /* kept until the page is closed */ }
}
