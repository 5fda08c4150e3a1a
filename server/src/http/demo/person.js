/** What one user sees: our own elements or the reference client, signed in as the user in the address. */

/**
 * Both keep the signed-in user and unsent drafts in the storages of the browser. Frames of one server share those, so
 * each user has their own, which live as long as the page.
 */
function separateStorage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, String(value)),
    removeItem: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    key: (index) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
}

const sights = {
  comments: { element: 'wy-comments', uid: 'demo-comments' },
  // From version 23 on, wy-posts has no editor; wy-feed has both.
  posts: { element: 'wy-feed', older: 'wy-posts', uid: 'demo-posts' },
  files: { element: 'wy-files', uid: 'demo-files' },
  chat: { element: 'wy-chat', uid: 'demo-chat' },
  messenger: { element: 'wy-messenger' },
};

for (const name of ['sessionStorage', 'localStorage'])
  Object.defineProperty(window, name, { value: separateStorage() });

async function token() {
  const response = await fetch(`${location.pathname}/token`, { method: 'POST' });
  if (!response.ok) throw new Error(`there is no access token: ${response.status}`);
  return (await response.json()).access_token;
}

async function showElements() {
  await import('/elements.js');
  const element = Object.assign(document.createElement('confab-comments'), { getToken: token });
  element.setAttribute('uid', 'demo-comments');
  document.querySelector('main').append(element);
}

async function showKit(sight, version) {
  const { Weavy } = await import(`${JSON.parse(document.body.dataset.kits)[version]}weavy.esm.js`);
  new Weavy({ url: location.origin, tokenFactory: token });
  const element = document.createElement((version === '21' && sight.older) || sight.element);
  if (sight.uid !== undefined) element.setAttribute('uid', sight.uid);
  // Pickers for files that are kept elsewhere come from elsewhere. Version 21 has a property for them, 32 an attribute.
  if (version === '21') element.features = { cloudFiles: false, confluence: false };
  else element.setAttribute('features', '-cloud_files');
  // The client follows a class instead of the setting of the browser: one of the page, and wy-comments one of its own.
  const dark = matchMedia('(prefers-color-scheme: dark)');
  function followColors() {
    for (const each of [document.documentElement, element]) each.classList.toggle('wy-dark', dark.matches);
  }
  dark.addEventListener('change', followColors);
  followColors();
  document.body.classList.add(element.localName);
  document.querySelector('main').append(element);
}

const shown = new URLSearchParams(location.search);
const sight = sights[shown.get('show')];
if (sight === undefined) await showElements();
else await showKit(sight, shown.get('version') === '21' ? '21' : '32');
